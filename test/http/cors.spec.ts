import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FRIEND = 'https://app.example';
const PREFLIGHT = { origin: FRIEND, 'access-control-request-method': 'GET' };

let database: TestDatabase;
const services: TestServer[] = [];

async function serviceWith(origins: string): Promise<TestServer> {
  const service = await startTestServer({ database, environment: { CORS_ORIGINS: origins } });
  services.push(service);
  return service;
}

beforeAll(async () => {
  database = await createTestDatabase('figures');
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(() => database.drop());

const named = (headers: Record<string, unknown>, prefix: string): string[] =>
  Object.keys(headers).filter((name) => name.startsWith(prefix));

describe('The service without CORS_ORIGINS', () => {
  it('allows no origin and no preflight', async () => {
    const { url, key } = await serviceWith('');
    const got = await exchange(url, '/api/v1/topics', { key: await key(), headers: { origin: FRIEND } });
    const preflight = await exchange(url, '/api/v1/topics', { method: 'OPTIONS', headers: PREFLIGHT });
    expect(named(got.headers, 'access-control')).toEqual([]);
    expect(named(preflight.headers, 'access-control')).toEqual([]);
    expect(got.headers.vary).toBe('authorization, accept-encoding');
  });

  it('answers OPTIONS without a key, with the allowed methods', async () => {
    const { url } = await serviceWith('');
    for (const path of ['/api/v1/topics', '/api/v1/none', '/api/v1']) {
      const { status, headers, bytes } = await exchange(url, path, { method: 'OPTIONS' });
      expect([status, headers.allow, bytes.length]).toEqual([204, 'GET, HEAD, OPTIONS', 0]);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-language': 'en' });
      expect(headers['x-request-id']).toBeDefined();
    }
  });
});

describe('The service with CORS_ORIGINS', () => {
  it('answers a preflight of an allowed origin without a key', async () => {
    const { url } = await serviceWith(`${FRIEND}, https://other.example`);
    const { status, headers } = await exchange(url, '/api/v1/topics', {
      method: 'OPTIONS',
      headers: { ...PREFLIGHT, 'access-control-request-headers': 'authorization' },
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'authorization, if-none-match, x-request-id',
      vary: 'authorization, accept-encoding, origin',
    });
  });

  it('exposes limit, etag, link and request-id headers, and allows no cookies', async () => {
    const { url, key } = await serviceWith(FRIEND);
    const { headers } = await exchange(url, '/api/v1/topics', { key: await key(), headers: { origin: FRIEND } });
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-ratelimit-limit-minute',
        'x-ratelimit-limit-day',
        'x-ratelimit-remaining-minute',
        'x-ratelimit-remaining-day',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'etag',
        'link',
        'x-request-id',
      ]),
    );
    expect(headers['access-control-allow-origin']).toBe(FRIEND);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets an allowed origin read errors too', async () => {
    const { url } = await serviceWith(FRIEND);
    const { status, headers } = await exchange(url, '/api/v1/topics', { headers: { origin: FRIEND } });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, FRIEND]);
  });

  it.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null'])(
    'allows no other origin: %s',
    async (origin) => {
      const { url, key } = await serviceWith(FRIEND);
      const { status, headers } = await exchange(url, '/api/v1/topics', { key: await key(), headers: { origin } });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toBe('authorization, accept-encoding, origin');
    },
  );

  it('allows every origin by *', async () => {
    const { url } = await serviceWith('*');
    const { headers } = await exchange(url, '/api/v1/topics', { method: 'OPTIONS', headers: PREFLIGHT });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});
