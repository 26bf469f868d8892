import { Argument, Command, Option } from 'commander';
import { UsageError, type CommandContext } from '../context/command-context.js';
import { addExamples } from './examples.js';
import type { Column } from './table.js';

interface ParameterSettings {
  readonly choices?: readonly string[];
  /** Words that the help names, and that the command does not require. */
  readonly words?: readonly string[];
  readonly default?: unknown;
  readonly required?: true;
  /** The attribute of an option that cannot be given beside it. */
  readonly conflicts?: string;
  /** Reads the value. @throws UsageError */
  readonly parse?: (text: string) => unknown;
}

/** Commander's flags or the name of an argument, and what it is. */
export type Parameter = readonly [flags: string, about: string, settings?: ParameterSettings];

/** Prints as a table; as `empty` without rows. */
export interface PrintedTable {
  readonly columns: readonly (string | Column)[];
  readonly rows: readonly (readonly string[])[];
  readonly empty?: string;
}

/** What a command prints: one document with `--json`, else lines and tables. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string | readonly (string | PrintedTable)[];
  /** A line beside the text, for the operator and not for a pipe. */
  readonly aside?: string;
  /** The command failed nevertheless, and has printed why. */
  readonly failure?: Error | null;
}

interface CommandFields {
  readonly name: string;
  readonly about: string;
  readonly examples?: readonly [string, ...string[]];
  readonly arguments?: readonly Parameter[];
  readonly options?: readonly Parameter[];
  /** Ends the help. */
  readonly notes?: string;
  readonly commands?: readonly CommandData[];
}

/** A command that does something; `Given` are its arguments, and at last Commander's own object. */
interface Action<Options, Given extends unknown[], Context> extends CommandFields {
  /** What it deletes or ends, which the operator confirms first; null: nothing. Adds `--yes`. */
  readonly confirm?: (options: Options, ...given: Given) => string | null;
  readonly run: (context: Context, options: Options, ...given: Given) => Promise<CommandOutput | undefined>;
}

/** A command whose `run` a helper makes. */
export type Runless<Options, Given extends unknown[] = []> = Omit<Action<Options, Given, never>, 'run'>;

/** A command as data. */
export type CommandData = CommandFields & Partial<Action<never, never[], never>>;

/** States the types of what `run` receives. */
export const action = <Options = object, Given extends unknown[] = [], Context = CommandContext>(
  fields: Action<Options, Given, Context>,
): CommandData => fields as unknown as CommandData;

export const ACCOUNT: Parameter = ['--account <email>', "the account's e-mail address", { required: true }];
export interface OfAccount {
  readonly account: string;
}

/** @throws UsageError unless the value is a whole number within the bounds */
export const count = (option: string, least: number, most: number) => (text: string) => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option}: a whole number from ${least} to ${most}`);
};

/** @throws UsageError unless the text is a number from 1 on */
export const ordinal = (what: string) => (text: string) => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${text}: give the number of a ${what}`);
};

/** How many of a list are printed. */
export const mostOf = (what: string, most: number): Parameter => [
  '--limit <count>',
  `maximum number of ${what}`,
  { default: most, parse: count('--limit', 1, 100_000) },
];

/** The reason that the record of a permanent act has. */
export const REASON: Parameter = [
  '--reason <text>',
  'reason, for the record',
  {
    required: true,
    parse: (text) => {
      if (text.trim() === '') throw new UsageError('--reason: say why, for the record');
      return text;
    },
  },
];

export const toRight = (heading: string): Column => ({ heading, align: 'right' });

/** The command of Commander, with those below it. */
export function commandOf(data: CommandData, context: CommandContext): Command {
  const { name, about, examples, notes, commands = [] } = data;
  const command = new Command(name).description(about);
  for (const [flags, what, settings] of data.arguments ?? []) {
    command.addArgument(configured(new Argument(flags, what), settings));
  }
  if (data.confirm !== undefined) command.option('--yes', 'do it without a question');
  for (const [flags, what, settings = {}] of data.options ?? []) {
    const option = configured(new Option(flags, what), settings);
    if (settings.conflicts !== undefined) option.conflicts(settings.conflicts);
    command.addOption(settings.required === true ? option.makeOptionMandatory() : option);
  }
  if (examples !== undefined) addExamples(command, examples);
  if (notes !== undefined) command.addHelpText('after', `\n${notes}`);
  if (data.run !== undefined) {
    const { run, confirm } = data as unknown as Action<{ readonly yes?: true }, unknown[], CommandContext>;
    command.action(async (...values: unknown[]) => {
      const options = values.at(-2) as { readonly yes?: true };
      const given = [...values.slice(0, -2), command];
      const ending = confirm?.(options, ...given) ?? null;
      if (ending !== null) await requireYes(context, options.yes === true, ending);
      const printed = await run(context, options, ...given);
      if (printed !== undefined) await print(context, printed);
    });
  }
  for (const child of commands) command.addCommand(commandOf(child, context));
  return command;
}

function configured<P extends Argument | Option>(parameter: P, settings: ParameterSettings = {}): P {
  const { choices, words, parse } = settings;
  if (choices !== undefined) parameter.choices(choices);
  if (words !== undefined) parameter.argChoices = [...words];
  if (parse !== undefined) parameter.argParser(parse);
  if (settings.default !== undefined) parameter.default(settings.default);
  return parameter;
}

/**
 * Asks before `what` deletes or ends something.
 *
 * @throws UsageError without `--yes` if nobody can answer, or if the operator declines
 */
export async function requireYes(
  { ask = null, json }: Pick<CommandContext, 'ask' | 'json'>,
  yes: boolean,
  what: string,
): Promise<void> {
  if (yes) return;
  if (ask === null || json) throw new UsageError(`${what}. Nobody can be asked here: confirm it with --yes`);
  const answer = await ask(`${what}. Continue? [y/N] `);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new UsageError('nothing was done');
}

async function print(context: CommandContext, { json, text, aside, failure = null }: CommandOutput): Promise<void> {
  if (context.json) context.out(JSON.stringify(json, null, 2));
  else {
    for (const part of typeof text === 'string' ? [text] : text) {
      if (typeof part === 'string') context.out(part);
      else if (part.rows.length === 0) context.out(part.empty ?? '');
      else {
        // Help does without it.
        const { tableLines } = await import('./table.js');
        for (const line of tableLines(part.columns, part.rows, context.screen)) context.out(line);
      }
    }
    if (aside !== undefined) context.err(aside);
  }
  if (failure !== null) throw failure;
}
