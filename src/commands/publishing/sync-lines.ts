import { timeAgo } from '../terminal/time-ago.js';
import type { Attempt } from '../../publish/sync/attempts.js';
import type { Due } from '../../publish/sync/sync.js';

const instant = (date: Date): string => `${date.toISOString().slice(0, 16)}Z`;

/** `ecb: new: data version 12, vintage of 2026-11-20; next 2026-11-23T15:00Z`. */
export function attemptLine(attempt: Attempt): string {
  const what = whatOf(attempt);
  const next = attempt.nextAt === null ? '' : `; next ${instant(attempt.nextAt)}`;
  return `${attempt.publisher}: ${attempt.outcome ?? 'running'}${what === '' ? '' : `: ${what}`}${next}`;
}

/** One attempt of the history: number, publisher, start, duration, outcome, result, next time. */
export function historyCells(attempt: Attempt, now: Date): string[] {
  const { id, publisher, startedAt, endedAt, outcome, nextAt } = attempt;
  const seconds = endedAt === null ? '' : `${Math.round((endedAt.getTime() - startedAt.getTime()) / 1_000)} s`;
  return [
    String(id),
    publisher,
    timeAgo(startedAt, now),
    seconds,
    outcome ?? 'running',
    whatOf(attempt),
    nextAt === null ? '' : timeAgo(nextAt, now),
  ];
}

function whatOf({ why, dataVersion, vintage }: Attempt): string {
  const published = dataVersion === null ? [] : [`data version ${dataVersion}, vintage of ${vintage}`];
  return [...published, ...(why === null ? [] : [why])].join('; ');
}

/** Whether a publisher is due, for `--dry-run`. */
export function dueLine({ publisher: { importer }, at, isRunning }: Due, now: Date): string {
  const name = importer.publisher;
  if (isRunning) return `${name}: another sync works on it, or was killed`;
  if (at === null) return `${name}: due, never tried`;
  return at <= now ? `${name}: due since ${instant(at)}` : `${name}: not due before ${instant(at)}`;
}
