// Names that callers use for countries, domains and topics, from the Unicode CLDR and the catalogue.
import { z } from 'zod';
import { REGION_CODES, REGIONS } from '../../domain/catalogue/closed-sets.js';
import { readAliasFile, readEntries } from '../../domain/catalogue/catalogue-files.js';
import type { Frequency } from '../../domain/figures/periods.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { LOCALES, type Localized } from '../../domain/locale/locale.js';
import { ownMember } from '../../domain/names/own-member.js';
import { codeOfAdjective } from '../../domain/search/demonyms.js';
import { normalizeText } from '../../domain/search/normalize.js';

interface Named {
  readonly key?: string;
  readonly slug?: string;
  readonly name: Localized;
}
interface Classified {
  readonly slug: string;
  readonly name: Localized;
  readonly shortName?: Localized;
  readonly unit: UnitCode;
  readonly frequency: Frequency;
  readonly coverage: readonly string[];
  readonly topics: readonly string[];
}

const entriesOf = (file: 'coverage' | 'topics' | 'indicators' | 'instruments') =>
  readEntries(file, z.unknown()).entries.map(({ value }) => value);

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const lists = { coverage: entriesOf('coverage') as Named[], topic: entriesOf('topics') as Named[] };
const indicators = entriesOf('indicators') as Classified[];
const instruments = entriesOf('instruments') as {
  readonly key: string;
  readonly name: Localized;
  readonly kind: string;
  readonly currency: string | null;
  readonly regions: readonly string[];
}[];

/** The currency that an indicator or instrument is counted in, and the economies of an instrument. */
export function measuredOf(key: string) {
  const indicator = indicators.find(({ slug }) => slug === key);
  if (indicator !== undefined) return { currency: unitNamed(indicator.unit).currency, regions: undefined };
  return instruments.find((one) => one.key === key);
}

/** The economies of an interest rate: exchange rates and commodities are prices of several, or of none. */
export const economiesOfRate = (key: string): readonly string[] | undefined =>
  instruments.find((one) => one.key === key && one.kind === 'rate')?.regions;

/** Whether the catalogue has shares or indices of shares. */
export const HAS_SHARES: boolean = instruments.some(({ kind }) => kind === 'index' || kind === 'equity');

const commodities = instruments.filter(({ kind }) => kind === 'commodity').map(({ key }) => key);

/** The keys of commodities, without averages of those that have prices by day. */
export const COMMODITIES: readonly string[] = commodities.filter(
  (key) => !commodities.some((other) => key.startsWith(`${other}-`)),
);

/** The domains or topics, each with its slug. */
const members = (parameter: 'coverage' | 'topic') =>
  lists[parameter].map(({ key, slug = key ?? '', name }) => ({ slug, name }));

/** The slugs of all domains or topics, for descriptions. */
export const slugsOf = (parameter: 'coverage' | 'topic'): string =>
  members(parameter)
    .map(({ slug }) => slug)
    .join(', ');

/** The slugs of all indicators, for descriptions: those of one beginning or end stand together. */
export function indicatorSlugs(): string {
  const slugs = indicators.map(({ slug }) => slug);
  const families = new Map<string, string[]>();
  for (const slug of slugs) {
    const [, family = slug, rest = ''] =
      /^(.*?)-(\d[\d-]*)$/.exec(slug) ?? /^(.*)-(to-gdp)$/.exec(slug)?.with(1, '(-to-gdp)').with(2, slug) ?? [];
    families.set(family, [...(families.get(family) ?? []), rest.replace(/-to-gdp$/, '')]);
  }
  return [...families]
    .map(([family, members]) => {
      if (family === '(-to-gdp)') return `${members.join(', ')} ${family}`;
      return members[0] === '' ? family : `${family}-${members.join('/')}`;
    })
    .join(', ');
}

export const isIndicator = (slug: string): boolean => indicators.some((one) => one.slug === slug);
export const isAnnual = (slug: string): boolean => indicators.some((one) => one.slug === slug && one.frequency === 'A');
export const isInstrument = (key: string): boolean => instruments.some((one) => one.key === key);

const called = z.record(z.string(), z.array(z.string()));
const aliases = readAliasFile(
  z.looseObject({ country: called, indicator: called, instrument: called, topic: called.default({}) }),
).value ?? { country: {}, indicator: {}, instrument: {}, topic: {} };
const namesOf = (key: string, names: readonly (Localized | undefined)[], others: readonly string[] = []) => ({
  key,
  names: [...names.flatMap((one) => Object.values(one ?? {})), ...others].map(normalizeText),
});
const entries = {
  indicator: indicators.map(({ slug, name, shortName }) =>
    namesOf(slug, [name, shortName], ownMember(aliases.indicator, slug)),
  ),
  instrument: instruments.map(({ key, name }) => namesOf(key, [name], ownMember(aliases.instrument, key))),
};

/** The one indicator or instrument of the catalogue that has this name or alias, stored or not. */
export function keyCalled(text: string, types: readonly (keyof typeof entries)[]): string | undefined {
  const wanted = normalizeText(text);
  const [only, ...others] = types.flatMap((type) => entries[type]).filter(({ names }) => names.includes(wanted));
  return others.length === 0 ? only?.key : undefined;
}

/** The index that an indicator is the yearly change of: people call both so, and one of its aliases is the slug of the index. */
export const indexOfChange = (slug: string): string | undefined =>
  ownMember(aliases.indicator, slug)
    ?.map((name) => normalizeText(name).replaceAll(' ', '-'))
    .find((one) => one !== slug && isIndicator(one));

/** The indicator that is the change of an index from the year before. */
export const changeOfIndex = (index: string): string | undefined =>
  indicators.find(({ slug }) => indexOfChange(slug) === index)?.slug;

/** Whether the catalogue has an instrument of this kind. */
export const hasInstrumentOf = (kind: string): boolean => instruments.some((one) => one.kind === kind);

/** The slug of the domain or topic with this slug or name, in any language. */
export function slugNamed(parameter: 'coverage' | 'topic', text: string): string | undefined {
  const words = normalizeText(text);
  return members(parameter).find(({ slug, name }) => {
    const others = parameter === 'topic' ? (ownMember(aliases.topic, slug) ?? []) : [];
    return [slug, ...Object.values(name), ...others].some((one) => normalizeText(one) === words);
  })?.slug;
}

/** The domains or topics of indicators, each once. */
export function slugsOfIndicators(parameter: 'coverage' | 'topic', slugs: readonly string[]): string[] {
  const found = slugs.flatMap((slug) => indicators.find((one) => one.slug === slug) ?? []);
  return [...new Set(found.flatMap((one) => one[parameter === 'topic' ? 'topics' : 'coverage']))];
}

/** The code of a country by its alpha-3 code. */
export const countryOfAlpha3 = (text: string): string | undefined =>
  text.length === 3 ? REGION_CODES.get(text.toUpperCase()) : undefined;

/**
 * Members in November 2026 that have a code; the African Union has none. Groups with figures of their own have its code: without
 * a word for members, and unless they are ranked, those are meant. The OECD has more members than a request may name.
 */
const GROUPS = [
  ['CA DE FR GB IT JP US', 'g7, 七国集团, 主要7カ国, 先進7カ国'],
  ['AR AU BR CA CN DE EUU FR GB ID IN IT JP KR MX RU SA TR US ZA', 'g20, 二十国集团, 主要20カ国, 20カ国・地域'],
  ['AE BR CN EG ET ID IN IR RU ZA', 'brics, 金砖国家, 金砖'],
  ['BN ID KH LA MM MY PH SG TH TL VN', 'asean, 东盟, 东南亚国家联盟, 東南アジア諸国連合'],
  [
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
    'eu, euu, eu27, eu 27, european union, 欧盟, 欧盟27国, 欧州連合',
    'EUU',
  ],
  [
    'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
    'emu, euro area, eurozone, euro zone, 欧元区, ユーロ圏',
    'EMU',
  ],
].map(([codes = '', names = '', own]) => ({
  codes: codes.split(' '),
  names: names.split(', ').map(normalizeText),
  hasFigures: own !== undefined,
}));

/** Around the name of a group: the G-7 countries, G7諸国. */
const AROUND_GROUP = new RegExp(
  `(?<=\\bg)[- ](?=\\d)| (?:countries|nations|economies|member states|members?)$|(?:${['諸国', '各国', '国家', '成员国', '加盟国'].map(normalizeText).join('|')})$`,
  'gu',
);

/** The members of a group of countries; of one with figures of its own, if its members are named or ranked. */
export function membersOfGroup(text: string, isRanked: boolean): readonly string[] | undefined {
  const all = normalizeText(text).replace(/^the /, '');
  const bare = all.replaceAll(AROUND_GROUP, '').trim();
  const group = GROUPS.find(({ names }) => names.includes(all) || names.includes(bare));
  return group?.hasFigures === true && all === bare && !isRanked ? undefined : group?.codes;
}

let countries: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 code of a country by its name or adjective in any language, or by a code that another has replaced. */
export function countryNamed(text: string): string | undefined {
  countries ??= new Map([...LOCALES.flatMap(namesOfCountries), ...aliasesOfCountries()]);
  const code = /^[A-Za-z]{2}$/.test(text)
    ? new Intl.Locale(`und-${text}`).region
    : (countries.get(normalizeText(text).replace(/^the /, '')) ?? codeOfAdjective(text));
  // The catalogue calls the European Union, EU to the CLDR, as the World Bank does.
  return REGIONS.find(({ aliases }) => code !== undefined && aliases.includes(code))?.code ?? code;
}

const aliasesOfCountries = () =>
  Object.entries(aliases.country).flatMap(([code, names]) =>
    names.map((name): [string, string] => [normalizeText(name), code]),
  );

function namesOfCountries(locale: string): [name: string, code: string][] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[normalizeText(name), new Intl.Locale(`und-${code}`).region ?? code]];
  });
}
