#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { accountsCommand } from './access/accounts.command.js';
import { keysCommand } from './access/keys.command.js';
import { openCommandContext, type OpenCommandContext } from './process/cli-context.js';
import { UsageError } from './process/command-context.js';
import { ConfigError } from './config/config.js';
import { dbCommand } from './database/db.command.js';
import { migrateCommand } from './database/migrate.command.js';
import { alertsCommand } from './following/alerts.command.js';
import { followCommand } from './following/follow.command.js';
import { usageCommand } from './limits/usage.command.js';
import { explainError } from './process/explain-error.js';
import { changesCommand } from './publishing/versions/changes.command.js';
import { exportCommand } from './publishing/starter/export.command.js';
import { importCommand } from './publishing/import/import.command.js';
import { versionsCommand } from './publishing/versions/versions.command.js';
import { sourcesCommand } from './publishing/versions/sources.command.js';

/** `npx tidemark`: the operator's commands. Exit codes: 0 done, 1 failed, 2 called incorrectly. */
async function main(): Promise<number> {
  let context: OpenCommandContext | undefined;
  try {
    context = openCommandContext(process.argv.includes('--json'));
    await programOf(context).parseAsync();
    return 0;
  } catch (error) {
    return report(error);
  } finally {
    await context?.close();
  }
}

function programOf(context: OpenCommandContext): Command {
  const program = new Command('tidemark')
    .description('Operates Tidemark: schema, imports, accounts and keys')
    .option('--json', 'print one JSON document instead of text')
    .showHelpAfterError('(add --help for what can be given)')
    .exitOverride();
  for (const make of [
    migrateCommand,
    importCommand,
    versionsCommand,
    changesCommand,
    sourcesCommand,
    accountsCommand,
    keysCommand,
    usageCommand,
    followCommand,
    alertsCommand,
    exportCommand,
    dbCommand,
  ]) {
    program.addCommand(inherit(make(context), program));
  }
  return program;
}

/** Every command at any depth accepts `--json` after its own name, and throws instead of exiting. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
  if (command.commands.length === 0 && !command.options.some(({ long }) => long === '--json')) {
    command.option('--json', 'print one JSON document instead of text');
  }
  return command;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const lines = error instanceof ConfigError ? error.lines : [explainError(error)];
  for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => process.exit(report(error)));
}
process.exitCode = await main();
