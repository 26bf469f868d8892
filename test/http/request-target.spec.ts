import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sendBytes } from '../support/exchange.js';
import { faultyLines } from '../support/log-faults.js';
import { startProcess, until } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

const NO_AUTHORITY = [
  'http://x:99999',
  'http://%zz',
  'http://@',
  'http://a%00b',
  'http://0x7f.1.1.1.1',
  'http://',
  'http://u:p@x',
  'http://[1,2]',
  'http://x:[]',
  'http://zqa%x%pzqz@x',
  'http://x:--help',
];
const request = (target: string, key: string) =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`;

describe('A request target in absolute form', () => {
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

  const get = (target: string) => sendBytes(service.url, request(target, key));

  it.each(NO_AUTHORITY)('gets 400 if its authority is invalid: %s', async (authority) => {
    const { status, body } = await get(`${authority}/api/v1/changes?limit=1`);
    expect([status, body?.error?.code]).toEqual([400, 'malformed_request']);
  });

  it.each(['http://example.com', 'HTTP://example.com:8080', 'https://[2001:db8::1]:443', 'http://10.0.0.1:'])(
    'gets the response of its path and query, with the same link to the next page: %s',
    async (authority) => {
      const [plain, absolute] = [
        await get('/api/v1/changes?limit=1'),
        await get(`${authority}/api/v1/changes?limit=1`),
      ];
      expect([absolute.status, absolute.bytes]).toEqual([200, plain.bytes]);
      expect(absolute.headers.link).toBe(plain.headers.link);
      expect(absolute.headers.link).toContain(`<${service.url}/api/v1/changes?`);
    },
  );

  it('counts completely towards the bound of 8,192 bytes', async () => {
    const bytes = (authority: number) => `http://${'a'.repeat(63)}.${'b'.repeat(authority)}/api/v1/topics`;
    expect((await get(bytes(60))).status).toBe(200);
    const { status, body } = await get(bytes(8_192));
    expect([status, body?.error?.code]).toEqual([414, 'uri_too_long']);
  });

  it('reaches the health check too', async () => {
    expect((await get('http://x/health/live')).status).toBe(200);
  });
});

describe('A request target that no library can parse', () => {
  it('gets a JSON error, and the process writes only ordinary log lines', async () => {
    const database = await createTestDatabase('figures');
    const server = await startProcess(database);
    const service = await startTestServer({ database });
    try {
      const key = await service.key();
      const before = server.output().length;
      const targets = NO_AUTHORITY.flatMap((authority) => [
        `${authority}/api/v1/topics`,
        // The origin form of a path whose first segment is empty.
        `${authority.slice(5)}/api/v1/topics`,
      ]);
      for (const target of targets) {
        const { status, body } = await sendBytes(server.url, request(target, key));
        expect([target, [400, 404].includes(status), typeof body?.error?.code]).toEqual([target, true, 'string']);
      }
      const { headers } = await sendBytes(server.url, request('/api/v1/topics', key));
      const written = () => server.output().slice(before);
      await until(10_000, 'the last line', () => Promise.resolve(written().includes(String(headers['x-request-id']))));
      expect(faultyLines(written(), false)).toEqual([]);
    } finally {
      await service.close();
      await server.stop();
      await database.drop();
    }
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    ['http://api.example.com', undefined],
    ['https://api.example.com', 'max-age=31536000'],
  ])('is sent only by a service whose address is https, and binds no other host: %s', async (baseUrl, sent) => {
    const database = await createTestDatabase('figures');
    const service = await startTestServer({ database, baseUrl });
    try {
      const answers = [await service.get('/api/v1/topics'), await service.get('/docs/errors', null)];
      const unreadable = await sendBytes(service.url, 'GET\r\n\r\n');
      expect(answers.map(({ headers }) => headers.get('strict-transport-security') ?? undefined)).toEqual([sent, sent]);
      expect(unreadable.headers['strict-transport-security']).toBe(sent);
    } finally {
      await service.close();
      await database.drop();
    }
  });
});
