import Big from 'big.js';
import { UNITS } from '../../../src/domain/figures/units.js';
import { LOCALES, type Locale } from '../../../src/domain/locale/locale.js';
import en from '../../../src/domain/locale/messages/en/mcp.json' with { type: 'json' };
import ja from '../../../src/domain/locale/messages/ja/mcp.json' with { type: 'json' };
import zh from '../../../src/domain/locale/messages/zh/mcp.json' with { type: 'json' };

// Reads the numbers and dates of a text without the code that writes them.

export const MESSAGES: Readonly<Record<Locale, typeof en>> = { en, zh, ja };

export interface Token {
  readonly kind: 'number' | 'exact' | 'date' | 'time' | 'year';
  readonly at: number;
  readonly end: number;
  readonly text: string;
  /** Of a date: 2026-07-01, 2026-07, 2026-Q3, 2026-H1, 2026-W05, FY2025, 2025; without its year --07-01. */
  readonly period: string;
  /** Of a number, in whole units; of an exact value, as it stands. */
  readonly value: Big;
  /** What the last printed digit counts. */
  readonly step: Big;
}

type Parsed = Partial<Pick<Token, 'period' | 'value' | 'step'>> & Pick<Token, 'kind'>;
type Rule = readonly [pattern: RegExp, parse: (parts: readonly string[]) => Parsed];

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|');
const SCALES: Readonly<Record<string, number>> = {
  million: 6,
  billion: 9,
  trillion: 12,
  万: 4,
  亿: 8,
  万亿: 12,
  億: 8,
  兆: 12,
  京: 16,
};
const padded = (number = ''): string => number.padStart(2, '0');
const monthOf = (name = ''): string => padded(String(MONTHS.indexOf(name) + 1));
const date = (period: string): Parsed => ({ kind: 'date', period });
const powerOf = (exponent: number): Big => new Big(10).pow(exponent);

/** One number with its scale: 1.23 trillion. */
function scaled(sign = '', digits = '', scale = ''): Parsed {
  const plain = digits.replaceAll(',', '');
  const power = SCALES[scale.trim()] ?? 0;
  const decimals = plain.split('.')[1]?.length ?? 0;
  const size = new Big(plain).times(powerOf(power));
  const isNegative = sign === '−' || sign === '-' || sign === 'マイナス';
  return { kind: 'number', value: isNegative ? size.neg() : size, step: powerOf(power - decimals) };
}

/** A Japanese number in parts: 30兆7697億. */
function inParts(sign = '', parts = ''): Parsed {
  const read = [...parts.matchAll(/(\d+(?:\.\d+)?)([万億兆京]?)/g)].map(([, digits, scale]) =>
    scaled('', digits, scale),
  );
  const value = read.reduce((sum, one) => sum.plus(one.value ?? 0), new Big(0));
  // 9兆6970億 has four digits, as 9.697 trillion has.
  const zeros = /(0*)[万億兆京]?$/.exec(parts)?.[1]?.length ?? 0;
  return {
    kind: 'number',
    value: sign === 'マイナス' || sign === '−' || sign === '-' ? value.neg() : value,
    step: (read.at(-1)?.step ?? new Big(1)).times(powerOf(parts.includes('.') ? 0 : zeros)),
  };
}

const MONTH = MONTHS.join('|');
const SHARED: readonly Rule[] = [
  [/\[(-?\d[\d.]*(?:e[+-]?\d+)?)(?: × 10\^-?\d+)?\]/y, ([, value = '0']) => ({ kind: 'exact', value: new Big(value) })],
  [/\d{4}-(?:\d{2}-\d{2}|\d{2}|Q\d|H\d|W\d{2})(?![\d-])/y, ([whole = '']) => date(whole)],
  [/(\d{2}:\d{2})( UTC)?/y, ([, time = '', zone = '']) => ({ kind: 'time', period: `${time}${zone}` })],
];
const ENGLISH: readonly Rule[] = [
  [
    new RegExp(`(\\d{1,2}) (${MONTH}) (\\d{4})`, 'y'),
    ([, day, month, year = '']) => date(`${year}-${monthOf(month)}-${padded(day)}`),
  ],
  [new RegExp(`(\\d{1,2}) (${MONTH})`, 'y'), ([, day, month]) => date(`--${monthOf(month)}-${padded(day)}`)],
  [new RegExp(`(${MONTH}) (\\d{4})`, 'y'), ([, month, year = '']) => date(`${year}-${monthOf(month)}`)],
  [/Q([1-4]) (\d{4})/y, ([, quarter = '', year = '']) => date(`${year}-Q${quarter}`)],
  [/the (first|second) half of (\d{4})/y, ([, half, year = '']) => date(`${year}-H${half === 'first' ? '1' : '2'}`)],
  [/week (\d{1,2}) of (\d{4})/y, ([, week, year = '']) => date(`${year}-W${padded(week)}`)],
  [/fiscal year (\d{4})/y, ([, year = '']) => date(`FY${year}`)],
  [
    /(?:1[5-9]|20|21)\d{2}(?![\d,]*\d|\.\d|%| (?:m|b|tr)illion)/y,
    ([year = '']) => ({ kind: 'year', period: year, value: new Big(year), step: new Big(1) }),
  ],
  [
    /([-−+])?[$€£¥]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)( trillion| billion| million)?/y,
    ([, sign, digits, scale]) => scaled(sign, digits, scale),
  ],
];
const HAN: readonly Rule[] = [
  [/(\d{4})年(\d{1,2})月(\d{1,2})日/y, ([, year = '', month, day]) => date(`${year}-${padded(month)}-${padded(day)}`)],
  [/(\d{4})年(\d{1,2})～(\d{1,2})月期/y, ([, year = '', , last]) => date(`${year}-Q${String(Number(last) / 3)}`)],
  [/(\d{4})年(\d{1,2})月/y, ([, year = '', month]) => date(`${year}-${padded(month)}`)],
  [
    /(\d{4})年第([一二三四])季度/y,
    ([, year = '', quarter = '']) => date(`${year}-Q${String('一二三四'.indexOf(quarter) + 1)}`),
  ],
  [/(\d{4})年(上|下)半[年期]/y, ([, year = '', half]) => date(`${year}-H${half === '上' ? '1' : '2'}`)],
  [/(\d{4})年第(\d{1,2})[周週]/y, ([, year = '', week]) => date(`${year}-W${padded(week)}`)],
  [/(\d{4})(?:财年|年度)/y, ([, year = '']) => date(`FY${year}`)],
  [/(\d{4})年/y, ([, year = '']) => date(year)],
  [/(\d{1,2})月(\d{1,2})日/y, ([, month, day]) => date(`--${padded(month)}-${padded(day)}`)],
  [
    /(マイナス|[-−+])?((?:\d+(?:\.\d+)?[万億兆京])+(?:\d+(?:\.\d+)?)?)(?!亿)/y,
    ([, sign, parts]) => inParts(sign, parts),
  ],
  [
    /(マイナス|[-−+])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(万亿|亿|万)?/y,
    ([, sign, digits, scale]) => scaled(sign, digits, scale),
  ],
];
const RULES: Readonly<Record<Locale, readonly Rule[]>> = {
  en: [...SHARED, ...ENGLISH],
  zh: [...SHARED, ...HAN],
  ja: [...SHARED, ...HAN],
};

/** Replaces each of the texts, the longest first, by marks of the same length. */
export function masked(text: string, hidden: Iterable<string>): string {
  const parts = [...new Set(hidden)].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return parts.reduce((rest, one) => rest.replaceAll(one, '\uE000'.repeat(one.length)), text);
}

/** Numbers that stand in our own words, not in the record: 50 is an ordinary window; per 100万BTU. */
const CONSTANTS: Readonly<Record<Locale, readonly string[]>> = Object.fromEntries(
  LOCALES.map((locale) => {
    const said = textsIn(MESSAGES[locale]).flatMap((text) => text.split(/\{\w+\}/));
    const units = Object.values(UNITS).flatMap(({ display, beside, base, label }) =>
      [display, beside, base, label].flatMap((text) => text?.[locale].split(/\{\w+\}/) ?? []),
    );
    return [locale, [...said, ...units].map((one) => one.trim()).filter((one) => /\d/.test(one))];
  }),
) as Record<Locale, string[]>;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(value as object).flatMap(textsIn);
}

/** The one unit that a rate is of: 1英镑兑, 1ユーロ＝. */
const RATE = /(?<!\d)1[^\d\s\uE000]{1,12}[兑＝]/g;

/** The numbers and dates of a text, in order. */
export function tokensOf(text: string, locale: Locale): Token[] {
  const read = masked(text, CONSTANTS[locale]).replace(RATE, (one) => '\uE000'.repeat(one.length));
  const tokens: Token[] = [];
  let at = 0;
  while (at < read.length) {
    const token = tokenAt(read, at, RULES[locale]);
    if (token !== null) tokens.push(token);
    at = token?.end ?? at + 1;
  }
  return tokens;
}

function tokenAt(text: string, at: number, rules: readonly Rule[]): Token | null {
  const before = text[at - 1] ?? ' ';
  // Inside a name, or digits of a number that began before: G20, chg_1.
  if (/[A-Za-z_\d]/.test(before)) return null;
  for (const [pattern, parse] of rules) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const nothing = { period: '', value: new Big(0), step: new Big(0) };
    return { ...nothing, ...parse(found), at, end: pattern.lastIndex, text: found[0] };
  }
  return null;
}
