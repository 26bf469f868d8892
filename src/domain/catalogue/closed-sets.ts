// The closed sets of the catalogue, by what callers write.
import { z } from 'zod';
import { readEntries } from './catalogue-files.js';

const region = z.looseObject({
  code: z.string(),
  alpha3: z.string().nullish(),
  aliases: z.array(z.string()).default([]),
});
const ordered = z.looseObject({ order: z.int() });

export const REGIONS = readEntries('regions', region).entries.map(({ value }) => value);

/** Our code by itself and by alpha-3, in upper case. */
export const REGION_CODES: ReadonlyMap<string, string> = new Map(
  REGIONS.flatMap(({ code, alpha3 }) =>
    [code, ...(alpha3 == null ? [] : [alpha3])].map((one) => [one, code]),
  ),
);

const inOrder = (file: 'coverage' | 'topics'): readonly string[] =>
  readEntries(file, ordered)
    .entries.toSorted((a, b) => a.value.order - b.value.order)
    .map(({ key }) => key);

/** Domains of coverage and topics, in the order of their lists. */
export const CLASSES = { coverage: inOrder('coverage'), topic: inOrder('topics') } as const;
