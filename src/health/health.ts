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
    const { url = '', method } = request;
    if (!url.startsWith('/health/') || (method !== 'GET' && method !== 'HEAD')) {
      next();
      return;
    }
    const path = url.split('?', 1)[0];
    if (path === '/health/live') send(request, response, 200, LIVE);
    else if (path === '/health/ready') {
      const { report } = readiness;
      const status = report.status === 'unready' ? 503 : 200;
      send(request, response, status, Buffer.from(JSON.stringify(report)));
    } else next();
  };
}

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
