// The tables of the contenders written by hand: filled from the service's own responses, sharing nothing else with it.
import { createHash } from 'node:crypto';
import pg from 'pg';

/** Column, type, and where its value stands in an item of `GET /changes`. */
const WIDE = [
  ['id', 'text', (item) => item.id],
  ['kind', 'text', (item) => item.kind],
  ['status', 'text', (item) => item.status],
  ['evidence_class', 'text', (item) => item.evidenceClass],
  ['headline', 'text', (item) => item.headline],
  ['summary', 'text', (item) => item.summary],
  ['importance', 'integer', (item) => item.importance],
  ['occurred', 'timestamptz', (item) => item.occurredAt],
  ['occurred_text', 'text', (item) => item.occurredAt],
  ['occurred_basis', 'text', (item) => item.occurredBasis],
  ['published', 'timestamptz', (item) => item.publishedAt],
  ['updated', 'timestamptz', (item) => item.updatedAt],
  ['figure_name', 'text', ({ figure }) => figure.name],
  ['unit', 'text', ({ figure }) => figure.unit.code],
  ['unit_dimension', 'text', ({ figure }) => figure.unit.dimension],
  ['unit_currency', 'text', ({ figure }) => figure.unit.currency],
  ['unit_scale', 'integer', ({ figure }) => figure.unit.scale],
  ['unit_per', 'text', ({ figure }) => figure.unit.per],
  ['unit_label', 'text', ({ figure }) => figure.unit.label],
  ['period', 'text', ({ figure }) => figure.period],
  ...['previous', 'actual'].flatMap((which) => [
    [`${which}_value`, 'double precision', ({ figure }) => figure[which].value],
    [`${which}_decimals`, 'integer', ({ figure }) => figure[which].decimals],
    [`${which}_text`, 'text', ({ figure }) => figure[which].text],
    [`${which}_period`, 'text', ({ figure }) => figure[which].period],
    [`${which}_source`, 'text', ({ figure }) => figure[which].source],
    [`${which}_origins`, 'text[]', ({ figure }) => figure[which].origins],
    [`${which}_known_since`, 'text', ({ figure }) => figure[which].knownSince],
    [`${which}_released_at`, 'text', ({ figure }) => figure[which].releasedAt],
    [`${which}_missing`, 'text', ({ figure }) => figure[which].missing],
  ]),
  ['delta', 'double precision', ({ figure }) => figure.delta],
  ['delta_percent', 'double precision', ({ figure }) => figure.deltaPercent],
  ['revision', 'json', ({ figure }) => JSON.stringify(figure.revision)],
  ['context', 'json', ({ context }) => JSON.stringify(context)],
  ['subject_type', 'text', ({ subject }) => subject.type],
  ['subject_key', 'text', ({ subject }) => subject.key],
  ['subject_name', 'text', ({ subject }) => subject.name],
  ['subject_region', 'text', ({ subject }) => subject.region],
  ['country', 'text', ({ countries }) => onlyOne(countries)],
  ...['coverage', 'topics', 'companies', 'entities', 'signals'].map((links) => [
    links,
    'json',
    (item) => JSON.stringify(item[links]),
  ]),
  ['figures', 'integer', ({ evidence }) => evidence.total],
  ['publishers', 'integer', ({ evidence }) => evidence.publishers],
  ['levels', 'json', ({ evidence }) => JSON.stringify(evidence.byLevel)],
  ['sources', 'text[]', (item) => item.sources],
];

/** Sixteen plain columns, about 13 kB a page: what a table of figures without our promises holds. */
const FLAT = [
  ['kind', 'text', (item) => item.kind],
  ['status', 'text', (item) => item.status],
  ['headline', 'text', (item) => item.headline],
  ['summary', 'text', (item) => item.summary],
  ['importance', 'integer', (item) => item.importance],
  ['occurred', 'timestamptz', (item) => item.occurredAt],
  ['published', 'timestamptz', (item) => item.publishedAt],
  ['indicator', 'text', ({ subject }) => subject.key],
  ['country', 'text', ({ countries }) => onlyOne(countries)],
  ['unit', 'text', ({ figure }) => figure.unit.code],
  ['period', 'text', ({ figure }) => figure.period],
  ['value', 'double precision', ({ figure }) => figure.actual.value],
  ['previous', 'double precision', ({ figure }) => figure.previous.value],
  ['delta', 'double precision', ({ figure }) => figure.delta],
  ['source', 'text', ({ sources }) => sources[0]],
];

const BATCH = 200;

function onlyOne(countries) {
  if (countries.length === 1) return countries[0];
  throw new Error('One column holds one country, and a change has several');
}

/**
 * A database with the tables, the callers' keys and the sources.
 * @param ask returns the parsed response of a URL of the service
 * @returns the connection, and a cursor of ours for each page of 100
 */
export async function fillTables(connection, name, keys, ask) {
  await withClient(connection, (client) => client.query(`CREATE DATABASE ${name}`));
  const own = { ...connection, database: name };
  const { items, sources, revision, cursors } = await readAll(ask);
  await withClient(own, async (client) => {
    await client.query(`
      CREATE TABLE callers (hash bytea PRIMARY KEY, account text NOT NULL);
      CREATE TABLE sources (id text PRIMARY KEY, document json NOT NULL);
      CREATE TABLE revision (data_version integer, published text);
      CREATE TABLE wide_changes (position bigint PRIMARY KEY, ${columns(WIDE)});
      CREATE INDEX ON wide_changes (country, position DESC);
      CREATE TABLE flat_changes (id bigint PRIMARY KEY, ${columns(FLAT)});`);
    await client.query('INSERT INTO revision VALUES ($1, $2)', revision);
    await insert(
      client,
      'callers',
      keys.map((key, at) => [createHash('sha256').update(key).digest(), `caller-${at}`]),
    );
    await insert(
      client,
      'sources',
      [...sources].map(([id, source]) => [id, JSON.stringify(source)]),
    );
    for (const [table, shape] of [
      ['wide_changes', WIDE],
      ['flat_changes', FLAT],
    ])
      await insert(
        client,
        table,
        items.map((item, at) => [items.length - at, ...shape.map(([, , valueOf]) => valueOf(item))]),
      );
    await client.query('VACUUM ANALYZE');
  });
  return { connection: own, cursors, count: items.length };
}

function columns(shape) {
  return shape.map(([column, type]) => `${column} ${type}`).join(', ');
}

async function insert(client, table, rows) {
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    let number = 0;
    const places = batch.map((row) => `(${row.map(() => `$${(number += 1)}`).join(', ')})`);
    await client.query(`INSERT INTO ${table} VALUES ${places.join(', ')}`, batch.flat());
  }
}

async function withClient(connection, work) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every change, newest first, and every source with all of its series. */
async function readAll(ask) {
  const [items, sources, cursors] = [[], new Map(), []];
  for (let cursor = null; ;) {
    const { data, meta } = await ask(`/api/v1/changes?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`);
    items.push(...data);
    for (const source of meta.sources) {
      const known = sources.get(source.id)?.series ?? [];
      const series = new Map([...known, ...source.series].map((one) => [one.key, one]));
      const ordered = [...series.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      sources.set(source.id, { ...source, series: ordered });
    }
    cursor = meta.page.nextCursor;
    if (cursor === null) return { items, sources, cursors, revision: [meta.dataVersion, meta.publishedAt] };
    cursors.push(cursor);
  }
}
