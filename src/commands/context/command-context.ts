import type { DataSource } from 'typeorm';
import type { Screen } from './screen.js';

/** What a command may use of its process. */
export interface CommandContext {
  /**
   * A migrated database under one role. The command destroys the data source at its end.
   *
   * @param mode `create`: the embedded database is created if the data folder has none. Only for commands that fill it.
   */
  connect(role: 'import' | 'api' | 'account', mode?: 'create'): Promise<DataSource>;
  now(): Date;
  out(line: string): void;
  err(line: string): void;
  /** Whether `--json` was given: `out` then receives exactly one JSON document. */
  readonly json: boolean;
  /** Whether progress goes to a terminal, where a line may be overwritten. */
  readonly tty: boolean;
  /** Where `out` prints; default: not a terminal. */
  readonly screen?: Screen;
  /** Asks the operator; null: nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | null;
  /** The folder of the service's own files. */
  readonly dataDir: string;
  /** The database of `connect`, as a person names it. */
  readonly database?: string;
  /** The contact that some publishers require in the user agent. */
  readonly contact?: string | null;
  /** The operator's API keys, by publisher. */
  readonly accessCodes?: Readonly<Record<string, string | null>>;
}

/** The audit held a delivery: exit code 3. */
export class HeldError extends Error {
  override name = 'HeldError';
}

/** The command failed, and has reported why: exit code 1. */
export class ReportedError extends Error {
  override name = 'ReportedError';
}

/** Wrong usage: exit code 2. Every other error is exit code 1. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What a publication calls that has to wait for another one: an operator would take it for stuck. */
export const sayWaiting = (context: CommandContext) => (): void => {
  context.err('waiting: another publication is running');
};

/** Runs `work` on a connection and closes it, also after an error. */
export async function withDatabase<T>(
  context: CommandContext,
  role: 'import' | 'api' | 'account',
  work: (dataSource: DataSource) => Promise<T>,
  mode?: 'create',
): Promise<T> {
  const dataSource = await context.connect(role, mode);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
