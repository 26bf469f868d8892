// When a publisher is due again after an attempt.
import { dayOf, shiftedDay } from '../../domain/figures/periods.js';
import { releaseAfter, type Timetable } from '../../domain/figures/timetable.js';

export type AttemptOutcome = 'new' | 'nothing new' | 'held' | 'failed';

export interface EndedAttempt {
  readonly outcome: AttemptOutcome;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The vintage day of what was published. */
  readonly vintage: string | null;
  /** Attempts in a row with this outcome since the newest release, this one included. */
  readonly streak: number;
  /** Figures of the publisher have been waiting for a decision for less than a day: it may mend its file. */
  readonly waits?: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Each pause is twice the one before. */
const PAUSES = {
  failed: { firstMs: 5 * MINUTE_MS, longestMs: 20 * MINUTE_MS },
  /** An expected figure has not come. */
  late: { firstMs: 15 * MINUTE_MS, longestMs: DAY_MS },
} as const;
const MENDING_MS = 15 * MINUTE_MS;

const pauseMs = ({ firstMs, longestMs }: { firstMs: number; longestMs: number }, number: number): number =>
  Math.min(firstMs * 2 ** (number - 1), longestMs);

/**
 * The next release; earlier, with growing pauses, while the publisher fails or an expected figure has not come, and
 * while a file that looks wrong may be mended.
 *
 * @param expectedAt the release with the publisher's next figure, by the newest one held; null if nothing is expected
 */
export function nextAttempt(
  { outcome, startedAt, endedAt, vintage, streak, waits = false }: EndedAttempt,
  timetables: readonly Timetable[],
  expectedAt: Date | null,
): Date {
  const after = (ms: number): Date => new Date(endedAt.getTime() + ms);
  const release = earliest(timetables.map((timetable) => new Date(releaseAfter(timetable, startedAt))));
  if (outcome === 'failed') return earliest([release, after(pauseMs(PAUSES.failed, streak))]);
  // The same file is recognised, and not held again.
  if (waits) return earliest([release, after(MENDING_MS)]);
  if (outcome === 'held') return release;
  const late = expectedAt !== null && expectedAt <= startedAt;
  const next = late ? earliest([release, after(pauseMs(PAUSES.late, outcome === 'new' ? 1 : streak))]) : release;
  // One day has one vintage.
  const today = dayOf(startedAt);
  const tomorrow = new Date(shiftedDay(today, 1));
  return outcome === 'new' && vintage === today && next < tomorrow ? tomorrow : next;
}

/** The attempts since the newest release: a figure that was late before it, as on a holiday, makes no pause after it longer. */
export const sinceRelease = (begun: readonly Date[], timetables: readonly Timetable[], now: Date): Date[] =>
  begun.filter((at) => timetables.every((timetable) => new Date(releaseAfter(timetable, at)) > now));

/** The first attempt after a killed one is due at once; a process that dies each time gets the pauses of a failure. */
export const nextAfterKilled = (at: Date, streak: number): Date =>
  streak < 2 ? at : new Date(at.getTime() + pauseMs(PAUSES.failed, streak - 1));

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map((date) => date.getTime())));
