// runs: in full only
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startProcess, until, type ServerProcess } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

const CHANGES = '/api/v1/changes?limit=3';
/** Long enough for some requests, even on a busy machine. */
const GRACE_MS = 5_000;

describe('A draining instance', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    database = await createTestDatabase('figures');
  });
  beforeEach(async () => {
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterEach(() => service.close());
  afterAll(async () => {
    agent.destroy();
    await database.drop();
  });

  const ask = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      get(service.url + path, { agent, headers }, (response) => {
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
      }).on('error', reject);
    });

  it('announces it first, responds further, and asks clients to use another connection', async () => {
    expect(await ask(CHANGES)).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = service.server.close(GRACE_MS);
    expect(await ask('/health/ready')).toEqual({ status: 503, connection: 'close' });
    expect(await ask(CHANGES)).toEqual({ status: 200, connection: 'close' });
    expect((await ask('/health/live')).status).toBe(200);
    await closed;
    await expect(ask(CHANGES)).rejects.toThrow('ECONNREFUSED');
  });

  it('finishes requests in progress and accepts no new ones', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    socket.write(
      `POST /api/v1/mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await until(5_000, 'the request', () => Promise.resolve(received.includes(' 100 ')));
    const closed = service.server.close();
    await until(5_000, 'no listening', () =>
      ask(CHANGES).then(
        () => false,
        () => true,
      ),
    );
    socket.write(body);
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1.1 200 /m);
    await closed;
  });
});

describe('A process that is told to stop', () => {
  let database: TestDatabase;
  let one: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
  });
  afterEach(() => one.stop());
  afterAll(() => database.drop());

  it('responds for its grace period, then exits with 0, and logs both', async () => {
    one = await startProcess(database, { DRAIN_SECONDS: String(GRACE_MS / 1_000) });
    const ended = one.signal('SIGTERM');
    await until(5_000, 'unready', async () => (await fetch(`${one.url}/health/ready`)).status === 503);
    expect((await fetch(`${one.url}/docs/errors`)).status).toBe(200);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(one.output()).toContain('stopping: answering for another 5 s');
    expect(one.output()).toContain('"message":"stopped"');
  });

  it('has no grace period for Ctrl-C, and counts two simultaneous signals as one', async () => {
    one = await startProcess(database, { DRAIN_SECONDS: '300' });
    void one.signal('SIGINT');
    expect(await one.signal('SIGINT')).toEqual({ code: 0, signal: null });
    expect(one.output()).toContain('"message":"stopped"');
  });

  it('ends at once on a second signal', async () => {
    one = await startProcess(database, { DRAIN_SECONDS: '300' });
    const ended = one.signal('SIGTERM');
    let gone = false;
    void ended.then(() => (gone = true));
    await until(10_000, 'the end', () => {
      if (!gone) void one.signal('SIGTERM');
      return Promise.resolve(gone);
    });
    expect(await ended).toEqual({ code: 143, signal: null });
    expect(one.output()).not.toContain('"message":"stopped"');
  });

  it('ends although a client keeps its connection', async () => {
    one = await startProcess(database);
    const { port } = new URL(one.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /api/v1/changes HTTP/1.1\r\nHost');
    await once(socket, 'connect');
    const began = performance.now();
    expect(await one.signal('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(one.output()).toContain('"connections":1');
  });
});
