import { context, type Attributes, type Span } from '@opentelemetry/api';
import pg from 'pg';
import { childSpan, fail } from './spans.js';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;

const MOST_TEXT = 300;
const FIRST_TABLE = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)/i;

/**
 * Creates a span for every SQL statement of a request by wrapping the driver's methods, only in a process that traces.
 * @returns a function that restores the driver
 */
export function traceStatements(): () => void {
  const client = pg.Client.prototype as unknown as Record<'query', AnyFunction>;
  const pool = pg.Pool.prototype as unknown as Record<'connect', AnyFunction>;
  const { query } = client;
  const { connect } = pool;
  client.query = function (...given) {
    return traced(given, (passed) => query.apply(this, passed));
  };
  // After a wait for a connection, continue in the caller's context, not in that of the client's release.
  pool.connect = function (callback, ...rest) {
    const bound = typeof callback === 'function' ? context.bind(context.active(), callback) : callback;
    return connect.apply(this, bound === undefined ? [] : [bound, ...rest]);
  };
  return () => {
    client.query = query;
    pool.connect = connect;
  };
}

function traced(given: unknown[], send: (given: unknown[]) => unknown): unknown {
  const text = textOf(given[0]);
  const span = text === undefined ? undefined : childSpan(summaryOf(text), attributesOf(text, given[0]));
  if (span === undefined) return send(given);
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    const bound = context.bind(context.active(), callback as AnyFunction);
    const ended: AnyFunction = function (error, ...rest) {
      end(span, error);
      return bound.call(this, error, ...rest);
    };
    return send([...given.slice(0, -1), ended]);
  }
  const sent = send(given);
  if (sent instanceof Promise) {
    sent.then(
      () => end(span, null),
      (error: unknown) => end(span, error),
    );
  } else span.end();
  return sent;
}

function end(span: Span, error: unknown): void {
  if (error != null) fail(span, error);
  span.end();
}

/** Undefined for anything but a statement, such as the stream of a COPY. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  const { text, submit } = (statement ?? {}) as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : undefined;
}

/** The verb and the first table: `SELECT changes`. */
export function summaryOf(text: string): string {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const table = FIRST_TABLE.exec(text)?.[1];
  return table === undefined || verb === 'BEGIN' ? verb : `${verb} ${table}`;
}

function attributesOf(text: string, statement: unknown): Attributes {
  const { name } = statement as { name?: unknown };
  return {
    'db.system.name': 'postgresql',
    'db.query.summary': summaryOf(text),
    'db.query.text': withoutLiterals(text),
    ...(typeof name === 'string' && { 'db.statement.name': name }),
  };
}

/** The beginning of a statement without its literals. Parameters are not part of the text. */
export function withoutLiterals(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_TEXT);
}
