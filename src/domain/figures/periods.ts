// Reference periods as text: `2025`, `FY2025`, `2025-H1`, `2025-Q3`, `2025-10`, `2026-W33`, `2026-08-14`. Within one
// form, text order is time order, so databases and code may compare the texts.

/** Annual (calendar or fiscal year), half-year, quarter, month, ISO week, day. */
export type Frequency = 'A' | 'H' | 'Q' | 'M' | 'W' | 'D';

interface Form {
  readonly pattern: RegExp;
  readonly frequency: Frequency;
  /** Consecutive periods have consecutive ordinals; a number out of range rolls over. */
  readonly ordinalOf: (year: number, number: number, day: number) => number;
  readonly textOf: (ordinal: number) => string;
  readonly lastDayOf: (ordinal: number) => string;
}

export interface ParsedPeriod {
  readonly form: Form;
  readonly frequency: Frequency;
  readonly ordinal: number;
}

/** Over a century of days; a longer gap is an error in the data. */
const MOST_PERIODS = 40_000;
const MILLISECONDS_A_DAY = 86_400_000;
/** Ordinal of the first Monday of 1970, the origin of week ordinals. */
const FIRST_MONDAY = 4;

const dayOrdinal = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / MILLISECONDS_A_DAY;

const dayText = (ordinal: number): string => dayOf(new Date(ordinal * MILLISECONDS_A_DAY));

/** The UTC day of an instant. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

const FIRST_DAY = Date.parse('0001-01-01');
const LAST_DAY = Date.parse('9999-12-31');

/** The day `days` after `day`, or before it if negative; clamped to years of four digits. */
export function shiftedDay(day: string, days: number): string {
  const shifted = Date.parse(day) + days * MILLISECONDS_A_DAY;
  return dayOf(new Date(Math.min(Math.max(shifted, FIRST_DAY), LAST_DAY)));
}

/** `2025-10` becomes `2024-10`; `null` for other frequencies. */
export const yearBeforeOf = (period: string): string | null =>
  /^\d{4}-\d{2}$/.test(period) ? `${Number(period.slice(0, 4)) - 1}${period.slice(4)}` : null;

/** Monday is 1, Sunday 7. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

/** The number of days from a day to another one; negative if it is earlier. */
export const daysSince = (day: string, until: string): number =>
  (Date.parse(until) - Date.parse(day)) / MILLISECONDS_A_DAY;

/** The last day of a month; month 13 is January of the next year. */
const endOfMonth = (year: number, month: number): string => dayText(dayOrdinal(year, month + 1, 1) - 1);

function partOfYear(frequency: Frequency, pattern: RegExp, parts: number, prefix: string, width: number): Form {
  const split = (ordinal: number): readonly [year: number, number: number] => {
    const year = Math.floor(ordinal / parts);
    return [year, ordinal - year * parts + 1];
  };
  return {
    frequency,
    pattern,
    ordinalOf: (year, number) => year * parts + number - 1,
    textOf: (ordinal) => {
      const [year, number] = split(ordinal);
      return `${year}-${prefix}${String(number).padStart(width, '0')}`;
    },
    lastDayOf: (ordinal) => {
      const [year, number] = split(ordinal);
      return endOfMonth(year, (12 / parts) * number);
    },
  };
}

/** An ISO week belongs to the year of its Thursday. */
function weekText(ordinal: number): string {
  const thursday = ordinal * 7 + FIRST_MONDAY + 3;
  const year = Number(dayText(thursday).slice(0, 4));
  const week = Math.floor((thursday - dayOrdinal(year, 1, 1)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** 4 January always lies in week 1. */
const weekOrdinal = (year: number, week: number): number =>
  Math.floor((dayOrdinal(year, 1, 4) - FIRST_MONDAY) / 7) + week - 1;

const FORMS: readonly Form[] = [
  {
    frequency: 'A',
    pattern: /^([12]\d{3})$/,
    ordinalOf: (year) => year,
    textOf: (ordinal) => String(ordinal),
    lastDayOf: (ordinal) => `${ordinal}-12-31`,
  },
  {
    frequency: 'A',
    pattern: /^FY([12]\d{3})$/,
    ordinalOf: (year) => year,
    textOf: (ordinal) => `FY${ordinal}`,
    lastDayOf: (ordinal) => endOfMonth(ordinal + 1, 3),
  },
  partOfYear('H', /^([12]\d{3})-H([12])$/, 2, 'H', 1),
  partOfYear('Q', /^([12]\d{3})-Q([1-4])$/, 4, 'Q', 1),
  partOfYear('M', /^([12]\d{3})-(\d{2})$/, 12, '', 2),
  {
    frequency: 'W',
    pattern: /^([12]\d{3})-W(\d{2})$/,
    ordinalOf: weekOrdinal,
    textOf: weekText,
    lastDayOf: (ordinal) => dayText(ordinal * 7 + FIRST_MONDAY + 6),
  },
  {
    frequency: 'D',
    pattern: /^([12]\d{3})-(\d{2})-(\d{2})$/,
    ordinalOf: dayOrdinal,
    textOf: dayText,
    lastDayOf: dayText,
  },
];

/** `null` when the text is no period: `2025-13`, `2025-W53`, `2025-02-29` and the like. */
export function parsePeriod(text: string): ParsedPeriod | null {
  for (const form of FORMS) {
    const match = form.pattern.exec(text);
    if (match === null) continue;
    const ordinal = form.ordinalOf(Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1));
    // A number out of range has rolled over into another period, so it prints differently.
    return form.textOf(ordinal) === text ? { form, frequency: form.frequency, ordinal } : null;
  }
  return null;
}

export const isPeriod = (text: string): boolean => parsePeriod(text) !== null;

export const isDay = (text: string): boolean => parsePeriod(text)?.frequency === 'D';

/** The Gregorian calendar repeats after this many years, weekdays included. */
const CYCLE = 400;

/** Moves a period of any year from 0001 to 9999 to a year that `parsePeriod` accepts. Other texts stay invalid. */
export function inNearYear(text: string): string {
  return text.replace(/^(FY)?(?!0000)(\d{4})/, (_, fiscal: string | undefined, year: string) => {
    return `${fiscal ?? ''}${String(4 * CYCLE + (Number(year) % CYCLE))}`;
  });
}

/** A calendar day of any year from 0001 to 9999: valid as a parameter, even if no figure can have it. */
export const isCalendarDay = (text: string): boolean => isDay(inNearYear(text));

/** @throws RangeError if the text is no period, as do all functions below */
export const frequencyOf = (period: string): Frequency => parsed(period).frequency;

export const previousPeriod = (period: string): string => shifted(period, -1);

export const nextPeriod = (period: string): string => shifted(period, 1);

/** The last day of the period. Fiscal years are Japanese: they end in March of the next year. */
export function lastDayOf(period: string): string {
  const { form, ordinal } = parsed(period);
  return form.lastDayOf(ordinal);
}

/**
 * Every period from `first` to `last`, both included; empty if `last` is before `first`.
 * @throws RangeError if the two have different forms or lie more than `most` periods apart
 */
export function periodsBetween(first: string, last: string, most = MOST_PERIODS): string[] {
  const from = parsed(first);
  const count = distance(first, last) + 1;
  if (count > most) throw new RangeError(`More than ${most} periods lie between ${first} and ${last}`);
  return Array.from({ length: Math.max(count, 0) }, (_, step) => from.form.textOf(from.ordinal + step));
}

/** Number of steps from `first` to `last`. */
function distance(first: string, last: string): number {
  const from = parsed(first);
  const to = parsed(last);
  if (from.form !== to.form) throw new RangeError(`${first} and ${last} are not periods of one form`);
  return to.ordinal - from.ordinal;
}

function shifted(period: string, steps: number): string {
  const { form, ordinal } = parsed(period);
  const text = form.textOf(ordinal + steps);
  if (!form.pattern.test(text)) throw new RangeError(`No period that can be written lies beyond ${period}`);
  return text;
}

function parsed(text: string): ParsedPeriod {
  const period = parsePeriod(text);
  if (period === null) throw new RangeError(`"${text}" is not a period`);
  return period;
}

/** The first day of the period: the day after the end of the previous one. */
export function firstDayOf(period: string): string {
  const { form, ordinal } = parsed(period);
  const [year = 0, month = 0, day = 0] = form
    .lastDayOf(ordinal - 1)
    .split('-')
    .map(Number);
  return dayText(dayOrdinal(year, month, day) + 1);
}

/** The period of a frequency that contains a day; years are calendar years. */
export function periodOn(day: string, frequency: Frequency): string {
  const year = day.slice(0, 4);
  const month = Number(day.slice(5, 7));
  switch (frequency) {
    case 'A':
      return year;
    case 'H':
      return `${year}-H${Math.ceil(month / 6)}`;
    case 'Q':
      return `${year}-Q${Math.ceil(month / 3)}`;
    case 'M':
      return day.slice(0, 7);
    case 'W':
      return weekText(Math.floor((parsed(day).ordinal - FIRST_MONDAY) / 7));
    case 'D':
      return day;
  }
}

/**
 * The periods of a frequency that end within a range given in periods of any frequency, as an inclusive pair: 2015 to
 * 2025-Q2 becomes 2015 to 2024 for years. If the first lies after the last, there are none.
 */
export function periodsWithin(from: string, to: string, frequency: Frequency): [first: string, last: string] {
  const firstDay = firstDayOf(from);
  const lastDay = lastDayOf(to);
  const ending = periodOn(lastDay, frequency);
  return [periodOn(firstDay, frequency), lastDayOf(ending) > lastDay ? previousPeriod(ending) : ending];
}

const YEARS_OF_NEWS = 3;

/** Whether a period ended so long before the day that readers take its figure for an error, unless a text states that none is newer. */
export const isOldNews = (period: string, day: string): boolean =>
  Number(day.slice(0, 4)) - Number(period.replace('FY', '').slice(0, 4)) > YEARS_OF_NEWS;
