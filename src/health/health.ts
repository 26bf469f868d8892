import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from './readiness.js';

const LIVE = Buffer.from('{"status":"live"}');

/**
 * `/health/live` and `/health/ready`, before anything else of a request's way: no key, no limit, no log line.
 * Live is 200 while the event loop turns; ready is 503 where this instance should not be asked.
 */
export function health(readiness: Pick<Readiness, 'report'>) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!isHealthQuestion(request)) next();
    else if (pathOf(request) === '/health/live') send(request, response, 200, LIVE);
    else {
      const { report } = readiness;
      const status = report.status === 'unready' ? 503 : 200;
      send(request, response, status, Buffer.from(JSON.stringify(report)));
    }
  };
}

/** What `health` answers, and so nobody else has to. */
export function isHealthQuestion(request: IncomingMessage): boolean {
  const { method, url } = request;
  if (url?.startsWith('/health/') !== true || (method !== 'GET' && method !== 'HEAD')) return false;
  const path = pathOf(request);
  return path === '/health/live' || path === '/health/ready';
}

const pathOf = ({ url }: IncomingMessage): string | undefined => url?.split('?', 1)[0];

function send(request: IncomingMessage, response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
