// Imports what is due, once or until it is stopped.
import { lastAttempts, type Attempt } from './attempts.js';
import { syncPublisher, type SyncContext, type SyncedPublisher } from './sync-publisher.js';

export interface Due {
  readonly publisher: SyncedPublisher;
  /** Null: it was never tried, so it is due now. */
  readonly at: Date | null;
  readonly isRunning: boolean;
}

export interface Round {
  readonly attempts: readonly Attempt[];
  /** When something is due again, or may be. */
  readonly wakeAt: Date;
}

/** How soon a publisher that another process works on is looked at again: that process may die. */
const LOOK_AGAIN_MS = 60_000;
/** Another process may import, or change the timetables. */
const LONGEST_SLEEP_MS = 3_600_000;
const SHORTEST_SLEEP_MS = 1_000;

/** By time, those that were never tried first. */
export async function dueTimes(
  { dataSource }: Pick<SyncContext, 'dataSource'>,
  publishers: readonly SyncedPublisher[],
): Promise<Due[]> {
  const names = publishers.map(({ importer }) => importer.publisher);
  const last = new Map((await lastAttempts(dataSource, names)).map((attempt) => [attempt.publisher, attempt]));
  const due = publishers.map((publisher) => {
    const attempt = last.get(publisher.importer.publisher);
    return { publisher, at: attempt?.nextAt ?? null, isRunning: attempt?.outcome === null };
  });
  return due.sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0));
}

/** Imports each publisher that is due and that no other process works on. */
export async function syncDue(
  context: SyncContext,
  publishers: readonly SyncedPublisher[],
  onAttempt: (attempt: Attempt) => void,
): Promise<Round> {
  const attempts: Attempt[] = [];
  let isShared = false;
  for (const { publisher, at } of await dueTimes(context, publishers)) {
    if (context.signal.aborted) break;
    if (at !== null && at > context.now()) continue;
    const made = await syncPublisher(context, publisher);
    isShared ||= made === undefined;
    for (const attempt of made ?? []) {
      attempts.push(attempt);
      onAttempt(attempt);
    }
  }
  const now = context.now().getTime();
  const next = (await dueTimes(context, publishers)).map(({ at }) => at?.getTime() ?? now);
  const soonest = Math.max(Math.min(...next), isShared ? now + LOOK_AGAIN_MS : now);
  return { attempts, wakeAt: new Date(Math.min(soonest, now + LONGEST_SLEEP_MS)) };
}

/** Runs `round` again and again until the signal, and sleeps between. */
export async function watch(round: () => Promise<Round>, { signal, now, sleep, onError }: Watch): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    const wakeAt = await round().then(
      (done) => done.wakeAt,
      (error: unknown) => {
        onError(error);
        return new Date(now().getTime() + LOOK_AGAIN_MS);
      },
    );
    if (!isStopped()) await sleep(Math.max(wakeAt.getTime() - now().getTime(), SHORTEST_SLEEP_MS));
  }
}

export interface Watch extends Pick<SyncContext, 'signal' | 'now'> {
  /** Ends early at the signal. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** The database may be away: the watch goes on when it is back. */
  readonly onError: (error: unknown) => void;
}
