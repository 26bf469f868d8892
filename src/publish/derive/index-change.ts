// A monthly index is written in percent, on the year and on the month: index points depend on the base year.
import { percentChange } from '../../domain/figures/decimal.js';
import { percentText } from '../../domain/figures/figure-text.js';
import { yearBeforeOf } from '../../domain/figures/periods.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Fill, TextArgs } from '../../domain/locale/templates.js';

export interface IndexFigures {
  readonly unit: UnitCode | null;
  readonly period: string | null;
  readonly actual: string | null;
  readonly previous: string | null;
  /** Of the same month a year earlier, where it is held. */
  readonly yearBefore: string | null;
}

/** Signed percentages; `year` is null where it cannot be computed. */
export interface IndexChange {
  readonly month: string;
  readonly year: string | null;
}

/** `null` for other figures, and without the month before. */
export function indexChange({ unit, period, actual, previous, yearBefore }: IndexFigures): IndexChange | null {
  if (unit === null || unitNamed(unit).dimension !== 'index' || actual === null || previous === null) return null;
  if (period === null || yearBeforeOf(period) === null) return null;
  const month = percentChange(previous, actual);
  if (month === null) return null;
  return { month, year: yearBefore === null ? null : percentChange(yearBefore, actual) };
}

export type Ways = Readonly<Record<'up' | 'down' | 'same' | 'steady', Fill>>;

/** What one decimal shows as nothing. */
const LEAST_SHOWN = 0.05;

/** The year, which is free of seasons, and the month after it; `alone` is the month where the year is not known. */
export interface IndexTemplates {
  readonly year: Ways;
  /** What the change on the year was a month earlier. */
  readonly after?: Fill;
  readonly month: Ways;
  readonly alone: Ways;
}

/** @param former the change on the year of the month before, in percent */
export function indexText(
  locale: Locale,
  templates: IndexTemplates,
  { month, year }: IndexChange,
  words: TextArgs,
  former: string | null = null,
): string {
  if (year === null) return sayPercent(locale, templates.alone, month, words);
  const after = former === null ? '' : (templates.after?.({ ...words, percent: percentText(locale, former, 1) }) ?? '');
  return sayPercent(locale, templates.year, year, words) + after + sayPercent(locale, templates.month, month, words);
}

/** With one decimal, as statistics offices print it. */
export function sayPercent(locale: Locale, ways: Ways, percent: string, words: TextArgs): string {
  const size = Math.abs(Number(percent));
  const way = size === 0 ? 'same' : size < LEAST_SHOWN ? 'steady' : percent.startsWith('-') ? 'down' : 'up';
  return ways[way]({ ...words, percent: percentText(locale, percent.replace(/^-/, ''), 1) });
}
