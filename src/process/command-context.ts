import type { DataSource } from 'typeorm';

/** What a command may use of its process. */
export interface CommandContext {
  /** A migrated database under one role. The command destroys the data source at its end. */
  connect(role: 'import' | 'api' | 'account'): Promise<DataSource>;
  now(): Date;
  out(line: string): void;
  err(line: string): void;
  /** Whether `--json` was given: `out` then receives exactly one JSON document. */
  readonly json: boolean;
  /** Whether the output is a terminal, where a line may be overwritten. */
  readonly tty: boolean;
  /** The folder of the service's own files. */
  readonly dataDir: string;
  /** The contact that some publishers require in the user agent. */
  readonly contact?: string | null;
  /** The operator's API keys, by publisher. */
  readonly accessCodes?: Readonly<Record<string, string | null>>;
}

/** Wrong usage: exit code 2. Every other error is exit code 1. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Runs `work` on a connection and closes it, also after an error. */
export async function withDatabase<T>(
  context: CommandContext,
  role: 'import' | 'api' | 'account',
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await context.connect(role);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
