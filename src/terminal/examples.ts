import type { Command } from 'commander';

/** Ends the help of a command with lines to copy. */
export function addExamples(command: Command, lines: readonly [string, ...string[]]): Command {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
