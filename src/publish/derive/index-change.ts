// A monthly index is written in percent on the year: its level depends on the base year, and the season moves it from month to month.
import { percentChange } from '../../domain/figures/decimal.js';
import { percentText } from '../../domain/figures/written-number.js';
import { yearBeforeOf } from '../../domain/figures/periods.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Fill, TextArgs } from '../../domain/locale/templates.js';

export interface IndexFigures {
  readonly unit: UnitCode | null;
  readonly period: string | null;
  readonly actual: string | null;
  readonly previous: string | null;
  /** Of the same month a year earlier, where it is stored. */
  readonly yearBefore: string | null;
}

/** The signed percentage on the year; null where it cannot be computed. */
export interface IndexChange {
  readonly year: string | null;
}

/** `null` for other figures, and without the figure of the year before and that of the month before. */
export function indexChange({ unit, period, actual, previous, yearBefore }: IndexFigures): IndexChange | null {
  if (unit === null || unitNamed(unit).dimension !== 'index' || actual === null) return null;
  if (period === null || yearBeforeOf(period) === null) return null;
  const year = yearBefore === null ? null : percentChange(yearBefore, actual);
  return year === null && previous === null ? null : { year };
}

export type Ways = Readonly<Record<'up' | 'down' | 'same' | 'steady', Fill>>;

/** What one decimal shows as nothing. */
const LEAST_SHOWN = 0.05;

/** With one decimal, as statistics offices print it. */
export function sayPercent(locale: Locale, ways: Ways, percent: string, words: TextArgs): string {
  const size = Math.abs(Number(percent));
  const way = size === 0 ? 'same' : size < LEAST_SHOWN ? 'steady' : percent.startsWith('-') ? 'down' : 'up';
  return ways[way]({ ...words, percent: percentText(locale, percent.replace(/^-/, ''), 1) });
}
