// A figure as a person writes it: `text` of the API, and what sentences, briefs and tools print.
import type { Locale } from '../locale/locale.js';
import { currencyAmount } from './currencies.js';
import { BASIS_POINTS, PERCENTAGE_POINTS, UNITS, type UnitCode, type UnitDefinition } from './units.js';
import { inWholeUnits } from './whole-units.js';
import {
  roundedTo,
  styleOf,
  writeDifference,
  writeNumber,
  type NumberStyle,
  type Precision,
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
}

export const figureText = (locale: Locale, measure: FigureUnit, value: string): string =>
  writeFigures(locale, measure, [value]).full[0] ?? '';

/** @param values plain decimal texts as printed, the newest first */
export function writeFigures(locale: Locale, measure: FigureUnit, values: readonly string[]): WrittenFigures {
  const unit: UnitDefinition = UNITS[measure.unit];
  // Running text counts in dollars, not in billions of them.
  const whole = values.map((value) => inWholeUnits(value, unit));
  const precision = precisionFor(unit, whole);
  const style = styleOf(locale, whole, precision);
  const { display, beside = display } = unit;
  const [first, second] = whole;
  return {
    full: whole.map((value) => written(locale, measure, display[locale], value, style)),
    beside: whole.map((value) => written(locale, measure, beside[locale], value, style)),
    difference:
      first === undefined || second === undefined
        ? ''
        : withDifferenceUnit(locale, unit, writeDifference(locale, [first, second], style, precision)),
  };
}

/**
 * Figures of one series, side by side: each at its own scale, and with equal decimals where scales are equal.
 * @param values plain decimal texts as printed
 */
export function writeSeries(locale: Locale, measure: FigureUnit, values: readonly string[]): string[] {
  const unit: UnitDefinition = UNITS[measure.unit];
  const whole = values.map((value) => inWholeUnits(value, unit));
  const precision = precisionFor(unit, whole);
  const styles = whole.map((value) => styleOf(locale, [value], precision));
  const decimals = new Map<number, number>();
  for (const style of styles)
    decimals.set(style.scale, Math.max(decimals.get(style.scale) ?? 0, style.decimals));
  return whole.map((value, at) => {
    const scale = styles[at]?.scale ?? 0;
    const style = { scale, decimals: decimals.get(scale) ?? 0 };
    return written(locale, measure, unit.display[locale], value, style);
  });
}

function written(
  locale: Locale,
  { currency }: FigureUnit,
  display: string,
  value: string,
  style: NumberStyle,
): string {
  const negative = locale === 'en' && roundedTo(value, style).lt(0);
  const number = writeNumber(locale, negative ? value.slice(1) : value, style);
  const amount = currency === null ? '' : currencyAmount(currency)[locale];
  const text = display
    .replace('{n}', number)
    .replace(amount === '' ? / ?\{currency\}/ : '{currency}', amount);
  return negative ? `-${text}` : text;
}

/** From the second figure to the first: English names the unit in full with the last, Chinese and Japanese with the first. */
export function fromTo(
  locale: Locale,
  { full, beside }: WrittenFigures,
): { readonly from: string; readonly to: string } {
  const [said, left] = [full, beside];
  return locale === 'en'
    ? { from: left[1] ?? '', to: said[0] ?? '' }
    : { from: said[1] ?? '', to: left[0] ?? '' };
}

/** The difference of two rates in basis points, from all their digits. */
export function basisPoints(locale: Locale, points: string): string {
  const basis = Math.round(Number(points) * 100);
  return BASIS_POINTS[locale](String(Number(points)), String(basis));
}

/** A share of change: one decimal, two below one percent. */
export function percentText(locale: Locale, percent: string): string {
  const most = Math.abs(Number(percent)) < 0.95 ? 2 : 1;
  const number = writeNumber(locale, percent, { scale: 0, decimals: most });
  return `${number}%`;
}

/** Percentage points for percent, no unit for rates and indices, and no denominator for prices. */
function withDifferenceUnit(locale: Locale, unit: UnitDefinition, n: string): string {
  if (unit.dimension === 'ratio') return PERCENTAGE_POINTS[locale](n);
  if (unit.dimension === 'exchange_rate' || unit.dimension === 'index') return n;
  const priced = unit.dimension === 'money' && unit.per !== null && unit.per !== 'person';
  return (priced ? (unit.beside ?? unit.display) : unit.display)[locale].replace('{n}', n);
}

/** An exchange rate below ten is read to its fourth decimal: 0.9239 euros per dollar. */
function precisionFor({ dimension, precision }: UnitDefinition, values: readonly string[]): Precision {
  const small = dimension === 'exchange_rate' && values.every((value) => Math.abs(Number(value)) < 10);
  return small ? { ...precision, most: Math.max(precision.most, 4) } : precision;
}
