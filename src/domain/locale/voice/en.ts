import type { Voice } from './voice.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const NUMERALS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
/** Regions with an article, by code. */
const WITH_ARTICLE = new Set([
  'AE',
  'BS',
  'CC',
  'CF',
  'CK',
  'DO',
  'FK',
  'FO',
  'GB',
  'GM',
  'IM',
  'KM',
  'KY',
  'MH',
  'MP',
  'MV',
  'NL',
  'PH',
  'SB',
  'TC',
  'US',
  'VG',
  'VI',
  'ARB',
  'CHI',
  'EUU',
]);
/** Aggregates whose name is no proper name. */
const COMMON_NAMES = new Map(Object.entries({ EMU: 'the euro area', WLD: 'the world' }));
/** As a headline shortens them. */
const SHORT_NAMES = new Map(Object.entries({ AE: 'UAE', EUU: 'EU', GB: 'UK', US: 'US' }));

const month = (year: string, number: number): string => `${MONTHS[number - 1] ?? ''} ${year}`;
/** `Unemployment rate` becomes lower case, `GDP` does not. */
const lowered = (name: string): string =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const place = (code: string, name: string): string =>
  COMMON_NAMES.get(code) ?? (WITH_ARTICLE.has(code) ? `the ${name}` : name);

function list(items: readonly string[]): string {
  const before = items.slice(0, -1);
  return before.length === 0 ? (items[0] ?? '') : `${before.join(', ')} and ${items.at(-1) ?? ''}`;
}

export const en: Voice = {
  tag: 'en',
  dates: 'en-GB',
  clock: null,

  space: ' ',
  comma: ', ',
  semicolon: '; ',
  compared: ', and ',
  list,
  moves: list,
  sentences: (clauses) => `${capitalised(clauses.join('; '))}.`,
  bracketed: (text, note) => `${text} (${note})`,
  count: (count) => NUMERALS[count] ?? count.toLocaleString('en'),

  number: {
    scales: [
      [12, ' trillion'],
      [9, ' billion'],
      [6, ' million'],
    ],
    myriads: null,
    compactFrom: 6,
    mostDecimals: Infinity,
    grouped: true,
    minus: '−',
    signFirst: true,
  },
  fullUnit: 'last',
  years: null,
  oneOfCurrency: 'name',
  range: (lower, upper) => `${lower}–${upper}`,
  percentagePoints: (n) => `${n} percentage point${Number(n) === 1 ? '' : 's'}`,
  basisPoints: (_, basis) => `${basis} basis point${basis === '1' ? '' : 's'}`,
  yieldsInBasisPoints: true,
  about: (percent) => `about ${percent}`,

  period: {
    fiscalYear: (year) => `fiscal year ${year}`,
    year: (year) => year,
    half: (year, half) => `the ${half === 1 ? 'first' : 'second'} half of ${year}`,
    quarter: (year, quarter) => `Q${quarter} ${year}`,
    month,
    week: (year, week) => `week ${week} of ${year}`,
    day: (year, number, day) => `${day} ${month(year, number)}`,
    yearIn: (year) => ` ${year}`,
    when: (name, isDay) => `${isDay ? 'on' : 'in'} ${name}`,
    of: (day) => day,
  },

  lowered,
  articled: (name) => `the ${name}`,
  shareOfGdp: (name) => `${name} as a share of GDP`,
  place,
  owner({ code, name, economy, definite }) {
    if (!economy) return `${name}:`;
    if (code === 'WLD') return definite ? 'the global' : 'global';
    const short = SHORT_NAMES.get(code) ?? name;
    if (/^[A-Z]+$/.test(short)) return definite ? `the ${short}` : short;
    const owner = place(code, name);
    return owner.endsWith('s') ? `${owner}’` : `${owner}’s`;
  },
  holder: (currency, region, shared) => (shared ? `${region}: the ${currency}` : `The ${currency}`),
  shrinksBelowZero: false,
  step: (percent, { past }) => `${past} ${percent}`,
  turned: 'past',
  revisedOf: (region, isNamed) => (isNamed ? 'the' : region),
  sidedRevision: false,

  market: {
    euro: 'The euro',
    referenceRate: (_, currency) => `The euro/${currency} reference rate`,
    euroRate: 'The euro’s reference rate',
    named: (name) => (/\b(?:price|yield)\b/.test(name) ? `The ${lowered(name)}` : name),
    against: (size, currency) => `${size} against the ${currency}`,
    unitless: true,
    rateInSummary: false,
    rateInTitle: false,
    inDollars: (n) => `about $${n}`,
  },
};
