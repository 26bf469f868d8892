import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `GET /metrics` on a separate port: metrics are for the operator, so the public port never serves them. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const isMetrics = request.url?.split('?', 1)[0] === '/metrics';
    if (!isMetrics || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isMetrics ? 405 : 404, { 'content-type': 'text/plain' });
      response.end(isMetrics ? 'Only GET\n' : 'Metrics are at /metrics\n');
      return;
    }
    metrics.text().then(
      (text) => {
        response.writeHead(200, { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' });
        response.end(text);
      },
      () => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.end('Metrics cannot be read now\n');
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    // EADDRINUSE must name this port, not the public one.
    throw Object.assign(error as Error, { variable: 'METRICS_PORT' });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
