// When a publisher releases the figures of a series, and so from when a newer figure than ours is overdue.
import { LRUCache } from 'lru-cache';
import { isHoliday } from './holidays.js';
import { instantOf } from './local-time.js';
import { dayOf, frequencyOf, lastDayOf, nextPeriod, shiftedDay, weekdayOf } from './periods.js';

/** The days of releases. A day beyond the end of a month is its last day; Monday is weekday 1. */
export type ReleaseDays =
  | { readonly on: 'day' }
  | { readonly on: 'working-day' }
  | { readonly on: 'weekday'; readonly weekday: number }
  | { readonly on: 'month-day'; readonly months: readonly number[]; readonly day: number };

/** The usual releases of a publisher. */
export interface Timetable {
  /** IANA name: days and time are local. */
  readonly timeZone: string;
  /** `HH:MM` */
  readonly time: string;
  readonly releases: ReleaseDays;
  /** The calendar of days that are no working days; without one all from Monday to Friday are. */
  readonly holidays?: string | undefined;
  /** The fewest days between the end of a period and the release that contains its figure. */
  readonly delayDays: number;
  /** How many days after a missed release a figure is overdue. */
  readonly graceDays: number;
}

/** Whether a newer figure is overdue, and when it is expected. */
export interface Age {
  readonly stale: boolean;
  /** RFC 3339 in UTC; null if no newer figure will come. */
  readonly expectedBy: string | null;
}

/** Many series share a release, and the rules of a time zone are slow to evaluate. */
const instants = new LRUCache<string, string>({ max: 1_000 });

/** The age of what has no series, or whose series has ended. */
export const AGELESS: Age = { stale: false, expectedBy: null };

/** A publisher that has skipped five years of releases has ended the series: nobody waits for its next figure. */
const YEARS_UNTIL_ENDED = 5;

/** The first release on a local day or later, RFC 3339 in UTC. */
export function nextRelease(timetable: Timetable, day: string): string {
  const { time, timeZone } = timetable;
  const on = releaseDay(timetable, day);
  const key = `${on} ${time} ${timeZone}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const instant = instantOf(on, time, timeZone);
  if (instant === null) throw new RangeError(`The clock of ${timeZone} skips ${time} on ${on}`);
  instants.set(key, instant);
  return instant;
}

/** The first release after an instant, RFC 3339 in UTC. */
export function releaseAfter(timetable: Timetable, instant: Date): string {
  // The local day differs from the UTC day by one at most.
  let day = shiftedDay(dayOf(instant), -1);
  for (;;) {
    const release = nextRelease(timetable, day);
    if (Date.parse(release) > instant.getTime()) return release;
    day = shiftedDay(day, 1);
  }
}

/** When the figure of the period after `newest` is expected. */
export const expectedAfter = (timetable: Timetable, newest: string): string =>
  nextRelease(timetable, shiftedDay(lastDayOf(followingPeriod(timetable, newest)), timetable.delayDays));

/**
 * The age of a series on a UTC day.
 * @param newest the newest period with a value; null without any
 * @param next the decision that is known to follow it: none was due before
 */
export function ageOf(timetable: Timetable, newest: string | null, today: string, next?: string): Age {
  if (newest === null) return AGELESS;
  if (next !== undefined) return { stale: today > next, expectedBy: nextRelease(timetable, next) };
  const expectedBy = expectedAfter(timetable, newest);
  if (Number(today.slice(0, 4)) - Number(expectedBy.slice(0, 4)) > YEARS_UNTIL_ENDED) return AGELESS;
  return { stale: today > shiftedDay(expectedBy.slice(0, 10), timetable.graceDays), expectedBy };
}

/** The next period that can have a figure: daily figures have none at weekends and on holidays. */
function followingPeriod(timetable: Timetable, period: string): string {
  const next = nextPeriod(period);
  return frequencyOf(next) === 'D' ? workingDay(timetable, next) : next;
}

function releaseDay(timetable: Timetable, day: string): string {
  const { releases } = timetable;
  switch (releases.on) {
    case 'day':
      return day;
    case 'working-day':
      return workingDay(timetable, day);
    case 'weekday':
      return shiftedDay(day, (releases.weekday - weekdayOf(day) + 7) % 7);
    case 'month-day':
      return monthDay(releases.months, releases.day, day);
  }
}

/** The first day, from this one on, that is no holiday from Monday to Friday. */
function workingDay({ holidays }: Pick<Timetable, 'holidays'>, day: string): string {
  if (weekdayOf(day) < 6 && !isHoliday(holidays, day)) return day;
  return workingDay({ holidays }, shiftedDay(day, 1));
}

function monthDay(months: readonly number[], dayOfMonth: number, day: string): string {
  for (let month = day.slice(0, 7); ; month = nextPeriod(month)) {
    const last = lastDayOf(month);
    const wanted = `${month}-${String(dayOfMonth).padStart(2, '0')}`;
    const on = wanted < last ? wanted : last;
    if (on >= day && months.includes(Number(month.slice(5)))) return on;
  }
}

/** The newest figure of all that a publisher releases together. */
export interface NewestFigure {
  readonly publisher: string;
  readonly timetable: Timetable;
  readonly newest: string;
}

/** The release with the next figure of a publisher. */
export interface ExpectedRelease {
  readonly publisher: string;
  readonly expectedAt: Date;
  /** The end of the timetable's grace. */
  readonly overdueAt: Date;
}

const MILLISECONDS_A_DAY = 86_400_000;

/** For each publisher the earliest release that contains a figure which is not stored. */
export function expectedReleases(figures: readonly NewestFigure[]): ExpectedRelease[] {
  const earliest = new Map<string, ExpectedRelease>();
  for (const { publisher, timetable, newest } of figures) {
    const expectedAt = new Date(expectedAfter(timetable, newest));
    const previous = earliest.get(publisher);
    if (previous !== undefined && previous.expectedAt <= expectedAt) continue;
    const overdueAt = new Date(expectedAt.getTime() + timetable.graceDays * MILLISECONDS_A_DAY);
    earliest.set(publisher, { publisher, expectedAt, overdueAt });
  }
  return [...earliest.values()];
}
