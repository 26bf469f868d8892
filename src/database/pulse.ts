import type { Line } from './line.js';

export interface Beat {
  /** Moves with every published revision. */
  readonly revision: number;
  /** Moves with every change to an account or a key. */
  readonly accessEpoch: number;
}

export interface PulseOptions {
  readonly everyMs: number;
  readonly monotonic: () => number;
  /** Called with the first answer or the lack of it, then each time the server is lost or found again. */
  readonly onChange: (lost: boolean, error?: unknown) => void;
}

const QUERY = `SELECT (SELECT coalesce(max(id), 0) FROM revisions)::int AS revision,
                      (SELECT epoch FROM access_epoch) AS "accessEpoch"`;

/**
 * Asks a server, a few times a second, whether content or access has moved. What an instance keeps in
 * memory is true as of the last beat: everything kept hangs on one of its two numbers. A question that is
 * not answered in time says that the server is lost.
 */
export class Pulse {
  private beat: Beat = { revision: 0, accessEpoch: 0 };
  private beatAt = Number.NEGATIVE_INFINITY;
  /** Null before the first question. */
  private failed: boolean | null = null;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly line: Pick<Line, 'ask' | 'close'>,
    private readonly options: PulseOptions,
  ) {}

  get latest(): Beat {
    return this.beat;
  }

  /** Milliseconds since the server last answered. */
  get age(): number {
    return this.options.monotonic() - this.beatAt;
  }

  /** The server did not answer the last time it was asked. */
  get lost(): boolean {
    return this.failed === true;
  }

  async start(): Promise<void> {
    await this.ask();
    this.timer = setInterval(() => void this.turn(), this.options.everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    this.line.close();
  }

  /** Asks now: a question that is on its way already may have been answered before what the caller did. */
  async ask(): Promise<void> {
    await this.running;
    await this.turn();
  }

  /** One question at a time, however slow the server is. */
  private turn(): Promise<void> {
    this.running ??= this.question().finally(() => (this.running = undefined));
    return this.running;
  }

  private async question(): Promise<void> {
    // What the answer says was true no earlier than when it was asked for.
    const askedAt = this.options.monotonic();
    try {
      const [beat] = await this.line.ask<Beat>(QUERY);
      if (beat !== undefined) this.beat = beat;
      this.beatAt = askedAt;
      this.become(false);
    } catch (error) {
      this.become(true, error);
    }
  }

  private become(lost: boolean, error?: unknown): void {
    if (this.failed === lost) return;
    this.failed = lost;
    this.options.onChange(lost, error);
  }
}
