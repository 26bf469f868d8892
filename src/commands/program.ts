import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Command, Help, InvalidArgumentError, type Argument, type Option } from 'commander';
import type { AccessContext } from './accounts/access-context.js';
import { accounts } from './accounts/accounts.command.js';
import { keys } from './accounts/keys.command.js';
import { db } from './db.command.js';
import { didYouMean, similar } from '../domain/errors/nearest.js';
import { alerts } from './accounts/alerts.command.js';
import { follows } from './accounts/follow.command.js';
import type { CliContext } from './context/cli-context.js';
import { migration } from './migrate.command.js';
import { catalogue } from './publishing/catalogue.command.js';
import { deliveries } from './publishing/deliveries.command.js';
import { imports } from './publishing/import.command.js';
import { exports } from './publishing/export.command.js';
import { synchronization } from './publishing/sync.command.js';
import { status } from './publishing/status.command.js';
import { changes } from './publishing/changes.command.js';
import { sources } from './publishing/sources.command.js';
import { versions } from './publishing/versions.command.js';
import { commandOf } from './terminal/command.js';
import { addExamplesOfCommands } from './terminal/examples.js';

/** Commands by the heading of the help. Their modules import at once only what a help needs. */
const COMMANDS = {
  'Figures:': [status, imports, synchronization, deliveries, versions, changes, sources, catalogue, exports],
  'Accounts:': [accounts, keys, follows, alerts],
  'Database:': [migration, db],
} as const;

type ProgramContext = AccessContext & Pick<CliContext, 'load' | 'connections'>;

/** `npx tidemark`, as a library of commands: it throws instead of exiting. */
export function createProgram(context: ProgramContext): Command {
  const program = new Command('tidemark')
    .description('Operates Tidemark: figures, accounts and the database')
    .version(versionOf(), '--version', 'print the version')
    .option('--json', 'print one JSON document instead of text')
    .helpOption('-h, --help', 'show the help of any command')
    .helpCommand('help [command]', 'show the help of a command')
    .showHelpAfterError('(add --help for what can be given)')
    .configureHelp({
      styleTitle: (title) => styleText('bold', title),
      optionDescription(option) {
        const text = Help.prototype.optionDescription.call(this, option);
        return option.mandatory ? `${text}; required` : text;
      },
    })
    .configureOutput(
      context.json
        ? // The error is the document.
          { writeErr: () => undefined }
        : { outputError: (text, write) => write(text.replace(/^error: /, 'tidemark: ')) },
    )
    .exitOverride()
    .hook('preAction', () => context.load());
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const data of commands) program.addCommand(inherit(commandOf(data, context), program));
  }
  return program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 called incorrectly, 3 held by the audit.\nFor scripts: --json.',
  );
}

/** Every command at any depth accepts `--json` after its own name, and names the nearest values. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent).helpCommand(false);
  for (const child of command.commands) inherit(child, command);
  addExamplesOfCommands(command);
  if (command.commands.length === 0) command.option('--json', 'print one JSON document instead of text');
  const commands = command.commands.map((child) => child.name());
  for (const named of command.registeredArguments) suggestValues(named, commands);
  for (const named of command.options) suggestValues(named);
  return command;
}

/** An error names the choices that are similar to the value; it may also be a misspelt command. */
function suggestValues(named: Argument | Option, commands: readonly string[] = []): void {
  const { argChoices: choices, parseArg: parse } = named;
  if (choices === undefined || parse === undefined) return;
  named.argParser((value: string, previous: unknown) => {
    if (choices.includes(value)) return parse(value, previous);
    const near = similar(value, [...choices, ...commands]);
    throw new InvalidArgumentError(near.length > 0 ? didYouMean(near) : `Allowed choices are ${choices.join(', ')}.`);
  });
}

/** The relative path is the same from src/ and from dist/. */
function versionOf(): string {
  const file = join(import.meta.dirname, '../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
