import Big from 'big.js';

import { daysSince, lastDayOf } from '../../../src/domain/figures/periods.js';
import type { Locale } from '../../../src/domain/locale/locale.js';
import { partsOf, type Part } from './parts.js';
import { masked, MESSAGES, tokensOf, type Token } from './reading.js';
import { factsOf, type StructureFacts } from './structure-facts.js';

export interface Said {
  readonly tool: string;
  readonly locale: Locale;
  /** The day of the call, from which ages count. */
  readonly today: string;
  readonly text: string;
  readonly structure: { readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> };
}

/** What the text of a result says and its structure does not, and the reverse; none if they are one record. */
export function differences(said: Said): string[] {
  const parts = partsOf(said);
  if (typeof parts === 'string') return [parts];
  return parts.flatMap((part) =>
    [...unknownIn(part, said), ...unsaidIn(part, said)].map((one) => `${part.name}: ${one}`),
  );
}

/** Numbers and dates of the text without a counterpart in the structure. */
function unknownIn({ text, structures, counts, isRest }: Part, { locale, today, structure: { data } }: Said): string[] {
  const facts = factsOf(...structures);
  // What stands word by word on both sides has the same facts.
  const verbatim = [...facts.prose.map((one) => one.text), ...facts.names];
  const read = masked(
    text.replace(/https?:\/\/\S+/g, (link) => '\uE000'.repeat(link.length)),
    [...verbatim, ...verbatim.map(oneLine)],
  );
  const tokens = tokensOf(read, locale);
  const whole = isRest ? factsOf(structures, data) : facts;
  const ages = whole.dates.map(({ period }) => Math.max(0, daysSince(lastDayOf(dayOf(period)), today)));
  const free = [...counts, ...ages].map((one) => new Big(one));
  const unknown = tokens.filter((token, at) => !isKnown(token, at, { tokens, facts, whole, free, structures, locale }));
  const pairs = pairsIn(read, tokens, locale).filter(
    ({ value, date }) =>
      !facts.pairs.some((one) => one.period === date.period && isValue(value, one.value, facts.scales)),
  );
  return [
    ...unknown.map((token) => `only the text says ${around(text, token)}`),
    ...pairs.map(({ value, date }) => `only the text has ${value.text} for ${date.text}`),
  ];
}

interface Context {
  readonly tokens: readonly Token[];
  readonly facts: StructureFacts;
  /** The same, and for the last lines those of the items, whose newest they name. */
  readonly whole: StructureFacts;
  readonly free: readonly Big[];
  readonly structures: readonly unknown[];
  readonly locale: Locale;
}

function isKnown(token: Token, at: number, { tokens, facts, whole, free, structures, locale }: Context): boolean {
  const { kind, period, value } = token;
  if (kind === 'time') return timesIn(structures, locale).has(period);
  const ofReaders = instantsIn(structures).map((instant) => localDay(instant, READERS[locale]));
  const isDate = [...whole.dates, ...ofReaders.map((day) => ({ period: day }))].some(
    (one) => dayOf(one.period) === period || (period.startsWith('--') && one.period.endsWith(period.slice(1))),
  );
  if (kind === 'date') return isDate;
  if (kind === 'year' && isDate) return true;
  if (free.some((one) => one.eq(value))) return true;
  if (facts.numbers.some((one) => isSaidBy(token, one.value, one.derived, facts.scales))) return true;
  // A rounded number, with its exact value behind it.
  const next = tokens[at + 1];
  return (
    next?.kind === 'exact' &&
    next.at === token.end + unitsBetween(token, next) &&
    isRounded(token, next.value, facts.scales)
  );
}

/** Between a number and its exact value stands its unit alone. */
const unitsBetween = (token: Token, next: Token): number => next.at - token.end;

/** Facts of the structure that the text does not have. */
function unsaidIn({ structures, ...part }: Part, { locale, text: all }: Said): string[] {
  const facts = factsOf(...structures);
  // What stands once for all items may be said with them.
  const text = part.isRest ? all : part.text;
  const tokens = tokensOf(text, locale);
  const isEmpty = text.includes(MESSAGES[locale].empty);
  const numbers = facts.numbers.filter(
    ({ path, value, derived }) =>
      // The words for none.
      !(isEmpty && value.eq(0) && path.endsWith('.total.count')) &&
      !tokens.some((token) => isSaidBy(token, value, derived, facts.scales)),
  );
  const dates = facts.dates.filter(({ period }) => !tokens.some((token) => token.period === dayOf(period)));
  const instants = facts.dates.filter(
    ({ period }) =>
      period.length > 10 &&
      !tokens.some(({ kind, period: time }) => kind === 'time' && time === `${period.slice(11, 16)} UTC`),
  );
  const said = pairsIn(text, tokens, locale);
  const pairs = facts.pairs.filter(
    (one) => !said.some(({ value, date }) => date.period === one.period && isValue(value, one.value, facts.scales)),
  );
  const prose = facts.prose.filter((one) => !isProseSaid(one.text, text, tokens, locale));
  const renderings = facts.renderings.filter(({ text: written, value }) => {
    return !tokensOf(written, locale).some((token) => isRounded(token, value, facts.scales));
  });
  const only = (path: string, what: string) => `only the structure has ${path} ${what}`;
  return [
    ...numbers.map(({ path, value }) => only(path, value.toFixed())),
    ...[...dates, ...instants].map(({ path, period }) => only(path, period)),
    ...pairs.map(({ path, value, period }) => only(path, `${value.toFixed()} for ${period}`)),
    ...prose.map(({ path, text: own }) => only(path, own)),
    ...renderings.map(({ path, text: own, value }) => `${path} writes ${value.toFixed()} as ${own}`),
  ];
}

/** Word by word, or with all its numbers: Index (1982–84 = 100) in the name of its series. */
function isProseSaid(prose: string, text: string, tokens: readonly Token[], locale: Locale): boolean {
  if (text.includes(prose) || text.includes(oneLine(prose))) return true;
  return tokensOf(prose, locale).every((one) =>
    tokens.some(({ period, value }) => (one.period === '' ? value.eq(one.value) : period === one.period)),
  );
}

/** Numbers beside their periods, as figures are written: {amount} for {when}, {when}为{amount}, {when}：{amount}. */
function pairsIn(text: string, tokens: readonly Token[], locale: Locale): { value: Token; date: Token }[] {
  return tokens.flatMap((date, at) => {
    if (date.kind !== 'date' && date.kind !== 'year') return [];
    if (locale === 'en') {
      const value = tokens[at - 1];
      const isFigure = text.slice(0, date.at).endsWith(' for ') && value !== undefined;
      return isFigure && /^[^;,.\n]*$/.test(text.slice(value.end, date.at)) && isNumber(value) ? [{ value, date }] : [];
    }
    const mark = locale === 'zh' ? '为' : '：';
    if (!text.startsWith(mark, date.end)) return [];
    const [number, exact] = [tokens[at + 1], tokens[at + 2]];
    if (number === undefined || !isNumber(number)) return [];
    const between = text.slice(date.end, number.at);
    if (/[；、;\n]/.test(between)) return [];
    const isBehind = exact?.kind === 'exact' && !/[；、;\n（(]/.test(text.slice(number.end, exact.at));
    return [{ value: isBehind ? exact : number, date }];
  });
}

const isNumber = ({ kind }: Token): boolean => kind === 'number' || kind === 'exact' || kind === 'year';

function isSaidBy(token: Token, value: Big, derived: boolean, scales: ReadonlySet<number>): boolean {
  if (!isNumber(token)) return false;
  return isValue(token, value, scales) || (derived && isRounded(token, value, scales));
}

/** Whether the number is the value, all its digits; an exact one as it stands, another in whole units. */
function isValue(token: Token, value: Big, scales: ReadonlySet<number>): boolean {
  if (token.kind === 'exact') return token.value.eq(value);
  return [...scales].some((scale) => token.value.eq(value.times(new Big(10).pow(scale))));
}

/** Whether the number is the value, rounded to the digits that it has. */
function isRounded(token: Token, value: Big, scales: ReadonlySet<number>): boolean {
  return [...scales].some((scale) => {
    const whole = value.times(new Big(10).pow(scale));
    return token.value.minus(whole).abs().times(2).lte(token.step);
  });
}

/** Where the readers of a language live. */
const READERS: Readonly<Record<Locale, string>> = { en: 'UTC', zh: 'Asia/Shanghai', ja: 'Asia/Tokyo' };

const instantsIn = (structures: readonly unknown[]): string[] =>
  [...JSON.stringify(structures).matchAll(/"(\d{4}-\d{2}-\d{2}T[\d:.]+Z)"/g)].map(([, instant = '']) => instant);

const localDay = (instant: string, timeZone: string): string =>
  new Date(instant).toLocaleDateString('en-CA', { timeZone });

/** Times of the instants: in UTC, where the event takes place, and where the readers live. */
function timesIn(structures: readonly unknown[], locale: Locale): Set<string> {
  const all = JSON.stringify(structures);
  const instants = instantsIn(structures);
  const zones = [...all.matchAll(/"timeZone":"([^"]+)"/g)].map(([, zone = '']) => zone);
  const local = (instant: string, timeZone: string): string =>
    new Date(instant).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return new Set(
    instants.flatMap((instant) => [
      `${instant.slice(11, 16)} UTC`,
      ...[...zones, READERS[locale]].map((zone) => local(instant, zone)),
    ]),
  );
}

const dayOf = (period: string): string => (period.length > 10 ? period.slice(0, 10) : period);
const oneLine = (text: string): string => text.replaceAll('`', "'");
const around = (text: string, { at, end }: Token): string =>
  JSON.stringify(text.slice(Math.max(0, at - 40), end + 25).replaceAll('\n', ' ')).replace(
    text.slice(at, end),
    `»${text.slice(at, end)}«`,
  );
