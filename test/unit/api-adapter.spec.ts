import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { ApiAdapter } from '../../src/serve/http/api-adapter.js';

describe('A message of the HTTP server', () => {
  it('is born with Express’s prototypes, so that Express changes the shape of none', async () => {
    const adapter = new ApiAdapter();
    adapter.initHttpServer();
    const app = adapter.getInstance<Express>();
    const server = adapter.getHttpServer() as Server;
    const born: boolean[] = [];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      born.push(Object.getPrototypeOf(request) === app.request);
      born.push(Object.getPrototypeOf(response) === app.response);
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    server.closeAllConnections();
    server.close();
    expect(born).toEqual([true, true]);
  });
});
