import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { KEY_ANYWHERE } from '../access/keys/key-text.js';
import type { LoggerService } from '@nestjs/common';

export interface RequestLine {
  readonly requestId: string;
  readonly account: string | null;
  readonly plan: string | null;
  readonly method: string;
  /** The route's pattern, never the URL of the request. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  /** The name that tracing tools expect. */
  readonly trace_id?: string;
  /** Decided without Redis, from a lease or the reserve. */
  readonly limits?: 'lease' | 'fallback';
  readonly error?: string;
}

/** Writes one JSON line per event; coloured lines on a terminal. Masks API keys. */
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
          // The message contains these fields, or a person does not need them.
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

  /** Logs an internal error with its stack and the request id from the response. */
  failure(requestId: string | null, thrown: unknown): void {
    const error = thrown instanceof Error ? (thrown.cause instanceof Error ? thrown.cause : thrown) : null;
    const text = error === null ? textOf(thrown) : error.message;
    this.logger.error({ requestId, error: withoutKeys(error?.stack ?? text) }, withoutKeys(text));
  }
}

/** Anything can be thrown, also what has no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something without a text was thrown';
  }
}

function withoutKeys(text: string): string {
  return text.replaceAll(new RegExp(KEY_ANYWHERE, 'g'), 'tm_***');
}

/** Node's own warnings, such as those of deprecated calls, as lines of this log: Node would print them as plain text. */
export function logNodeWarnings(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    const { name, message, code } = warning;
    log.warn(`${name}: ${message}`, code === undefined ? {} : { code });
  });
}

/** Writes Nest's errors and warnings to our log; drops its start-up messages. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  error(message: unknown, ...details: unknown[]): void {
    this.target.failure(null, message instanceof Error ? message : lineOf(message, details));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.target.warn(lineOf(message, details));
  }

  log(): void {
    // Modules loaded, routes mapped: noise at every start.
  }
}

function lineOf(message: unknown, details: readonly unknown[]): string {
  return [message, ...details].map(String).join(' ');
}
