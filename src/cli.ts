#!/usr/bin/env node
import { CommanderError } from 'commander';
import { ConfigError } from './domain/config/config-error.js';
import { CliContext } from './commands/context/cli-context.js';
import { HeldError, UsageError } from './commands/context/command-context.js';
import { errorDocument } from './commands/context/error-document.js';
import { explainError } from './domain/errors/explain-error.js';
import { createProgram } from './commands/program.js';

const isJson = process.argv.includes('--json');

/** `npx tidemark`: the operator's commands. Exit codes: 0 done, 1 failed, 2 called incorrectly, 3 held by the audit. */
async function main(): Promise<number> {
  const context = new CliContext(isJson);
  try {
    await createProgram(context).parseAsync();
    return 0;
  } catch (error) {
    return report(error);
  } finally {
    await context.close();
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (isJson) {
    const document = errorDocument(error);
    if (document !== null) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  } else if (!(error instanceof CommanderError)) {
    const lines = error instanceof ConfigError ? error.lines : [explainError(error)];
    for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
  }
  if (error instanceof CommanderError) return 2;
  if (error instanceof HeldError) return 3;
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => process.exit(report(error)));
}
// A reader such as `head` has enough: the command still does what it was told, and its exit code says how that ended.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(report(error));
  });
}
process.exitCode = await main();
