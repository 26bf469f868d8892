import { Peppers } from '../../src/serve/access/keys/peppers.js';
import type { AccessContext } from '../../src/commands/accounts/access-context.js';
import type { TestDatabase } from './database.js';
import { runProgram } from './program.js';
import type { TestServer } from './server.js';

/** The operator's command line beside a running service. */
export interface CommandLine {
  /** The output of one command, by line; throws if the program would end with an error. */
  readonly run: (...argv: string[]) => Promise<string[]>;
  /** The output of the last command, including one that threw. */
  readonly written: () => readonly string[];
}

export function commandLine(
  { database, service }: { readonly database: TestDatabase; readonly service: TestServer },
  now: () => Date,
): CommandLine {
  let out: string[] = [];
  const run = async (...argv: string[]): Promise<string[]> => {
    out = [];
    const context: AccessContext = {
      connect: (role) => database.open(role),
      peppers: () => Promise.resolve(service.server.app.get(Peppers)),
      now,
      out: (line) => void out.push(line),
      err: () => undefined,
      json: argv.includes('--json'),
      tty: false,
      dataDir: '.',
    };
    await runProgram(context, argv);
    return out;
  };
  return { run, written: () => out };
}
