// Names that callers use for countries, domains and topics, from the Unicode CLDR and the catalogue.
import { z } from 'zod';
import { readEntries } from '../../domain/catalogue/catalogue-files.js';
import { LOCALES, type Localized } from '../../domain/locale/locale.js';
import { normalizeText } from '../../domain/search/normalize.js';

interface Named {
  readonly key?: string;
  readonly slug?: string;
  readonly name: Localized;
}
interface Classified {
  readonly slug: string;
  readonly coverage: readonly string[];
  readonly topics: readonly string[];
}

const entriesOf = (file: 'coverage' | 'topics' | 'indicators' | 'instruments') =>
  readEntries(file, z.unknown()).entries.map(({ value }) => value);

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const REGION_LOCALES = ['en', 'zh-Hans', 'ja'];

const lists = {
  coverage: entriesOf('coverage') as Named[],
  topic: entriesOf('topics') as Named[],
};
const indicators = entriesOf('indicators') as Classified[];
const instruments = entriesOf('instruments') as { readonly kind: string }[];

/** The domains or topics, each with its slug. */
const members = (parameter: 'coverage' | 'topic') =>
  lists[parameter].map(({ key, slug = key ?? '', name }) => ({ slug, name }));

/** The slugs of all domains or topics, for descriptions. */
export const slugsOf = (parameter: 'coverage' | 'topic'): string =>
  members(parameter)
    .map(({ slug }) => slug)
    .join(', ');

/** The slugs of all indicators, for descriptions; of slugs that differ in the numbers at their end, all but the first by these. */
export function indicatorSlugs(): string {
  const families = new Map<string, string[]>();
  for (const { slug } of indicators) {
    const [, family = slug, numbers = ''] = /^(.*?)-(\d[\d-]*)$/.exec(slug) ?? [];
    families.set(family, [...(families.get(family) ?? []), numbers]);
  }
  return [...families]
    .map(([family, [first = '', ...others]]) => {
      const slug = first === '' ? family : `${family}-${first}`;
      return others.length === 0 ? slug : `${slug} (or ${others.join(', ')})`;
    })
    .join(', ');
}

/** Whether the catalogue has an instrument of this kind. */
export const hasInstrumentOf = (kind: string): boolean => instruments.some((one) => one.kind === kind);

/** The slug of the domain or topic with this slug or name, in any language. */
export function slugNamed(parameter: 'coverage' | 'topic', text: string): string | undefined {
  const words = normalizeText(text);
  return members(parameter).find(({ slug, name }) =>
    [slug, ...LOCALES.map((locale) => name[locale])].some((one) => normalizeText(one) === words),
  )?.slug;
}

/** The domains or topics of indicators, each once. */
export function slugsOfIndicators(parameter: 'coverage' | 'topic', slugs: readonly string[]): string[] {
  const found = slugs.flatMap((slug) => indicators.find((one) => one.slug === slug) ?? []);
  return [...new Set(found.flatMap((one) => one[parameter === 'topic' ? 'topics' : 'coverage']))];
}

let countries: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 code of a country by its name in the three languages, or by a code that another has replaced. */
export function countryNamed(text: string): string | undefined {
  if (/^[A-Za-z]{2}$/.test(text)) return new Intl.Locale(`und-${text}`).region;
  countries ??= new Map(REGION_LOCALES.flatMap(namesOfCountries));
  return countries.get(normalizeText(text));
}

function namesOfCountries(locale: string): [name: string, code: string][] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[normalizeText(name), new Intl.Locale(`und-${code}`).region ?? code]];
  });
}
