// runs: in full only
import { Heartbeat } from '../../src/store/heartbeat.js';
import { LoadShedder } from '../../src/serve/http/overload/load-shedder.js';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { freePort } from '../support/free-port.mjs';
import { Lifeline } from '../support/lifeline.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner } from '../support/site-owner.js';
import { until } from '../support/until.js';

const PUBLIC = '/markets/eurusd';
const ACCOUNT = ['/account', '/account/keys/new', '/account/follows', '/account/alerts', '/account/sessions'];
const AWAY: Readonly<Record<Locale, string>> = {
  en: 'Not available at the moment',
  zh: '服务暂不可用',
  ja: '現在ご利用いただけません',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('full');
});
afterAll(() => database.drop());

const open = ({ url }: TestServer, path: string, locale: Locale = 'en', cookie = '') =>
  exchange(url, `${path}?locale=${locale}`, { headers: { accept: 'text/html', cookie } });

describe('A page without Redis', () => {
  it('opens as with it, for a reader and for an owner', async () => {
    const REDIS_URL = `redis://127.0.0.1:${String(await freePort())}`;
    const service = await startTestServer({ database, environment: { REDIS_URL } });
    const { visitor } = await siteOwner(service, database, 'without-redis');
    for (const path of [PUBLIC, '/calendar', '/briefs/latest', '/account/sign-in', ...ACCOUNT]) {
      expect([path, (await open(service, path, 'en', visitor.cookie)).status]).toEqual([path, 200]);
    }
    await visitor.open('/account/keys/new');
    await visitor.send('/account/keys/new', { name: 'laptop' });
    expect(visitor.html).toMatch(/tm_[0-9A-Za-z]{36}/);
    await service.close();
  });
});

describe('A page without PostgreSQL', () => {
  let lifeline: Lifeline;
  let service: TestServer;
  let cookie: string;
  beforeAll(async () => {
    lifeline = await Lifeline.to(database.connections);
    service = await startTestServer({ database, connections: lifeline.connections });
    ({ cookie } = (await siteOwner(service, database, 'without-postgresql')).visitor);
    expect((await open(service, PUBLIC)).status).toBe(200);
    await lifeline.cut();
    await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
  });
  afterAll(async () => {
    await lifeline.cut();
    await lifeline.mend();
    await service.close();
    await lifeline.cut();
  });

  it.each(LOCALES)('says so in %s, with the time to try again', async (locale) => {
    for (const path of ['/calendar', '/markets/gold', ...ACCOUNT]) {
      const { status, headers, bytes } = await open(service, path, locale, cookie);
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
      expect([path, headers['content-language']]).toEqual([path, locale]);
      expect(headers['cache-control']).toBe('no-store');
      expect(bytes.toString()).toContain(`<h1>${AWAY[locale]}</h1>`);
    }
  });

  it('is still shown if it was rendered before', async () => {
    expect((await open(service, PUBLIC)).status).toBe(200);
  });

  it('opens again with the session as before, once PostgreSQL is back', async () => {
    await lifeline.mend();
    await until(20_000, 'the account', async () => (await open(service, '/account', 'en', cookie)).status === 200);
    await until(20_000, 'the calendar', async () => (await open(service, '/calendar')).status === 200);
    await lifeline.cut();
  });
});

describe('A page of a busy instance', () => {
  let service: TestServer;
  beforeAll(async () => {
    service = await startTestServer({ database });
  });
  afterAll(() => service.close());

  /** While so many other requests are in flight. */
  async function among(count: number, which: 'requests' | 'cacheMisses', work: () => Promise<void>) {
    const limiter = service.server.app.get(LoadShedder)[which];
    for (let one = 0; one < count; one += 1) limiter.acquire();
    try {
      await work();
    } finally {
      for (let one = 0; one < count; one += 1) limiter.release();
    }
  }

  // Half of what starts shedding, and one more: docs/explanation/overload.md.
  it.each([
    ['requests', 101],
    ['cacheMisses', 51],
  ] as const)('is refused before any request of the API: %s', async (which, count) => {
    const { visitor, key } = await siteOwner(service, database, `busy-${which}`.toLowerCase());
    await among(count, which, async () => {
      for (const path of [PUBLIC, '/calendar', '/account/sign-in', ...ACCOUNT]) {
        const { status, headers } = await open(service, path, 'ja', visitor.cookie);
        expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
      }
      const answers = await Promise.all(
        ['changes?limit=3', 'topics', 'following', 'alerts', 'changes?limit=4'].map(async (path) => {
          const { status } = await service.get(`/api/v1/${path}`, key);
          return [path, status];
        }),
      );
      expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    });
    expect((await open(service, PUBLIC)).status).toBe(200);
  });
});
