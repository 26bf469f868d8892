// The days of a year on which a publisher is closed: data/catalogue/holidays.json, and the operator's own.
import { z } from 'zod';
import { readEntries } from '../catalogue/catalogue-files.js';
import { keyText } from '../catalogue/texts.schema.js';
import { isDay, lastDayOf, shiftedDay, weekdayOf } from './periods.js';

/** The first year with this holiday; without it, every year has it. */
const since = z.int().min(1583).default(1583);

/** A day of every year: no 29 February. */
const date = z.string().refine((text) => isDay(`2001-${text}`), 'is no MM-DD of every year');

const holiday = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('date'), date, since }),
  /** Days from Easter Sunday; Good Friday is −2. */
  z.strictObject({ on: z.literal('easter'), shift: z.int().min(-60).max(60), since }),
  /** The third Monday of a month, or its last one (−1); Monday is 1. */
  z.strictObject({
    on: z.literal('weekday'),
    month: z.int().min(1).max(12),
    weekday: z.int().min(1).max(7),
    number: z.union([z.int().min(1).max(4), z.literal(-1)]),
    since,
  }),
]);
type Holiday = z.output<typeof holiday>;

export const holidaysEntry = z.strictObject({
  id: keyText,
  /** Whether the Monday after a holiday on a Sunday is one too. */
  mondayForSunday: z.boolean().default(false),
  days: z.array(holiday).min(1).max(60),
});

const CALENDARS = new Map(readEntries('holidays', holidaysEntry).entries.map(({ key, value }) => [key, value]));
const years = new Map<string, ReadonlySet<string>>();

/** Whether a day, `YYYY-MM-DD`, is a holiday of a calendar; of an unknown calendar or of none, no day is. */
export const isHoliday = (calendar: string | null | undefined, day: string): boolean =>
  calendar != null && holidaysOf(calendar, Number(day.slice(0, 4))).has(day);

/** No daily price of the catalogue is older. */
const FIRST_YEAR = 1950;

/** The holidays of each calendar up to the end of a year, `YYYY-MM-DD`. */
export function holidaysUntil(lastYear: number): Readonly<Record<string, readonly string[]>> {
  const all = Array.from({ length: Math.max(0, lastYear - FIRST_YEAR + 1) }, (_, index) => FIRST_YEAR + index);
  return Object.fromEntries([...CALENDARS.keys()].map((id) => [id, all.flatMap((year) => [...holidaysOf(id, year)])]));
}

/** The holidays of a year. */
function holidaysOf(calendar: string, year: number): ReadonlySet<string> {
  const key = `${calendar} ${year}`;
  const known = years.get(key);
  if (known !== undefined) return known;
  const { days = [], mondayForSunday = false } = CALENDARS.get(calendar) ?? {};
  const found = new Set(
    days
      .filter((one) => one.since <= year)
      .map((one) => dayIn(year, one))
      .map((day) => (mondayForSunday && weekdayOf(day) === 7 ? shiftedDay(day, 1) : day)),
  );
  years.set(key, found);
  return found;
}

function dayIn(year: number, one: Holiday): string {
  if (one.on === 'date') return `${year}-${one.date}`;
  if (one.on === 'easter') return shiftedDay(easterSunday(year), one.shift);
  const month = `${year}-${String(one.month).padStart(2, '0')}`;
  if (one.number > 0) return onWeekday(`${month}-01`, one.weekday, 7 * (one.number - 1));
  return onWeekday(shiftedDay(lastDayOf(month), -6), one.weekday);
}

/** The weekday on a day or after it, and so many days later. */
const onWeekday = (day: string, weekday: number, later = 0): string =>
  shiftedDay(day, ((weekday - weekdayOf(day) + 7) % 7) + later);

/** The Gregorian computus, after Meeus, Astronomical Algorithms, chapter 8. */
function easterSunday(year: number): string {
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const golden = year % 19;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late;
  return shiftedDay(`${year}-03-22`, days);
}
