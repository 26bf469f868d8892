// Searches changes by words, in the order of all lists: newest position first.
import { firstRows, type RowLimit } from '../../../store/statement-text.js';
import { facetToken, PARTITION_SIZE } from '../../../domain/search/index-partitions.js';

/** What a walk carries of a change: the rest of its row is as large as its document. */
export const WALKED = 'c.id, c.position, c.ranking, c.occurred_at, c.withdrawn_at';

/** Filters that the word index applies. */
export interface WordFilter {
  readonly words?: string | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly coverage?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
}

/** The range of positions and the conditions that the word index cannot apply. */
export interface PositionWalk {
  readonly conditions: readonly string[];
  /** Conditions on a position. */
  readonly within: (position: string) => readonly string[];
  /** Whether each span of positions is walked separately. */
  readonly spanned: boolean;
  readonly below: string | null;
  readonly most: RowLimit;
  readonly bind: (value: unknown) => string;
}

/** Adds facet tokens to the query: the index intersects their short lists with those of the words. */
function marked({ words = '', regions, topic, coverage, kinds }: WordFilter): string {
  const marks = [
    (regions ?? []).map((code) => facetToken('country', code)),
    topic === undefined ? [] : [facetToken('topic', topic)],
    coverage === undefined ? [] : [facetToken('coverage', coverage)],
    (kinds ?? []).map((kind) => facetToken('kind', kind)),
  ].filter((any) => any.length > 0);
  const wanted = marks.map((any) => `(${any.map((one) => `'~:${one}'`).join(' | ')})`);
  return words === '' ? '' : [words, ...wanted].join(' & ');
}

/**
 * Walks the index partitions from the newest on and stops when the page is full. Each step reads the lists of one
 * partition only; `OFFSET 0` keeps the planner from another order.
 */
export function foundPage(
  filter: WordFilter,
  { conditions, within, spanned, below, most, bind }: PositionWalk,
): string {
  const newest = below === null ? '(SELECT max(position) FROM changes)' : `(${below}::bigint - 1)`;
  const [from, to] = spanned ? [`least(${newest}, span.last)`, 'span.first'] : [newest, '0::bigint'];
  const size = String(PARTITION_SIZE);
  const found = [
    `w.words @@ replace(${bind(marked(filter))}, '~', partition.number::text)::tsquery`,
    ...within('w.position'),
  ];
  return firstRows(
    `
      SELECT c.* FROM generate_series(${from} / ${size}, ${to} / ${size}, -1::bigint) AS partition (number)
      CROSS JOIN LATERAL (
        SELECT w.position FROM change_words w WHERE ${found.join(' AND ')}
        ORDER BY w.position DESC OFFSET 0) w
      CROSS JOIN LATERAL (
        SELECT ${WALKED} FROM changes c WHERE c.position = w.position AND ${conditions.join(' AND ')} OFFSET 0) c`,
    most,
  );
}
