// One page of changes by hand, from the one wide table: its statement, its rows as JSON, and its envelope.
import { createHash, createHmac } from 'node:crypto';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CURSOR_SECRET = 'only-for-measuring';
const MAC_BYTES = 12;
const REFRESH_MS = 1_000;
export const CHANGES_QUERY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    country: { type: 'string', pattern: '^[A-Z]{2,3}$' },
    since: { type: 'string', format: 'date' },
    until: { type: 'string', format: 'date-time' },
    cursor: { type: 'string', maxLength: 60 },
  },
};

export function writeCursor(position) {
  const payload = Buffer.from(String(position));
  return Buffer.concat([macOf(payload), payload]).toString('base64url');
}

function readCursor(cursor) {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  return macOf(payload).equals(bytes.subarray(0, MAC_BYTES)) ? Number(payload) : null;
}

function macOf(payload) {
  return createHmac('sha256', CURSOR_SECRET).update(payload).digest().subarray(0, MAC_BYTES);
}

export function hashOf(key) {
  return createHash('sha256').update(key).digest();
}

export function keyIn(authorization) {
  return /^bearer (tm_[0-9A-Za-z]{36})$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** A statement with only the conditions that the query has; its name is its conditions. */
export function statementOf(table, order, { limit, country, since, until, cursor }) {
  const values = [limit + 1];
  const name = [table];
  const where = [];
  const add = (condition, value) => {
    if (value === undefined || value === null) return;
    values.push(value);
    name.push(condition);
    where.push(`${condition} $${values.length}`);
  };
  add('country =', country);
  add('occurred >=', since);
  add('occurred <', until);
  add(`${order} <`, cursor === undefined ? null : readCursor(cursor));
  const text = `SELECT * FROM ${table} ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
    ORDER BY ${order} DESC LIMIT $1`;
  return { name: name.join(' '), text, values };
}

/** The sources and the data version, read again each second. */
export async function openFacts(pool) {
  const facts = { sources: new Map(), dataVersion: 0, publishedAt: '' };
  const refresh = async () => {
    const { rows } = await pool.query('SELECT data_version, published FROM revision');
    if (rows[0].data_version === facts.dataVersion) return;
    const sources = await pool.query('SELECT id, document FROM sources ORDER BY id');
    facts.sources = new Map(sources.rows.map(({ id, document }) => [id, document]));
    facts.dataVersion = rows[0].data_version;
    facts.publishedAt = rows[0].published;
  };
  await refresh();
  setInterval(() => void refresh().catch(() => undefined), REFRESH_MS).unref();
  return facts;
}

/** The parts of a page of `GET /changes` in English, as the service sends it. */
export function widePage(rows, limit, facts, baseUrl) {
  const shown = rows.slice(0, limit);
  const cited = new Set();
  const series = new Set();
  for (const row of shown) {
    for (const id of row.sources) cited.add(id);
    series.add(row.subject_key.slice(0, row.subject_key.indexOf('@')));
  }
  const sources = [];
  for (const [id, source] of facts.sources)
    if (cited.has(id)) sources.push({ ...source, series: source.series.filter(({ key }) => series.has(key)) });
  const nextCursor = rows.length > limit ? writeCursor(shown.at(-1).position) : null;
  return {
    data: shown.map((row) => showChange(row, baseUrl)),
    meta: {
      locale: 'en',
      dataVersion: facts.dataVersion,
      publishedAt: facts.publishedAt,
      sources,
      notices: [],
      page: { limit, nextCursor },
    },
  };
}

/** The page of the table with sixteen columns. */
export function flatPage(rows, limit) {
  const data = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? writeCursor(data.at(-1).id) : null;
  return { data, meta: { page: { limit, nextCursor } } };
}

function showChange(row, baseUrl) {
  return {
    id: row.id,
    url: `${baseUrl}/api/v1/changes/${row.id}`,
    page: `${baseUrl}/changes/${row.id}?locale=en`,
    kind: row.kind,
    status: row.status,
    evidenceClass: row.evidence_class,
    headline: row.headline,
    summary: row.summary,
    importance: row.importance,
    occurredAt: row.occurred_text,
    occurredBasis: row.occurred_basis,
    publishedAt: row.published,
    updatedAt: row.updated,
    figure: {
      name: row.figure_name,
      unit: {
        code: row.unit,
        dimension: row.unit_dimension,
        currency: row.unit_currency,
        scale: row.unit_scale,
        per: row.unit_per,
        label: row.unit_label,
      },
      period: row.period,
      previous: {
        value: row.previous_value,
        decimals: row.previous_decimals,
        unit: row.unit,
        text: row.previous_text,
        period: row.previous_period,
        source: row.previous_source,
        origins: row.previous_origins,
        knownSince: row.previous_known_since,
        releasedAt: row.previous_released_at,
        missing: row.previous_missing,
      },
      actual: {
        value: row.actual_value,
        decimals: row.actual_decimals,
        unit: row.unit,
        text: row.actual_text,
        period: row.actual_period,
        source: row.actual_source,
        origins: row.actual_origins,
        knownSince: row.actual_known_since,
        releasedAt: row.actual_released_at,
        missing: row.actual_missing,
      },
      delta: row.delta,
      deltaPercent: row.delta_percent,
      revision: row.revision,
    },
    context: row.context,
    subject: { type: row.subject_type, key: row.subject_key, name: row.subject_name, region: row.subject_region },
    countries: [row.country],
    coverage: row.coverage,
    topics: row.topics,
    companies: row.companies,
    entities: row.entities,
    signals: row.signals,
    evidence: { total: row.figures, publishers: row.publishers, byLevel: row.levels },
    sources: row.sources,
  };
}
