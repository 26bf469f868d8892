import type { Command } from 'commander';

/** The words that can follow a command. */
export interface CommandWords {
  /** The command with its subcommand, without `tidemark`; empty for the program itself. */
  readonly at: string;
  readonly words: readonly Word[];
  /** Whether a word of the user's own can follow, such as a file. */
  readonly isOpen: boolean;
  /** Values of an option that has a closed set of them. */
  readonly values: readonly { readonly option: string; readonly words: readonly string[] }[];
}

interface Word {
  readonly text: string;
  /** On one line. */
  readonly description: string;
}

/** Of the program and every command below it, from Commander's own tree. */
export function commandWordsOf(program: Command): CommandWords[] {
  return [program, ...descendants(program)].map((command) => {
    const help = command.createHelp();
    const options = help.visibleOptions(command).flatMap(({ long, description }) => {
      return long === undefined ? [] : [{ text: long, description }];
    });
    const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((text) => ({ text, description })),
    );
    const commands = command.commands.map((child) => ({ text: child.name(), description: child.description() }));
    return {
      at: pathOf(command, program),
      words: [...commands, ...choices, ...options],
      isOpen: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
      values: command.options.flatMap(({ long, argChoices }) =>
        argChoices === undefined || long === undefined ? [] : [{ option: long, words: argChoices }],
      ),
    };
  });
}

const descendants = (command: Command): Command[] =>
  command.commands.flatMap((child) => [child, ...descendants(child)]);

function pathOf(command: Command, program: Command): string {
  if (command === program || command.parent === null) return '';
  return `${pathOf(command.parent, program)} ${command.name()}`.trim();
}
