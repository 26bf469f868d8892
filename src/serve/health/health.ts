import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from './readiness.js';

const TARGETS = /^\/health\/(?:live|ready)(?:\?|$)/;
const LIVE = Buffer.from('{"status":"live"}');

/**
 * `/health/live` and `/health/ready`, before all other middleware: no key, no limit, no log line. Live is 200 while the
 * event loop runs; ready is 503 if this instance should receive no requests.
 */
export function health(readiness: Pick<Readiness, 'report'>, hardening: Readonly<Record<string, string>> = {}) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!isHealthCheck(request)) next();
    else if (request.url?.startsWith('/health/live') === true) send(request, response, 200, LIVE, hardening);
    else sendReport(request, response, readiness.report, hardening);
  };
}

export function sendReport(
  request: IncomingMessage,
  response: ServerResponse,
  report: Readiness['report'],
  hardening: Readonly<Record<string, string>> = {},
): void {
  const status = report.status === 'unready' ? 503 : 200;
  send(request, response, status, Buffer.from(JSON.stringify(report)), hardening);
}

/** Whether `health` handles the request. */
export function isHealthCheck(request: IncomingMessage): boolean {
  const { method, url = '' } = request;
  return (method === 'GET' || method === 'HEAD') && TARGETS.test(url);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Buffer,
  hardening: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    ...hardening,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
