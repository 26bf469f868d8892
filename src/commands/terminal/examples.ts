import type { Command } from 'commander';

const FIRST = new WeakMap<Command, string>();

/** Ends the help of a command with lines to copy. */
export function addExamples(command: Command, lines: readonly [string, ...string[]]): Command {
  FIRST.set(command, lines[0]);
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

/** Ends the help of a command that consists of others with the first example of each. */
export function addExamplesOfCommands(command: Command): Command {
  const [first, ...others] = command.commands.flatMap((child) => FIRST.get(child) ?? []);
  return first === undefined || FIRST.has(command) ? command : addExamples(command, [first, ...others]);
}
