import { ConfigError } from '../../domain/config/config-error.js';
import { HeldError, ReportedError, UsageError } from './command-context.js';
import { explainError } from '../../domain/errors/explain-error.js';

interface NamedRow {
  readonly place: { readonly file: string; readonly line: number; readonly column: string };
  readonly reason: string;
}

/** What `--json` prints of a command that failed. */
export interface ErrorDocument {
  readonly error: {
    readonly code: 'usage' | 'configuration' | 'bad_rows' | 'failed';
    readonly message: string;
    /** Rows that an import could not read; only with the code `bad_rows`. */
    readonly badRows?: readonly { file: string; line: number; column: string; reason: string }[];
  };
  /** What an import reported before it failed: it stays published. Only an import that had begun has it. */
  readonly reports?: readonly unknown[];
}

/** `null`: the command has printed its document already. */
export function errorDocument(error: unknown): ErrorDocument | null {
  if (error instanceof HeldError || error instanceof ReportedError) return null;
  const badRows = rowsOf(error).map(({ place, reason }) => ({
    file: place.file,
    line: place.line,
    column: place.column,
    reason,
  }));
  const code = badRows.length > 0 ? 'bad_rows' : codeOf(error);
  const message = error instanceof ConfigError ? error.lines.join('; ') : messageOf(error);
  const reports = reportsOf(error);
  const rows = badRows.length > 0 ? { badRows } : {};
  return { error: { code, message, ...rows }, ...(reports === undefined ? {} : { reports }) };
}

function messageOf(error: unknown): string {
  // Commander's: a command that consists of others was given none of them.
  if (error instanceof Error && 'code' in error && error.code === 'commander.help') {
    return 'no command is given: --help lists them';
  }
  return explainError(error).replace(/^error: /, '');
}

function codeOf(error: unknown): 'usage' | 'configuration' | 'failed' {
  if (error instanceof ConfigError) return 'configuration';
  const usage = error instanceof UsageError || (error instanceof Error && error.name === 'CommanderError');
  return usage ? 'usage' : 'failed';
}

function rowsOf(error: unknown): readonly NamedRow[] {
  return error instanceof Error && 'listed' in error ? (error.listed as readonly NamedRow[]) : [];
}

function reportsOf(error: unknown): readonly unknown[] | undefined {
  return error instanceof Error && 'reports' in error ? (error.reports as readonly unknown[]) : undefined;
}
