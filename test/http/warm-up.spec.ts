// runs: in full only
import { createServer, type RequestListener } from 'node:http';
import { OWN_CALLER } from '../../src/serve/access/keys/caller.js';
import { KeyVerifier } from '../../src/serve/access/keys/key-verifier.js';
import { presentedKey } from '../../src/serve/access/keys/presented-key.js';
import { ResponseCache } from '../../src/serve/http/response/response-cache.js';
import { warmUp } from '../../src/serve/http/warm-up.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { startTestServer, type TestServer } from '../support/server.js';

const ONCE = { rounds: 1, ms: 60_000 };
const USAGE = `
  SELECT (SELECT count(*) FROM daily_usage) + (SELECT count(*) FROM minute_usage)
         + (SELECT count(*) FROM key_usage) AS rows`;

describe('A server that warms up', () => {
  let database: TestDatabase;
  let service: TestServer;
  let metricsPort: number;

  beforeAll(async () => {
    [database, metricsPort] = [await createTestDatabase('figures'), await freePort()];
    const environment = { METRICS_PORT: String(metricsPort) };
    service = await startTestServer({ database, environment, warmingUp: ONCE });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has answered itself from the cache', () => {
    const { hits, bytes } = service.server.app.get(ResponseCache).stats;
    expect(hits).toBeGreaterThan(10);
    expect(bytes).toBeGreaterThan(10_000);
  });

  it('logs none of these requests', () => {
    expect(service.lines.filter((line) => line.includes('"requestId"'))).toEqual([]);
  });

  it('measures none of them', async () => {
    const text = await (await fetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).text();
    expect(text).toContain('tidemark_http_requests_total');
    expect(text).not.toMatch(/^tidemark_(?:http_requests_total|mcp_tool_calls_total|limit_decisions_total)\{/m);
  });

  it('writes no usage for them, and counts the requests of accounts from one', async () => {
    const { status, headers } = await service.get('/api/v1/changes?limit=20', await service.key());
    expect(status).toBe(200);
    expect(headers.get('x-ratelimit-remaining-minute')).toBe('119');
    await service.close();
    const source = await database.open('admin');
    const [{ rows }] = await source.query<[{ rows: string }]>(USAGE);
    await source.destroy();
    // Of the one request above: its day, its minute, and its key.
    expect(Number(rows)).toBeLessThanOrEqual(3);
    service = await startTestServer({ database });
  });
});

describe('A warm-up', () => {
  const verifier = () => new KeyVerifier({ find: neverAsked } as never, { all: [] } as never);
  const neverAsked = (): never => {
    throw new Error('Nobody asks for this');
  };
  const sent: string[] = [];

  /** A server that handles every request so. */
  const serverOf = (handle: RequestListener) => {
    sent.length = 0;
    return createServer((request, response) => {
      sent.push(presentedKey(request.headers, false).text ?? '');
      handle(request, response);
    });
  };

  it.each<[string, RequestListener]>([
    ['never responds', () => undefined],
    ['breaks the connection', (request) => request.socket.destroy()],
    ['fails', (_, response) => response.writeHead(500).end()],
  ])('ends although the server %s', async (_, handle) => {
    await warmUp(serverOf(handle), verifier(), { rounds: 1, ms: 50 });
    expect(sent.length).toBeGreaterThan(0);
  });

  it('has one key, which is valid until it ends', async () => {
    const keys = verifier();
    const valid: boolean[] = [];
    const server = serverOf((request, response) => {
      valid.push(keys.presentsOwn(request.headers));
      response.end();
    });
    await warmUp(server, keys, ONCE);
    expect(new Set(valid)).toEqual(new Set([true]));
    expect(new Set(sent).size).toBe(1);
    expect(keys.presentsOwn({ authorization: `Bearer ${sent[0] ?? ''}` })).toBe(false);
  });

  it('has a key that is not hashed, and parses no header for it afterwards', async () => {
    const unread = { callers: { find: neverAsked }, peppers: new Proxy({}, { get: neverAsked }) };
    const keys = new KeyVerifier(unread.callers as never, unread.peppers as never);
    await keys.withOwnKey(async (key) => {
      expect(await keys.identify(key)).toEqual({ kind: 'caller', caller: OWN_CALLER });
    });
    const headers = new Proxy({}, { get: neverAsked });
    expect(keys.presentsOwn(headers)).toBe(false);
  });

  it('opens no port', async () => {
    const server = serverOf((_, response) => response.end());
    await warmUp(server, verifier(), ONCE);
    expect([server.listening, server.address()]).toEqual([false, null]);
  });
});
