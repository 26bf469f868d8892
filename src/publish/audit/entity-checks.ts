// The checks of single entities: names and tickers that changed places, and parents in a cycle. They fill `failed_entities`.
import type pg from 'pg';

/** Spelling is no change of name. */
const letters = (name: string): string => `regexp_replace(lower(${name}), '[^[:alnum:]]', '', 'g')`;

/** Entities and registrants with the name that is stored and the one that is given, and whether that is another company's. */
export const NAMES = `
  SELECT t.source_id AS source, t.lei AS name, 'name' AS what, e.name AS held, t.name AS value,
         ${letters('e.name')} <> ${letters('t.name')} AND NOT t.name = ANY (e.other_names)
           AND NOT e.name IN (SELECT jsonb_array_elements_text(t.other_names)) AS fails
  FROM staged_entities_distinct t JOIN entities e ON e.lei = t.lei
  WHERE e.name IS NOT NULL AND e.known_on < $1 AND e.source_id = t.source_id
  UNION ALL
  SELECT t.source_id, 'CIK ' || t.cik, 'name', r.name, t.name, ${letters('r.name')} <> ${letters('t.name')}
  FROM staged_registrants_distinct t JOIN registrants r ON r.cik = t.cik WHERE r.known_on < $1`;

/** Registrants with the tickers that are stored and those that are given, and whether none of them stays. */
export const TICKERS = `
  SELECT t.source_id AS source, 'CIK ' || t.cik AS name, 'tickers' AS what,
         array_to_string(k.tickers, ', ') AS held, array_to_string(t.tickers, ', ') AS value,
         NOT t.tickers && k.tickers AS fails
  FROM staged_registrants_distinct t JOIN registrants r ON r.cik = t.cik AND r.known_on < $1
    CROSS JOIN LATERAL (SELECT array_agg(ticker) AS tickers FROM company_tickers WHERE cik = t.cik) k
  WHERE k.tickers IS NOT NULL`;

/**
 * Each step that begins a way from `child` back to it, over `links` of `child`, `parent` and whether they are `new`. Most links
 * have an end at which nothing goes on.
 */
const CYCLES = `
  inner_links AS MATERIALIZED (
    SELECT child, parent, bool_and(new) AS new FROM links
    WHERE child IN (SELECT parent FROM links) AND parent IN (SELECT child FROM links) GROUP BY 1, 2),
  ways AS (
    SELECT child AS start, parent AS first, parent AS reached FROM inner_links WHERE new
    UNION
    SELECT w.start, w.first, i.parent FROM ways w JOIN inner_links i ON i.child = w.reached WHERE w.reached <> w.start),
  cycles AS (SELECT start AS child, first AS parent FROM ways WHERE reached = start)`;

/** A name or ticker that moves on is no exchange: the last one of the chain has a new one. */
const EXCHANGED = `
  WITH RECURSIVE renamed AS MATERIALIZED (
    SELECT n.*, ${letters('held')} AS before, ${letters('value')} AS now FROM (${NAMES}) n WHERE fails
    UNION ALL
    SELECT q.*, before, now FROM (${TICKERS}) q
      CROSS JOIN LATERAL unnest(string_to_array(held, ', ')) before CROSS JOIN LATERAL unnest(string_to_array(value, ', ')) now
    WHERE fails),
  links AS MATERIALIZED (
    SELECT t.name AS child, o.name AS parent, true AS new FROM renamed t
      JOIN renamed o ON o.source = t.source AND o.what = t.what AND o.before = t.now AND o.name <> t.name),
  ${CYCLES}
  INSERT INTO failed_entities
  SELECT DISTINCT r.name, 'exchanged', r.source, r.what, r.held, r.value FROM cycles c JOIN renamed r ON r.name = c.child`;

/**
 * Of direct and ultimate parents together: an ultimate parent that is a descendant makes a cycle as well. The links are
 * those after the delivery, without what it says about entities that fail already. `$2`: what the same day stated is replaced.
 */
const CIRCULAR = `
  WITH RECURSIVE stored AS MATERIALIZED (
    SELECT c.lei AS child, p.lei AS parent, o.kind
    FROM relations o JOIN entities c ON c.id = o.child JOIN entities p ON p.id = o.parent
    WHERE o.valid_to IS NULL AND (o.valid_from < $1 OR NOT $2)),
  links AS MATERIALIZED (
    SELECT child, parent, action = 'open' AS new FROM relation_actions a
    WHERE action <> 'close' AND NOT older AND NOT EXISTS (SELECT FROM failed_entities f WHERE f.subject = a.child)
    UNION ALL
    SELECT child, parent, false FROM stored s WHERE NOT EXISTS (
      SELECT FROM relation_actions a WHERE (a.child, a.parent, a.kind) = (s.child, s.parent, s.kind) AND NOT a.older)
    UNION ALL
    SELECT child, parent, false FROM stored s WHERE EXISTS (SELECT FROM failed_entities f WHERE f.subject = s.child)),
  ${CYCLES}
  INSERT INTO failed_entities
  SELECT DISTINCT c.child, 'circular', a.source_id, 'parent', 'its descendant', c.parent
  FROM cycles c JOIN relation_actions a ON a.child = c.child AND a.parent = c.parent AND a.action = 'open'`;

/** @param replaces whether the delivery replaces what is stored of its day */
export async function flagEntities(client: pg.PoolClient, vintage: string, replaces: boolean): Promise<void> {
  await client.query(EXCHANGED, [vintage]);
  // Without the new parents of one entity its former ones stay, which may close another cycle.
  while ((await client.query(CIRCULAR, [vintage, replaces])).rowCount !== 0);
}
