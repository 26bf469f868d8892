import { dayOf, daysSince, shiftedDay } from '../../../domain/figures/periods.js';
import type { Result } from '../../responses/result.js';

/** The day of any match from an instant, inclusive, to another, exclusive; null without a match. */
export type FindDay = (from: Date | undefined, before: Date | undefined) => Promise<string | null>;

/**
 * The nearest days with a match before and after an empty window, by bisection: an index finds any match between two
 * instants, but not the nearest one.
 */
export async function nearestDays(
  find: FindDay,
  from: Date | undefined,
  before: Date | undefined,
): Promise<NonNullable<Result<unknown>['nearest']>> {
  return {
    before: from === undefined ? null : await lastDayBefore(find, from),
    after: before === undefined ? null : await firstDayFrom(find, before),
  };
}

async function lastDayBefore(find: FindDay, end: Date): Promise<string | null> {
  let day = await find(undefined, end);
  let last = dayOf(new Date(end.getTime() - 1));
  while (day !== null && day < last) {
    const middle = shiftedDay(day, Math.ceil(daysSince(day, last) / 2));
    const found = await find(new Date(middle), end);
    if (found === null) last = shiftedDay(middle, -1);
    else day = found;
  }
  return day;
}

async function firstDayFrom(find: FindDay, start: Date): Promise<string | null> {
  let day = await find(start, undefined);
  let first = dayOf(start);
  while (day !== null && first < day) {
    const next = shiftedDay(first, Math.floor(daysSince(first, day) / 2) + 1);
    const found = await find(start, new Date(next));
    if (found === null) first = next;
    else day = found;
  }
  return day;
}
