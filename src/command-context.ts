import type { DataSource } from 'typeorm';

/** All that an operator's command may touch of the process it runs in. */
export interface CommandContext {
  /** A migrated database under one role. The command destroys the data source when it is done. */
  connect(role: 'import' | 'api'): Promise<DataSource>;
  now(): Date;
  out(line: string): void;
  err(line: string): void;
  /** Whether `--json` was given: one document on `out`, and nothing else there. */
  readonly json: boolean;
  /** Whether a person watches, so that a line may be drawn over. */
  readonly tty: boolean;
  /** The folder for what the process keeps. */
  readonly dataDir: string;
  /** Who asks, for publishers that want to be told. */
  readonly contact?: string | null;
  /** The operator's own access codes, by publisher. */
  readonly accessCodes?: Readonly<Record<string, string | null>>;
}

/** A command was called wrongly: exit code 2. Every other error is exit code 1. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Connects, works, and closes the connection whatever happens. */
export async function withDatabase<T>(
  context: CommandContext,
  role: 'import' | 'api',
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await context.connect(role);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
