// How words are written down for the index: alike where they are stored and where they are looked for.

/**
 * Changes are indexed in stretches of so many positions, other documents in shelves of so many ids. The list of a word
 * within one is at most this long, so what a page costs does not grow with what is held. To alter it is to index all
 * anew.
 */
export const STRETCH = 4_096;

export const stretchOf = (position: number): number => Math.floor(position / STRETCH);

/** Ids of shelves begin with what is found before others: each tier has so many. */
export const SHELVES = 1_000_000;

/** A word in one stretch or shelf. `:` and `=` stand in no folded word. */
export const inStretch = (stretch: number | string, word: string): string => `${String(stretch)}:${word}`;

const MARKS = {
  country: 'r',
  coverage: 'c',
  topic: 't',
  kind: 'k',
  indicator: 'i',
  instrument: 'm',
} as const;

/** What a change can be filtered by, as a word that no text holds. */
export const mark = (by: keyof typeof MARKS, key: string): string => `${MARKS[by]}=${key}`;
