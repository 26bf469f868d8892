import type { Connections } from '../store/connections.js';
import type { MigrationCheck } from '../store/migrate.js';
import { ReportedError, type CommandContext } from './context/command-context.js';
import { action, type CommandData, type CommandOutput } from './terminal/command.js';

type Context = CommandContext & { connections(mode?: 'create' | 'unmigrated'): Promise<Connections> };

/** `tidemark migrate`. */
export const migration: CommandData = action<{ readonly check?: true }, [], Context>({
  name: 'migrate',
  about: 'updates schema, roles and stored texts; safe to repeat, and to run several times at once',
  examples: ['tidemark migrate', 'tidemark migrate --check'],
  options: [['--check', 'check rights, locks, disk and running instances, and change nothing']],
  run: (context, options) => (options.check === true ? check(context) : update(context)),
});

async function update(context: Context): Promise<CommandOutput> {
  const { migrate } = await import('../store/migrate.js');
  const { renderStoredTexts } = await import('./start/render-stored-texts.js');
  const connections = await context.connections('create');
  const ran = await migrate(connections, () =>
    context.err('A table that has to be changed is in use: trying again, for two minutes at most'),
  );
  const rendered = await renderStoredTexts(connections, (line) => context.err(line));
  const dataVersion = rendered?.dataVersion ?? null;
  const done = [
    ...ran.map((name) => `Ran ${name}`),
    ...(dataVersion === null ? [] : [`Rendered the texts again in data version ${dataVersion}`]),
  ];
  const text = done.length === 0 ? ['The database is up to date'] : done;
  return { json: { migrations: ran, dataVersion }, text };
}

async function check(context: Context): Promise<CommandOutput> {
  const { checkMigration } = await import('../store/migrate.js');
  const found = await checkMigration(await context.connections('unmigrated'));
  const failure = found.refusal === null ? null : new ReportedError(found.refusal);
  return { json: found, text: linesOf(found), failure };
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

function linesOf({ pending, refusal, locks, blockers, disk, free, serves }: MigrationCheck): string[] {
  if (pending.length === 0) return ['The database is up to date'];
  const users = blockers.map(({ pid, application, tables }) => `${application} (${pid}: ${tables.join(', ')})`);
  const room = free === null ? 'see how much is free on the server' : `${megabytes(free)} MB are free`;
  return [
    `Migrations: ${pending.join(', ')}`,
    `Refused: ${refusal ?? 'no'}`,
    `Locks, for a moment: ${locks.length === 0 ? 'none' : locks.join(', ')}`,
    `Waits for: ${users.length === 0 ? 'nobody' : users.join(', ')}`,
    `Disk: up to ${megabytes(disk)} MB more, if stored texts are rendered again; ${room}`,
    `Keeps serving: ${serves === null ? 'no instance of an earlier version' : `instances of ${serves} and later`}`,
  ];
}
