// runs: in full only
import { connect } from 'node:net';
import { makeKeyText } from '../../src/serve/access/keys/key-text.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { everyNth } from '../support/exhaustive.js';
import { until } from '../support/processes.js';
import { freePort } from '../support/free-port.mjs';
import { describeIf, isInstalled } from '../support/needs.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startBalancer } from '../support/together.js';

const TOPICS = '/api/v1/topics';
/** Headers by which proxies of all kinds describe a client; no client may set them. */
const FORWARDING = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-cluster-client-ip',
  'x-originating-ip',
  'x-remote-addr',
  'client-ip',
  'via',
];
const said = (name: string, address: string): string =>
  name === 'forwarded' ? `for=${address};proto=https;host=other.example` : address;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('figures');
});
afterAll(() => database.drop());

describe.each([
  ['no proxy is trusted', {}, FORWARDING],
  [
    'a proxy is trusted: only x-forwarded-for is its word',
    { TRUSTED_PROXIES: '127.0.0.1' },
    FORWARDING.filter((name) => name !== 'x-forwarded-for'),
  ],
])('A service where %s', (_, environment, names) => {
  let service: TestServer;
  beforeEach(async () => {
    service = await startTestServer({ database, environment });
  });
  afterEach(() => service.close());

  it('counts failed attempts for the same address, whatever client the headers name', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      const headers = Object.fromEntries(names.map((name) => [name, said(name, `203.0.113.${count}`)]));
      statuses.push((await exchange(service.url, TOPICS, { key: makeKeyText(), headers })).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
  });

  it('changes no count, response or log line because of headers that name a client, a host or a scheme', async () => {
    const key = await service.key();
    const plain = await exchange(service.url, TOPICS, { key });
    const asked: unknown[] = [];
    for (const [index, name] of [...names, 'x-forwarded-host', 'x-forwarded-proto', 'x-original-url'].entries()) {
      const { status, headers, bytes } = await exchange(service.url, TOPICS, {
        key,
        headers: { [name]: name === 'x-original-url' ? '/docs' : said(name, 'spoofed.example') },
      });
      expect({ name, status, same: bytes.equals(plain.bytes) }).toEqual({ name, status: 200, same: true });
      const left = Number(plain.headers['x-ratelimit-remaining-minute']) - index - 1;
      expect({ name, left: Number(headers['x-ratelimit-remaining-minute']) }).toEqual({ name, left });
      asked.push(headers['x-request-id']);
    }
    await service.logged(asked);
    expect(service.lines.join('\n')).not.toMatch(/203\.0\.113|spoofed|other\.example/);
  });
});

describe('A service behind a trusted proxy', () => {
  it('does not believe an address that the client put before the proxy’s', async () => {
    const service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}, 198.51.100.7` };
      statuses.push((await exchange(service.url, TOPICS, { key: makeKeyText(), headers })).status);
    }
    await service.close();
    expect(statuses.at(-1)).toBe(429);
  });
});

describeIf(isInstalled('nginx'), 'nginx is not installed')('Behind the nginx of docker/', () => {
  it.each(everyNth(FORWARDING, 4))('identifies a client that sends %s by the address that nginx saw', async (name) => {
    const service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const port = await freePort();
    const stop = await startBalancer(port, [Number(new URL(service.url).port)]);
    try {
      const statuses: number[] = [];
      const asked: unknown[] = [];
      for (let count = 0; count < 21; count += 1) {
        const spoofed = { [name]: said(name, `203.0.113.${count}`) };
        const { status, headers } = await exchange(`http://127.0.0.1:${port}`, TOPICS, {
          key: makeKeyText(),
          headers: spoofed,
        });
        statuses.push(status);
        asked.push(headers['x-request-id']);
      }
      expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
      await service.logged(asked);
      expect(service.lines.join('\n')).not.toContain('203.0.113');
    } finally {
      await stop();
      await service.close();
    }
  });
});

describe('An injected text', () => {
  let service: TestServer;
  beforeAll(async () => {
    service = await startTestServer({ database });
  });
  afterAll(() => service.close());

  /** Line ends in every form that a log, terminal or proxy may accept, and a colour code of terminals. */
  const LINES = ['%0d%0a', '%0a', '%0d', '%E2%80%A8', '%C2%85', '%1b%5b31m', '%00', '\\n'];
  const FORGED = '{"level":"info","message":"forged"}';

  it.each(LINES)('makes no log line of its own in an address: %s', async (end) => {
    const from = service.lines.length;
    const forged = `${end}${encodeURIComponent(FORGED)}`;
    for (const path of [
      `/api/v1/${forged}`,
      `${TOPICS}/${forged}`,
      `${TOPICS}?locale=${forged}`,
      `${TOPICS}?${forged}=1`,
      `/${forged}`,
    ]) {
      await service.get(path);
    }
    // The service writes a line after it has sent the response, so a client can be a moment earlier.
    await until(10_000, 'five lines of the log', () => Promise.resolve(service.lines.length >= from + 5));
    expect(service.lines).toHaveLength(from + 5);
    for (const line of service.lines.slice(from)) {
      const { level, message } = JSON.parse(line) as { level: string; message: string };
      expect({ level, message }).toEqual({ level: 'info', message: expect.not.stringContaining('forged') as string });
    }
  });

  it.each(LINES)('makes no response header in an address: %s', async (end) => {
    const key = await service.key();
    const forged = `${end}x-forged:%20yes${end}${end}<script>`;
    for (const path of [`/api/v1/changes?q=inflation${forged}&limit=1`, `${TOPICS}/${forged}`, `/docs${forged}`]) {
      const { headers, status } = await exchange(service.url, path, { key });
      expect(status).toBeLessThan(500);
      expect(headers['x-forged']).toBeUndefined();
      expect(Object.values(headers).join('\n')).not.toMatch(/x-forged: yes|<script>/);
    }
  });

  it.each([
    ['a line end within a header', 'x-request-id: abcdefgh\rx-forged: yes'],
    ['a folded header', 'x-request-id: abcdefgh\r\n x-forged: yes'],
    ['a NUL within a header', 'x-request-id: abcdefgh\u0000x-forged: yes'],
    ['a length and chunks at once', 'content-length: 4\r\ntransfer-encoding: chunked'],
    ['two lengths', 'content-length: 4\r\ncontent-length: 5'],
    ['a space before the colon', 'transfer-encoding : chunked'],
    ['a coding that is none', 'transfer-encoding: xchunked'],
  ])('is refused as %s, and nothing after it is read', async (_name, line) => {
    const hidden = 'GET /api/v1/hidden HTTP/1.1\r\nhost: x\r\n\r\n';
    const answer = await raw(`POST ${TOPICS} HTTP/1.1\r\nhost: x\r\n${line}\r\n\r\n${hidden}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
    expect(answer).not.toContain('x-forged');
    expect(answer).toContain('"malformed_request"');
  });

  function raw(bytes: string): Promise<string> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
      let answer = '';
      socket.setTimeout(5_000, () => socket.destroy(new Error(`nothing more came after: ${answer}`)));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.on('error', reject).on('close', () => resolve(answer));
    });
  }
});
