import type { Command } from 'commander';
import type { AccessContext } from '../../src/commands/accounts/access-context.js';
import type { CommandContext } from '../../src/commands/context/command-context.js';
import { createProgram } from '../../src/commands/program.js';

const refuse = (): Promise<never> => Promise.reject(new Error('The test gives no such thing'));

/** Runs the operator's program in this process: it throws instead of exiting, and Commander's errors are not printed. */
export async function runProgram(
  context: CommandContext & Partial<AccessContext>,
  argv: readonly string[],
): Promise<void> {
  const load = (): Promise<void> => Promise.resolve();
  const program = createProgram({ load, connections: refuse, peppers: refuse, ...context });
  const quiet = (command: Command): void => {
    command.configureOutput({ writeErr: () => undefined, writeOut: (text) => context.out(text) });
    command.commands.forEach(quiet);
  };
  quiet(program);
  await program.parseAsync(argv, { from: 'user' });
}
