import type { DataSource } from 'typeorm';

/**
 * Everything of one source that must disappear once the source is withheld. Read under the role that sees everything.
 */
export interface Belongings {
  readonly source: string;
  /** The names of the source, in all languages; an indicator may have the same name. */
  readonly titles: readonly string[];
  /** By path of the specification: segments that identify its content. */
  readonly segments: ReadonlyMap<string, readonly string[]>;
  /** `indicator@region` of its figures, and the keys of its instruments. */
  readonly series: readonly string[];
  readonly instruments: readonly string[];
  /** The names of its content, in all languages. */
  readonly names: readonly string[];
  /** Attributions, and all sentences about its figures. */
  readonly sentences: readonly string[];
}

const OWN_SERIES = 'SELECT * FROM series WHERE source_id = $1 OR $1 = ANY (origins)';
const OWN_CHANGES = `
  SELECT c.* FROM changes c
  WHERE c.series_id IN (SELECT id FROM (${OWN_SERIES}) s)
    OR EXISTS (SELECT FROM change_entities l JOIN entities e ON e.id = l.entity
               WHERE l.position = c.position AND e.source_id = $1)`;
const inAll = (column: string): string =>
  `unnest(ARRAY[${['en', 'zh', 'ja'].map((l) => `${column} ->> '${l}'`).join()}])`;

const SEGMENTS: Readonly<Record<string, string>> = {
  '/api/v1/changes/{id}': `SELECT id FROM (${OWN_CHANGES}) c ORDER BY position`,
  '/api/v1/companies/{slug}': 'SELECT slug FROM companies WHERE source_id = $1',
  '/api/v1/entities/{id}/structure': 'SELECT id FROM entities WHERE source_id = $1',
  '/api/v1/ahead/{id}': `
    SELECT id FROM calendar_events v WHERE source_id = $1
      OR EXISTS (SELECT FROM (${OWN_SERIES}) s WHERE (s.indicator, s.region) = (v.indicator, v.region))`,
  '/api/v1/markets/{key}': `SELECT instrument FROM (${OWN_SERIES}) s WHERE instrument IS NOT NULL ORDER BY id`,
};
const SERIES = `SELECT indicator || '@' || region FROM (${OWN_SERIES}) s WHERE indicator IS NOT NULL ORDER BY id`;
const NAMES = `
  SELECT ${inAll('i.name')} FROM instruments i JOIN (${OWN_SERIES}) s ON s.instrument = i.key
  UNION SELECT unnest(ARRAY[name, lei]) FROM entities WHERE source_id = $1`;
const TITLES = `SELECT ${inAll('name')} FROM sources WHERE id = $1`;
/** Includes alerts, which store their own texts. A sentence that another figure shares does not identify this one. */
const SENTENCES = `
  SELECT ${inAll('attribution')} FROM sources WHERE id = $1
  UNION SELECT ${inAll('headline')} FROM (${OWN_CHANGES}) c
  UNION SELECT ${inAll('e.headline')} FROM alert_events e JOIN (${OWN_SERIES}) s ON s.id = e.series_id
  EXCEPT SELECT ${inAll('headline')} FROM changes WHERE id NOT IN (SELECT id FROM (${OWN_CHANGES}) c)`;

export async function belongingsOf(publisher: DataSource, source: string): Promise<Belongings> {
  const read = async (sql: string): Promise<string[]> => {
    const rows = await publisher.query<Record<string, string | null>[]>(sql, [source]);
    return rows.flatMap((row) => Object.values(row)).filter((value) => value !== null);
  };
  const segments = new Map<string, string[]>();
  for (const [path, sql] of Object.entries(SEGMENTS)) segments.set(path, await read(sql));
  return {
    source,
    titles: await read(TITLES),
    segments,
    series: await read(SERIES),
    instruments: segments.get('/api/v1/markets/{key}') ?? [],
    names: await read(NAMES),
    sentences: await read(SENTENCES),
  };
}

/** As in JSON. Only an account's own follows and alerts keep the keys that the account gave them. */
export function tracesOf(own: Belongings, given: boolean): string[] {
  const said = [own.source, ...own.titles, ...own.names].map((text) => JSON.stringify(text));
  const sentences = own.sentences.map((text) => JSON.stringify(text).slice(1, -1));
  const keys = [...own.series, ...own.instruments, ...(own.segments.get('/api/v1/companies/{slug}') ?? [])];
  const ids = ['/api/v1/changes/{id}', '/api/v1/entities/{id}/structure', '/api/v1/ahead/{id}'];
  const quoted = [...keys, ...ids.flatMap((path) => own.segments.get(path) ?? [])].map((key) => JSON.stringify(key));
  return [...said, ...sentences, ...(given ? [] : quoted)];
}

/** Derived rows, and rows behind counts, that differ from what the rest of the database gives: there are none. */
export const DISAGREEMENTS: Readonly<Record<string, string>> = {
  heat: `
    WITH counted AS (
      SELECT l.region, k.coverage, c.occurred_at::date AS day,
             sum(CASE WHEN c.importance < 20 THEN 0 ELSE c.importance END)::integer AS importance,
             sum(CASE WHEN c.importance < 20 THEN 0 ELSE 1 END)::integer AS changes
      FROM changes c JOIN change_regions l USING (position) CROSS JOIN LATERAL (
        SELECT '' AS coverage UNION ALL SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) k
      WHERE c.status <> 'withdrawn' GROUP BY 1, 2, 3),
    held AS (SELECT region, coverage, day, importance, changes FROM heat_days)
    (TABLE counted EXCEPT TABLE held) UNION ALL (TABLE held EXCEPT TABLE counted)`,
  'heat by change': `
    SELECT FROM heat_days h CROSS JOIN LATERAL unnest(h.top) AS t (position)
    WHERE NOT EXISTS (SELECT FROM changes c WHERE c.position = t.position)`,
  ...Object.fromEntries(
    [
      ['coverage_domains', 'key', 'change_coverage', 'coverage'],
      ['topics', 'slug', 'change_topics', 'topic'],
    ].map(([table = '', key = '', links = '', link = '']) => [
      table,
      `SELECT FROM ${table} t WHERE t.changes_total <> (
         SELECT count(*) FROM ${links} l JOIN changes c USING (position)
         WHERE l.${link} = t.${key} AND c.status <> 'withdrawn')`,
    ]),
  ),
  briefs: `
    SELECT FROM briefs b WHERE (
      SELECT sum(omitted) FROM brief_sections s WHERE s.day = b.day) + (
      SELECT coalesce(sum(changes), 0) FROM brief_items i WHERE i.day = b.day) <> (
      SELECT count(*) FROM changes c
      WHERE c.occurred_at >= b.day AND c.occurred_at < b.day + 1 AND c.status <> 'withdrawn')`,
  companies: `
    SELECT FROM companies c WHERE c.subsidiaries <> (
        SELECT count(*) FROM relations r WHERE r.parent = c.entity_id AND r.kind = 'direct' AND r.valid_to IS NULL)
      OR c.changes <> (SELECT count(*) FROM change_entities l JOIN changes x USING (position)
        WHERE l.entity = c.entity_id AND x.status <> 'withdrawn')`,
  signals: 'SELECT FROM signals g WHERE NOT EXISTS (SELECT FROM signal_changes l WHERE l.signal = g.id)',
  'words of changes':
    'SELECT FROM change_words w WHERE NOT EXISTS (SELECT FROM changes c WHERE c.position = w.position)',
  'words of search': `
    SELECT FROM search_words w WHERE NOT EXISTS (
      SELECT FROM search_partitions s
        JOIN search_documents d ON d.words @@ ('''' || s.partition || ':' || w.word || '''')::tsquery)`,
};

/**
 * Where its keys may appear: the catalogue names everything that could have figures, follows and alerts belong to an
 * account, another register's entry names the entity that it was matched with, and removals tell copies what to delete.
 */
const NAMING = /^(accounts|api_keys|follows|alerts|registrants|removals|(indicator|instrument)(s|_.*))$/;

/** Tables with rows about it, as far as the role may read them. */
export async function leaksInTables(reader: DataSource, own: Belongings): Promise<object[]> {
  const tables = await reader.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND has_table_privilege(oid, 'SELECT') ORDER BY 1`,
  );
  const ids = [...own.segments.values()].flat();
  const traces = [...ids, ...own.series, ...own.names, ...own.sentences];
  const leaks: object[] = [];
  for (const { name } of tables.filter((table) => !NAMING.test(table.name))) {
    const rows = await reader.query<{ text: string }[]>(`SELECT replace(t::text, '\\"', '"') AS text FROM ${name} t`);
    // In a row's text, the quotation marks of JSON are doubled and escaped.
    const found = rows.flatMap(({ text }) => traces.filter((trace) => text.includes(trace)));
    if (found.length > 0) leaks.push({ name, found: [...new Set(found)].slice(0, 3) });
  }
  return leaks;
}
