import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }),
);

/** One line of PostgreSQL's text format, including its end. */
function copyLine(values: readonly (string | number | null)[]): string {
  return `${values.map(copyField).join('\t')}\n`;
}

function copyField(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return /[\\\n\r\t]/.test(value) ? value.replace(/[\\\n\r\t]/g, (found) => ESCAPES.get(found) ?? found) : value;
}

/** Collects rows and copies them in pieces. Between two pieces the connection is free for statements. */
export class CopyBuffer {
  private lines: string[] = [];
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: pg.PoolClient,
    /** Table and columns. */
    private readonly target: string,
    private readonly pieceSize = 10_000,
  ) {}

  get full(): boolean {
    return this.lines.length >= this.pieceSize;
  }

  add(values: readonly (string | number | null)[]): void {
    this.lines.push(copyLine(values));
  }

  /** Starts to copy the collected rows once the previous piece is copied; the caller continues meanwhile. */
  async send(): Promise<void> {
    await this.sending;
    if (this.lines.length === 0) return;
    const text = this.lines.join('');
    this.lines = [];
    this.sending = this.copy(text);
    // The next call reports the failure.
    this.sending.catch(() => undefined);
  }

  /** Returns when all rows are copied. */
  async flush(): Promise<void> {
    await this.send();
    await this.sending;
  }

  private async copy(text: string): Promise<void> {
    const stream = this.client.query(copyFrom(`COPY ${this.target} FROM STDIN`));
    stream.end(text);
    await finished(stream);
  }
}
