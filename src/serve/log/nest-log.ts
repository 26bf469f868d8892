import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

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
