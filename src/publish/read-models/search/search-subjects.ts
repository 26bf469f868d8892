// The subjects of search and their texts: one statement a type.
import { sameInAll, textsIn } from '../../../store/columns-of.js';

export interface SearchSubject {
  readonly type: 'signal' | 'company' | 'entity' | 'country' | 'indicator' | 'instrument';
  /**
   * Returns `key, title, snippet, names, more, rank, facts, sources` of every subject that may be shown; none of
   * withheld series and sources. `names` are its names, `more` other texts about it. It may join `aliases (type,
   * key, names, related)`.
   */
  readonly sql: string;
  /** Returns the `key` of each subject that the publication may have moved; `null`: all, and they are few. */
  readonly affected: string | null;
}

const NO_TEXTS = `'{}'::text[]`;
const aliases = (type: SearchSubject['type'], key: string, column = 'names') =>
  `coalesce((SELECT a.${column} FROM aliases a WHERE a.type = '${type}' AND a.key = ${key}), '{}')`;
/** All languages of the texts of several rows, in a stable order. */
const gathered = (column: string, from: string) =>
  `ARRAY(SELECT x.text FROM ${from} CROSS JOIN LATERAL unnest(${textsIn(column)}) AS x (text) ORDER BY 1)`;
const seriesSources = (where: string) => `ARRAY(
  SELECT DISTINCT x.id FROM derivable_series s CROSS JOIN LATERAL unnest(s.origins || s.source_id) AS x (id)
  WHERE ${where} ORDER BY 1)`;

/** An indicator's names without the unit behind them in brackets, unless another indicator is called so. */
const WITHOUT_UNIT = `ARRAY(
  SELECT x.text FROM (SELECT regexp_replace(n.text, '\\s*[（(].*$', '') FROM unnest(${textsIn('i.name')}) AS n (text)) x (text)
  WHERE NOT EXISTS (SELECT FROM aliases a WHERE a.type = 'indicator' AND a.key <> i.slug AND x.text = ANY (a.names)))`;

const COUNTRIES: SearchSubject = {
  type: 'country',
  affected: null,
  sql: `
    SELECT r.code AS key, r.name AS title, NULL::jsonb AS snippet,
      ${textsIn('r.name')} || r.code || coalesce(ARRAY[r.alpha3], '{}') || ${aliases('country', 'r.code')} AS names,
      ${NO_TEXTS} AS more, 60 + r.weight * 2 / 5 AS rank,
      jsonb_build_object('kind', r.kind) AS facts, ${NO_TEXTS} AS sources
    FROM regions r WHERE EXISTS (SELECT FROM derivable_series s WHERE s.region = r.code)`,
};

const INDICATORS: SearchSubject = {
  type: 'indicator',
  affected: null,
  sql: `
    SELECT i.slug AS key, i.name AS title, i.description AS snippet,
      ${textsIn('i.name')} || ${WITHOUT_UNIT} || ${textsIn('i.short_name')} || i.slug || i.provider_code
        || ${aliases('indicator', 'i.slug')} AS names,
      ${textsIn('i.description')}
        || ${gathered('t.name', 'indicator_topics l JOIN topics t ON t.slug = l.topic AND l.indicator = i.slug')}
        || ${aliases('indicator', 'i.slug', 'related')} AS more,
      greatest(60, 95 - i.ordinal) AS rank, '{}'::jsonb AS facts, ${seriesSources('s.indicator = i.slug')} AS sources
    FROM indicators i WHERE EXISTS (SELECT FROM derivable_series s WHERE s.indicator = i.slug)`,
};

const INSTRUMENTS: SearchSubject = {
  type: 'instrument',
  affected: null,
  sql: `
    SELECT n.key, n.name AS title, n.description AS snippet,
      ${textsIn('n.name')} || n.key || ${aliases('instrument', 'n.key')}
        || CASE WHEN n.kind = 'fx' THEN ARRAY[substr(n.key, 1, 3) || ' ' || substr(n.key, 4), n.currency] ELSE '{}' END
        AS names,
      ${textsIn('n.description')}
        || ${gathered('t.name', 'instrument_topics l JOIN topics t ON t.slug = l.topic AND l.instrument = n.key')}
        AS more,
      CASE WHEN n.discontinued THEN 30 WHEN n.average THEN 50 ELSE greatest(55, 80 - n.ordinal / 4) END AS rank,
      '{}'::jsonb AS facts, ${seriesSources('s.instrument = n.key')} AS sources
    FROM instruments n WHERE EXISTS (SELECT FROM derivable_series s WHERE s.instrument = n.key)`,
};

const COMPANIES: SearchSubject = {
  type: 'company',
  affected: 'SELECT c.slug AS key FROM affected_entities n JOIN companies c ON c.entity_id = n.id',
  sql: `
    SELECT c.slug AS key, ${sameInAll('e.name')} AS title, NULL::jsonb AS snippet,
      ARRAY[e.name, e.lei] || e.other_names || t.names || t.tickers || t.ciks || coalesce(a.names, '{}') AS names,
      ${NO_TEXTS} AS more, c.rank,
      jsonb_strip_nulls(jsonb_build_object('country', c.country, 'tickers', nullif(t.tickers, '{}'), 'lei', e.lei))
        AS facts,
      ARRAY(SELECT DISTINCT x.id FROM unnest(ARRAY[c.source_id, e.source_id] || t.sources) AS x (id) ORDER BY 1)
        AS sources
    FROM companies c JOIN entities e ON e.id = c.entity_id
      LEFT JOIN aliases a ON a.type = 'company' AND a.key = coalesce(e.cik::text, e.lei)
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(t.ticker ORDER BY t.ordinal, t.ticker), '{}') AS tickers,
               coalesce(array_agg(DISTINCT r.name), '{}') AS names,
               coalesce(array_agg(DISTINCT r.cik::text), '{}') AS ciks,
               coalesce(array_agg(DISTINCT t.source_id), '{}') AS sources
        FROM registrants r JOIN company_tickers t USING (cik)
        WHERE r.entity_id = c.entity_id
          AND NOT EXISTS (SELECT FROM sources p WHERE p.withheld AND p.id IN (r.source_id, t.source_id))) t
    WHERE c.listed AND e.name IS NOT NULL
      AND NOT EXISTS (SELECT FROM sources p WHERE p.withheld AND p.id IN (c.source_id, e.source_id))`,
};

/** Search finds a listed company as the company, not as the entity. */
const ENTITIES: SearchSubject = {
  type: 'entity',
  affected: 'SELECT id AS key FROM affected_entities',
  sql: `
    SELECT e.id AS key, ${sameInAll('e.name')} AS title, NULL::jsonb AS snippet,
      ARRAY[e.name, e.lei] || e.other_names AS names, ${NO_TEXTS} AS more,
      CASE e.status WHEN 'active' THEN 20 ELSE 10 END AS rank,
      jsonb_strip_nulls(jsonb_build_object('country', e.country, 'lei', e.lei)) AS facts,
      ARRAY[e.source_id] AS sources
    FROM entities e JOIN sources p ON p.id = e.source_id
    WHERE NOT p.withheld AND e.name IS NOT NULL
      AND NOT EXISTS (SELECT FROM companies c WHERE c.entity_id = e.id AND c.listed)`,
};

const SIGNALS: SearchSubject = {
  type: 'signal',
  affected: 'SELECT DISTINCT id AS key FROM moved_signals',
  sql: `
    SELECT g.id AS key, g.title, g.summary AS snippet, ${textsIn('g.title')} AS names, ${textsIn('g.summary')} AS more,
      CASE g.status WHEN 'closed' THEN 15 ELSE 35 END AS rank, '{}'::jsonb AS facts,
      ARRAY(SELECT DISTINCT x.id FROM signal_changes l JOIN changes c USING (position)
              LEFT JOIN series s ON s.id = c.series_id
              CROSS JOIN LATERAL unnest(coalesce(s.origins, '{}') || c.source_id) AS x (id)
            WHERE l.signal = g.id ORDER BY 1) AS sources
    FROM signals g`,
};

export const SEARCH_SUBJECTS: readonly SearchSubject[] = [
  COUNTRIES,
  INDICATORS,
  INSTRUMENTS,
  COMPANIES,
  ENTITIES,
  SIGNALS,
];
