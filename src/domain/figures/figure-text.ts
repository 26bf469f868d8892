// A figure as a person writes it: `text` of the API, and what sentences, briefs and tools print.
import type { Locale } from '../locale/locale.js';
import { currencyAmount, decimalsPerEuro } from './currencies.js';
import { decimalsOf, difference, isAbove, percentChange, unsigned } from './decimal.js';
import { pluralForm } from '../locale/templates.js';
import { VOICES } from '../locale/voice/voices.js';
import { inWholeUnits, unitNamed, type UnitCode, type UnitDefinition } from './units.js';
import {
  decimalsApart,
  styleOf,
  writeDifference,
  writeSigned,
  type NumberStyle,
  type Precision,
  type WrittenNumber,
} from './written-number.js';

/** What a figure is counted in. */
export interface FigureUnit {
  readonly unit: UnitCode;
  /** Of an exchange rate: the currency whose amount it states, by ISO 4217, where known. */
  readonly currency: string | null;
}

/** Figures of one sentence: their numbers have equal decimals and one scale. */
export interface WrittenFigures {
  /** With the unit in full: $98.63 a barrel, 每桶98.63美元, 1バレル98.63ドル. */
  readonly full: readonly string[];
  /** Beside one in full: $98.63, 98.63美元, 98.63ドル. */
  readonly beside: readonly string[];
  /** Between the first two as they are written, with its unit. */
  readonly difference: string;
  /** The numbers that a reader sees, as plain decimal texts. */
  readonly shown: readonly string[];
}

/** A figure in running text; a rate that its publisher computes to many decimals has one. */
export const figureText = (locale: Locale, { unit, currency }: FigureUnit, value: string): string =>
  textInUnit(locale, unitNamed(unit), currency, value, inProse);

/** A figure on its own, as in a table, also in a unit that the catalogue need not have. */
export function textInUnit(
  locale: Locale,
  unit: UnitDefinition,
  currency: string | null,
  value: string,
  rounded = (precision: Precision, _: readonly string[]): Precision => precision,
): string {
  const whole = inWholeUnits(value, unit);
  const style = styleOf(locale, [whole], rounded(precisionFor(unit, [whole], currency), [whole]));
  return withUnit(locale, { currency }, unit, writeSigned(locale, whole, style));
}

/** The level of an index with the period that is 100; other figures as they are. */
export function withBase(locale: Locale, unit: UnitCode, text: string): string {
  const { base } = unitNamed(unit);
  if (base === undefined) return text;
  return VOICES[locale].bracketed(text, base[locale]);
}

/**
 * @param values plain decimal texts as printed, the newest first
 * @param like figures beside them, with whose decimals they are written unless different ones would look alike
 */
export function writeFigures(
  locale: Locale,
  measure: FigureUnit,
  values: readonly string[],
  like: readonly string[] = [],
): WrittenFigures {
  const unit: UnitDefinition = unitNamed(measure.unit);
  // Running text counts in dollars, not in billions of them.
  const whole = values.map((value) => inWholeUnits(value, unit));
  const precision = inProse(precisionFor(unit, whole, measure.currency), whole);
  const style = styleBeside(
    locale,
    whole,
    precision,
    like.map((value) => inWholeUnits(value, unit)),
  );
  const numbers = whole.map((value) => writeSigned(locale, value, style));
  const [first, second] = numbers;
  return {
    full: numbers.map((number) => withUnit(locale, measure, unit, number)),
    beside: numbers.map((number) => withUnit(locale, measure, unit, number, unit.beside?.[locale])),
    difference:
      first === undefined || second === undefined
        ? ''
        : withDifferenceUnit(locale, unit, writeDifference(locale, [first, second], style, precision)),
    shown: numbers.map(({ shown }) => shown.toText()),
  };
}

function styleBeside(
  locale: Locale,
  values: readonly string[],
  precision: Precision,
  like: readonly string[],
): NumberStyle {
  const own = styleOf(locale, values, precision);
  if (like.length === 0) return own;
  const shared = styleOf(locale, like, precision);
  const [one = '0', other = one] = values;
  const looksDifferent = decimalsApart([one, other], shared) === shared.decimals;
  return shared.scale === own.scale && looksDifferent ? shared : own;
}

/** Figures side by side: equal decimals at equal scales; of a series enough that neighbours which differ look different. */
export function writeSeries(locale: Locale, measure: FigureUnit, values: readonly string[], ofSeries = true): string[] {
  const unit: UnitDefinition = unitNamed(measure.unit);
  const whole = values.map((value) => inWholeUnits(value, unit));
  const precision = precisionFor(unit, whole, measure.currency);
  const styles = whole.map((value) => styleOf(locale, [value], precision));
  const decimals = new Map<number, number>();
  for (const style of styles) decimals.set(style.scale, Math.max(decimals.get(style.scale) ?? 0, style.decimals));
  for (const [at, value] of ofSeries ? whole.slice(1).entries() : []) {
    const [before = value, scale] = [whole[at], styles[at]?.scale ?? 0];
    if (styles[at + 1]?.scale === scale)
      decimals.set(scale, decimalsApart([before, value], { scale, decimals: decimals.get(scale) ?? 0 }));
  }
  return whole.map((value, at) => {
    const scale = styles[at]?.scale ?? 0;
    const style = { scale, decimals: decimals.get(scale) ?? 0 };
    return withUnit(locale, measure, unit, writeSigned(locale, value, style));
  });
}

function withUnit(
  locale: Locale,
  { currency }: Pick<FigureUnit, 'currency'>,
  unit: UnitDefinition,
  { sign, size }: WrittenNumber,
  beside?: string,
): string {
  const [before, number] = VOICES[locale].number.signFirst ? [sign, size] : ['', sign + size];
  const amount = currency === null ? '' : currencyAmount(currency)[locale];
  const text = (beside ?? displayOf(locale, unit, number))
    .replace('{n}', number)
    .replace(amount === '' ? / ?\{currency\}/ : '{currency}', amount);
  return before + text;
}

/** English has a form for one. */
const displayOf = (locale: Locale, { display, one }: UnitDefinition, number: string): string =>
  number === '1' && one !== undefined && pluralForm(locale, 1) === 'one' ? one : display[locale];

/** A ratio to GDP says so in its Chinese and Japanese name; English adds it, because exports and their ratio differ. */
export const measuredName = (locale: Locale, unit: UnitCode, name: string): string =>
  unit === 'percent_of_gdp' ? VOICES[locale].shareOfGdp(name) : name;

/** The unit beside a name that states what the ratio is to. */
export const plainUnit = (unit: UnitCode): UnitCode => (unit === 'percent_of_gdp' ? 'percent' : unit);

const FINE: ReadonlySet<string> = new Set(['ratio', 'index', 'exchange_rate', 'time']);

/** A rate or an index that moved by less than its usual decimals show has hardly moved; more decimals would make it news. */
export function readsAlike(locale: Locale, measure: FigureUnit, actual: string, previous: string): boolean {
  const { dimension } = unitNamed(measure.unit);
  if (!FINE.has(dimension)) return false;
  const coarse = dimension === 'ratio' || dimension === 'time';
  if (coarse && isAbove('0.005', unsigned(difference(actual, previous)))) return true;
  return looksAlike(locale, measure, actual, previous);
}

/** Whether two figures look alike in a table. */
export function looksAlike(locale: Locale, { unit, currency }: FigureUnit, one: string, other: string): boolean {
  const [text, same] = [one, other].map((value) => textInUnit(locale, unitNamed(unit), currency, value));
  return text === same;
}

/** A rate that moved by less than a twentieth of a point, and by less than a hundredth of itself, is little changed. */
export function isSlight({ unit }: Pick<FigureUnit, 'unit'>, actual: string, previous: string): boolean {
  if (unitNamed(unit).dimension !== 'ratio') return false;
  const share = percentChange(unsigned(previous), unsigned(actual));
  const points = unsigned(difference(actual, previous));
  return isAbove('0.05', points) && share !== null && isAbove('1', unsigned(share));
}

/** From the second figure to the first: English names the unit in full with the last, Chinese and Japanese with the first. */
export function fromTo(
  locale: Locale,
  { full, beside }: WrittenFigures,
): { readonly from: string; readonly to: string } {
  return VOICES[locale].fullUnit === 'last'
    ? { from: beside[1] ?? '', to: full[0] ?? '' }
    : { from: full[1] ?? '', to: beside[0] ?? '' };
}

/** The difference of two rates in basis points, from all their digits. */
export function basisPoints(locale: Locale, points: string): string {
  const basis = Math.round(Number(points) * 100);
  return VOICES[locale].basisPoints(String(Number(points)), String(basis));
}

/** Percentage points for percent, no unit for rates and indices, and no denominator for prices. */
function withDifferenceUnit(locale: Locale, unit: UnitDefinition, n: string): string {
  const { percentagePoints, years } = VOICES[locale];
  if (unit.dimension === 'ratio') return percentagePoints(n);
  if (unit.dimension === 'time' && years !== null) return years(n);
  if (unit.dimension === 'exchange_rate' || unit.dimension === 'index') return n;
  // The figure beside it has named the unit: rose by 3.9 million to 255.2 million people.
  const counted = unit.dimension === 'count';
  const priced = unit.dimension === 'money' && unit.per !== null && unit.per !== 'person';
  const beside = priced || counted ? unit.beside?.[locale] : undefined;
  return (beside ?? displayOf(locale, unit, n)).replace('{n}', n);
}

/** A publisher that writes more decimals than two has computed the rate: running text has one, tables have two. */
const inProse = (precision: Precision, values: readonly string[]): Precision =>
  precision.coarse === true && values.some((value) => decimalsOf(value) > precision.most)
    ? { ...precision, most: 1 }
    : precision;

/** A reference rate of the euro has the decimals that its publisher prints. Another exchange rate below ten is read to its fourth decimal: 0.9239 euros per dollar. */
function precisionFor(
  { dimension, precision, per }: UnitDefinition,
  values: readonly string[],
  currency: string | null,
): Precision {
  const printed = per === 'EUR' && currency !== null ? decimalsPerEuro(currency) : undefined;
  if (printed !== undefined) return { ...precision, least: printed, most: printed };
  const small = dimension === 'exchange_rate' && values.every((value) => Math.abs(Number(value)) < 10);
  return small ? { ...precision, most: Math.max(precision.most, 4) } : precision;
}
