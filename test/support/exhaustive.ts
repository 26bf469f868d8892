// `npm run test:exhaustive` goes through everything; `npm test` runs the same suites over a slice of it.

export const IS_EXHAUSTIVE = process.env['TIDEMARK_EXHAUSTIVE'] === '1';

/** All that a suite can go through in the exhaustive run, otherwise the slice. */
export const exhaustively = <What>(all: What, slice: What): What => (IS_EXHAUSTIVE ? all : slice);

/** Every nth item, beginning with the first; in the exhaustive run all. */
export const everyNth = <Item>(items: readonly Item[], step: number): readonly Item[] =>
  exhaustively(
    items,
    items.filter((_, at) => at % step === 0),
  );

/** A test that only the exhaustive run makes; `npm test` names it among those that it skips. */
export const itInFull = IS_EXHAUSTIVE ? it : it.skip;
