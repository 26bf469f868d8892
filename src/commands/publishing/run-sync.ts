import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ReportedError, HeldError, UsageError, withDatabase, type CommandContext } from '../context/command-context.js';
import { explainError } from '../../domain/errors/explain-error.js';
import { IMPORTERS } from '../../publish/publishers/importers.js';
import { SYNCED_PUBLISHERS } from '../../publish/publishers/publisher-names.js';
import type { Attempt } from '../../publish/sync/attempts.js';
import { dueTimes, syncDue, watch, type Due } from '../../publish/sync/sync.js';
import { attemptLine, dueLine } from './sync-lines.js';
import type { SyncContext, SyncedPublisher } from '../../publish/sync/sync-publisher.js';
import { missingVariable, syncedPublisher } from '../../publish/sync/synced-publishers.js';
import type { CommandOutput } from '../terminal/command.js';
import { ownMember } from '../../domain/names/own-member.js';

/** As the command line has them. */
export interface RunSyncOptions {
  readonly watch?: true;
  readonly dryRun?: true;
}

/** `names` empty: all publishers. @throws UsageError */
export async function runSync(
  context: CommandContext,
  names: readonly string[],
  options: RunSyncOptions,
): Promise<CommandOutput | undefined> {
  const publishers = chosen(context, names);
  const isDry = options.dryRun === true;
  const work = (dataSource: DataSource) =>
    isDry ? showDue(context, dataSource, publishers) : sync(context, dataSource, publishers, options.watch === true);
  return withDatabase<CommandOutput | undefined>(context, 'import', work, isDry ? undefined : 'create');
}

/** @throws UsageError if a publisher is named that requires a variable which is not set */
function chosen(context: CommandContext, names: readonly string[]): SyncedPublisher[] {
  const importers = (names.length === 0 ? SYNCED_PUBLISHERS : [...new Set(names)]).flatMap(
    (name) => ownMember(IMPORTERS, name) ?? [],
  );
  return importers.flatMap((importer) => {
    const missing = missingVariable(importer, context);
    if (missing === null) return [syncedPublisher(importer)];
    if (names.length > 0) throw new UsageError(`${importer.publisher} requires ${missing}`);
    if (!context.json) context.err(`${importer.publisher}: left out, it requires ${missing}`);
    return [];
  });
}

async function showDue(
  context: CommandContext,
  dataSource: DataSource,
  publishers: readonly SyncedPublisher[],
): Promise<CommandOutput> {
  const due = await dueTimes({ dataSource }, publishers);
  const now = context.now();
  return { json: { publishers: due.map((one) => shown(one, now)) }, text: due.map((one) => dueLine(one, now)) };
}

const shown = ({ publisher, at, isRunning }: Due, now: Date) => ({
  publisher: publisher.importer.publisher,
  isDue: !isRunning && (at === null || at <= now),
  isRunning,
  dueAt: at,
});

async function sync(
  context: CommandContext,
  dataSource: DataSource,
  publishers: readonly SyncedPublisher[],
  isWatch: boolean,
): Promise<CommandOutput | undefined> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
  const { dataDir, contact = null, accessCodes = {} } = context;
  const { signal } = stop;
  const syncing: SyncContext = { dataSource, dataDir, contact, accessCodes, signal, now: () => context.now() };
  const onAttempt = (attempt: Attempt): void => {
    if (!context.json) context.out(attemptLine(attempt));
    else if (isWatch) context.out(JSON.stringify(attempt));
  };
  const round = () => syncDue(syncing, publishers, onAttempt);
  try {
    if (isWatch) {
      await watch(round, {
        signal,
        now: syncing.now,
        sleep: (milliseconds) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
        onError: (error) => context.err(`${explainError(error)}; trying again in a minute`),
      });
      return undefined;
    }
    const { attempts, wakeAt } = await round();
    const [next] = attempts.length === 0 ? await dueTimes({ dataSource }, publishers) : [];
    const lines = next === undefined ? [] : [dueLine(next, context.now())];
    const text = attempts.length === 0 ? ['Nothing is due', ...lines] : [];
    return { json: { attempts, next: wakeAt }, text, failure: failureOf(attempts) };
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, onSignal);
  }
}

/** For the exit code. The last attempt of each publisher counts: another one before it was a killed process's. */
function failureOf(attempts: readonly Attempt[]): Error | null {
  const last = new Map(attempts.map(({ publisher, outcome }) => [publisher, outcome]));
  const named = (wanted: Attempt['outcome']): string =>
    [...last].flatMap(([publisher, outcome]) => (outcome === wanted ? [publisher] : [])).join(', ');
  if (named('failed') !== '') return new ReportedError(`failed: ${named('failed')}`);
  return named('held') === '' ? null : new HeldError(`held, and not published: ${named('held')}`);
}
