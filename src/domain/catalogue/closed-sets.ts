// The closed sets of the catalogue, by what callers write.
import { z } from 'zod';
import { formatCountry } from '../locale/format.js';
import type { Locale } from '../locale/locale.js';
import { readEntries } from './catalogue-files.js';
import { localized } from './texts.schema.js';

const region = z.looseObject({
  code: z.string(),
  name: localized,
  alpha3: z.string().nullish(),
  aliases: z.array(z.string()).default([]),
});
const ordered = z.looseObject({ order: z.int() });

export const REGIONS = readEntries('regions', region).entries.map(({ value }) => value);

const names = new Map(REGIONS.map(({ code, name }) => [code, name]));

/** As all pages and texts name it; a country that the catalogue lacks as the Unicode CLDR does. */
export const regionName = (locale: Locale, code: string): string =>
  names.get(code)?.[locale] ?? (code.length === 2 ? formatCountry(locale, code) : code);

/** Our code by itself and by alpha-3, in upper case. */
export const REGION_CODES: ReadonlyMap<string, string> = new Map(
  REGIONS.flatMap(({ code, alpha3 }) => [code, ...(alpha3 == null ? [] : [alpha3])].map((one) => [one, code])),
);

const inOrder = (file: 'coverage' | 'topics'): readonly string[] =>
  readEntries(file, ordered)
    .entries.toSorted((a, b) => a.value.order - b.value.order)
    .map(({ key }) => key);

/** Domains of coverage and topics, in the order of their lists. */
export const CLASSES = { coverage: inOrder('coverage'), topic: inOrder('topics') } as const;
