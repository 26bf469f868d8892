import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { KEY_ANYWHERE } from '../access/key-text.js';

export interface RequestLine {
  readonly requestId: string;
  readonly account: string | null;
  readonly plan: string | null;
  readonly method: string;
  /** The route's pattern, never the address as sent. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  /** As tracing tools look for it. */
  readonly trace_id?: string;
  /** Counted on this instance alone, because Redis did not answer in time. */
  readonly limits?: 'fallback';
  readonly error?: string;
}

/** One JSON line an event; coloured lines on a terminal. No key can pass. */
export class Log {
  private readonly logger: Logger;

  constructor(level: string, terminal: boolean, destination?: NodeJS.WritableStream) {
    const options = {
      level,
      base: null,
      messageKey: 'message',
      formatters: { level: (label: string) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    };
    const stream = terminal
      ? pretty({
          messageKey: 'message',
          translateTime: 'HH:MM:ss',
          singleLine: true,
          // The message has them already, or a person does not need them.
          ignore: 'requestId,method,route,status,account',
          sync: true,
        })
      : destination;
    this.logger = stream === undefined ? pino(options) : pino(options, stream);
  }

  request(line: RequestLine): void {
    const level = line.status >= 500 ? 'error' : 'info';
    this.logger[level](line, `${line.method} ${line.route} ${line.status}`);
  }

  info(message: string, fields: object = {}): void {
    this.logger.info(fields, message);
  }

  warn(message: string, fields: object = {}): void {
    this.logger.warn(fields, message);
  }

  /** What went wrong inside, with its stack, under the id that the caller was given. */
  failure(requestId: string | null, thrown: unknown): void {
    const error = thrown instanceof Error ? (thrown.cause instanceof Error ? thrown.cause : thrown) : null;
    this.logger.error(
      { requestId, error: withoutKeys(error?.stack ?? String(thrown)) },
      withoutKeys(error?.message ?? String(thrown)),
    );
  }
}

function withoutKeys(text: string): string {
  return text.replaceAll(new RegExp(KEY_ANYWHERE, 'g'), 'tm_***');
}
