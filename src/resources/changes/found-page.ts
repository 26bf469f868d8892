// Changes by their words, in the order of all lists: newest position first.
import { mark, STRETCH } from '../../folding/stretches.js';

/** What is looked for in the index of words. */
export interface WordFilter {
  readonly words?: string | undefined;
  readonly region?: string | undefined;
  readonly topic?: string | undefined;
  readonly coverage?: string | undefined;
  readonly kind?: string | undefined;
}

/** What a change is marked by is looked for together with its words: an intersection of short lists. */
function marked({ words = '', region, topic, coverage, kind }: WordFilter): string {
  const marks = [
    region === undefined ? [] : mark('country', region),
    topic === undefined ? [] : mark('topic', topic),
    coverage === undefined ? [] : mark('coverage', coverage),
    kind === undefined ? [] : mark('kind', kind),
  ].flat();
  return words === '' ? '' : [words, ...marks.map((one) => `'~:${one}'`)].join(' & ');
}

/**
 * Walks the stretches of positions from the newest on, and stops with the page. Each step reads the lists of one
 * stretch only; `OFFSET 0` keeps the planner from another order.
 */
export function foundPage(
  filter: WordFilter,
  conditions: readonly string[],
  below: string | null,
  most: string,
  bind: (value: unknown) => string,
): string {
  const newest = below === null ? '(SELECT max(position) FROM changes)' : `(${below}::bigint - 1)`;
  return `
      SELECT c.* FROM generate_series(${newest} / ${String(STRETCH)}, 0::bigint, -1::bigint) AS stretch (number)
      CROSS JOIN LATERAL (
        SELECT w.position FROM change_words w
        WHERE w.words @@ replace(${bind(marked(filter))}, '~', stretch.number::text)::tsquery${
          below === null ? '' : ` AND w.position < ${below}`
        }
        ORDER BY w.position DESC OFFSET 0) w
      CROSS JOIN LATERAL (
        SELECT * FROM changes c WHERE c.position = w.position AND ${conditions.join(' AND ')} OFFSET 0) c
      LIMIT ${most}`;
}
