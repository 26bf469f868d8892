/** The end of a page of results, and the data version that all pages rank by. */
export interface SearchPosition {
  readonly asOf: number;
  readonly score: number;
  readonly type: string;
  readonly id: string;
}

export type Ranked = Omit<SearchPosition, 'asOf'>;

/** Best first, then by type and id. */
export function inOrder(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Types and ids contain no point. */
export const writePosition = ({ asOf, score, type, id }: SearchPosition): string =>
  [asOf.toString(36), score.toString(36), type, id].join('.');

export function readPosition(text: string): SearchPosition {
  const [asOf = '', score = '', type = '', id = ''] = text.split('.');
  return { asOf: Number.parseInt(asOf, 36), score: Number.parseInt(score, 36), type, id };
}
