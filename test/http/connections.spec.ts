import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, sendBytes } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('A connection', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (path: string, headers: Record<string, string> = {}) => exchange(service.url, path, { key, headers });

  it('gets the error of a bad parameter before that of an unknown path segment', async () => {
    expect((await ask('/api/v1/coverage/NOPE?limit=0')).body?.error?.code).toBe('invalid_parameter');
    expect((await ask('/api/v1/coverage/NOPE')).body?.error?.code).toBe('not_found');
  });

  it('gets a normal response to an unknown expectation', async () => {
    expect((await ask('/api/v1/coverage', { expect: 'miracles' })).status).toBe(200);
  });

  it('closes after a request for an upgrade', async () => {
    const reply = await ask('/api/v1/coverage', { connection: 'upgrade', upgrade: 'websocket' });
    expect(reply.status).toBe(200);
    expect(reply.headers.connection).toBe('close');
  });

  it.each(['Authorization: Bearer x', 'Host: y'])('gets a refusal of a second header line %s', async (line) => {
    const lines = ['GET /api/v1/coverage HTTP/1.1', 'Host: x', 'Authorization: Bearer x', line];
    const reply = await sendBytes(service.url, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    expect([reply.status, reply.body?.error?.code]).toEqual([400, 'malformed_request']);
  });
});
