import { Command } from 'commander';
import { addExamples } from './terminal/examples.js';
import type { Connections } from '../store/connections.js';
import type { MigrationCheck } from '../store/migrate.js';
import { ReportedError, type CommandContext } from './context/command-context.js';
import { printJson } from './terminal/print-json.js';

type Context = CommandContext & { connections(mode?: 'create' | 'unmigrated'): Promise<Connections> };

/** `tidemark migrate`. */
export function migrateCommand(context: Context): Command {
  return addExamples(new Command('migrate'), ['tidemark migrate', 'tidemark migrate --check'])
    .description('updates schema, roles and stored texts; safe to repeat, and to run several times at once')
    .option('--check', 'check rights, locks, disk and running instances, and change nothing')
    .action(async (options: { check?: true }) => {
      if (options.check) return check(context);
      const { migrate } = await import('../store/migrate.js');
      const { renderStoredTexts } = await import('./start/render-stored-texts.js');
      const connections = await context.connections('create');
      const ran = await migrate(connections, () =>
        context.err('A table that has to be changed is in use: trying again, for two minutes at most'),
      );
      const rendered = await renderStoredTexts(connections, (line) => context.err(line));
      const dataVersion = rendered?.dataVersion ?? null;
      if (context.json) printJson(context, { migrations: ran, dataVersion });
      else if (ran.length === 0 && rendered === null) context.out('The database is up to date');
      else {
        for (const name of ran) context.out(`Ran ${name}`);
        if (rendered !== null)
          context.out(`Rendered the texts again in data version ${rendered.dataVersion}`);
      }
    });
}

async function check(context: Context): Promise<void> {
  const { checkMigration } = await import('../store/migrate.js');
  const found = await checkMigration(await context.connections('unmigrated'));
  if (context.json) printJson(context, found);
  else for (const line of linesOf(found)) context.out(line);
  if (found.refusal !== null) throw new ReportedError(found.refusal);
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

function linesOf({ pending, refusal, locks, blockers, disk, free, serves }: MigrationCheck): string[] {
  if (pending.length === 0) return ['The database is up to date'];
  const users = blockers.map(
    ({ pid, application, tables }) => `${application} (${pid}: ${tables.join(', ')})`,
  );
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
