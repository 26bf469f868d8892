import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner } from '../support/site-owner.js';

const PAGE = '/account/try';

let database: TestDatabase;
let service: TestServer;
const clock = new StoppedClock(new Date().toISOString());
beforeAll(async () => {
  database = await createTestDatabase('full');
  service = await startTestServer({ database, clock });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

// Each test begins with rested limits.
beforeEach(() => clock.advance(61_000));

const plain = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
}

describe('The explorer', () => {
  it('offers every route of the OpenAPI document with its parameters', async () => {
    const { visitor } = await siteOwner(service, database, 'routes');
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: Operation }>;
    };
    const operations = Object.values(document.paths).map(({ get }) => get);
    expect(operations.length).toBeGreaterThan(20);
    for (const { operationId, parameters } of operations) {
      await visitor.open(`${PAGE}?route=${operationId}`);
      expect([operationId, visitor.status]).toEqual([operationId, 200]);
      const fields = [...visitor.html.matchAll(/name="in_([^"]+)"/g)].map(([, name]) => name);
      expect({ operationId, fields }).toEqual({ operationId, fields: parameters.map(({ name }) => name) });
    }
  });

  it('shows the response, its sources and the limits, which count as for a program', async () => {
    const { visitor, key } = await siteOwner(service, database, 'shown');
    const { headers } = await service.get('/api/v1/topics', key);
    const left = Number(headers.get('x-ratelimit-remaining-day'));
    await visitor.open(PAGE);
    const route = /<option value="(\w+)">\/api\/v1\/macro\/\{indicator\}/.exec(visitor.html)?.[1] ?? '';
    await visitor.open(`${PAGE}?route=${route}`);
    await visitor.send(PAGE, { route, key, in_indicator: 'gdp-growth', in_region: 'JP' });
    const shown = plain(visitor.html);
    expect(shown).toContain('/api/v1/macro/gdp-growth?region=JP');
    expect(shown).toContain('"slug": "gdp-growth"');
    expect(shown).toContain(`${(left - 1).toLocaleString('en')} of 100,000`);
    expect(shown).toContain('World Bank');
    expect(shown).toContain('rel="license"');
    const after = await service.get('/api/v1/topics', key);
    expect(Number(after.headers.get('x-ratelimit-remaining-day'))).toBe(left - 2);
  });

  it('shows a refusal of the API with its status and when to try again', async () => {
    const { visitor, key } = await siteOwner(service, database, 'limited', { plan: 'free' });
    await visitor.open(`${PAGE}?route=listTopics`);
    for (const status of ['200', '429']) {
      await visitor.send(PAGE, { route: 'listTopics', key });
      expect(visitor.html).toMatch(new RegExp(`<strong class="\\w+">${status}</strong>`));
    }
    expect(plain(visitor.html)).toContain('"code": "minute_limit_exceeded"');
    expect(visitor.html).toContain('Retry after');
  });

  it('neither shows nor logs the key, whichever field it is put into', async () => {
    const { visitor, key } = await siteOwner(service, database, 'secret');
    await visitor.open(`${PAGE}?route=listChanges`);
    for (const fields of [{ key }, { key, in_q: key }, { key: '', in_q: `a ${key}` }, { key: `${key}x` }]) {
      await visitor.send(PAGE, { route: 'listChanges', ...fields });
      expect(visitor.status).toBe(200);
      expect(visitor.html).not.toContain(key);
      expect(visitor.headers['cache-control']).toBe('no-store');
    }
    expect(service.lines.join('\n')).not.toContain(key);
  });

  it('asks only routes of this service, whatever a field contains', async () => {
    const { visitor, key } = await siteOwner(service, database, 'ssrf');
    const hostile = ['../../../account', '..', '//evil.example/', 'http://evil.example/', '%2e%2e/x', 'x\r\nhost: y'];
    const id = 'getChange';
    for (const text of hostile) {
      await visitor.open(`${PAGE}?route=${id}`);
      await visitor.send(PAGE, { route: id, key, in_id: text });
      expect([text, visitor.status]).toEqual([text, 200]);
      expect(visitor.html).toMatch(/<strong class="mistake">4\d\d<\/strong>/);
    }
    for (const route of ['http://evil.example/', '/account', 'toString', '']) {
      await visitor.open(PAGE);
      await visitor.send(PAGE, { route, key });
      expect([route, visitor.status]).toEqual([route, 200]);
      expect(visitor.html).not.toContain('id="response"');
    }
  });

  it('counts a wrong key against the address of the person', async () => {
    const { visitor } = await siteOwner(service, database, 'guesses');
    await visitor.open(`${PAGE}?route=listTopics`);
    const codes = [];
    for (let guess = 0; guess < 22; guess += 1) {
      await visitor.send(PAGE, { route: 'listTopics', key: `tm_${String(guess).padStart(36, '0')}` });
      codes.push(/"code": "(\w+)"/.exec(plain(visitor.html))?.[1]);
    }
    expect(codes.at(-1)).toBe('too_many_failed_attempts');
    const direct = await service.get('/api/v1/topics', 'tm_000000000000000000000000000000000000');
    expect(direct.body.error?.code).toBe('too_many_failed_attempts');
  });

  it('names a path parameter that is missing, and shows a long body in part', async () => {
    const { visitor, key } = await siteOwner(service, database, 'bounds');
    const id = 'getChange';
    await visitor.open(`${PAGE}?route=${id}`);
    await visitor.send(PAGE, { route: id, key, in_id: '' });
    expect([visitor.status, visitor.html]).toEqual([400, expect.stringContaining('This route needs id.')]);
    await visitor.open(`${PAGE}?route=listChanges`);
    await visitor.send(PAGE, { route: 'listChanges', key, in_limit: '100' });
    expect(visitor.html).toContain('The body is longer');
    expect(visitor.html.length).toBeLessThan(2_000_000);
  });

  it.each(['en', 'zh', 'ja'])('works in %s, and only from its own page', async (locale) => {
    const { visitor, key } = await siteOwner(service, database, `own-${locale}`);
    await visitor.open(`${PAGE}?route=listTopics&locale=${locale}`);
    await visitor.send(`${PAGE}?locale=${locale}`, { route: 'listTopics', key, in_locale: locale });
    expect([visitor.status, visitor.headers['content-language']]).toEqual([200, locale]);
    expect(visitor.html).toContain('<strong class="done">200</strong>');
    expect(visitor.html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script|undefined/);
    await visitor.send(PAGE, { route: 'listTopics', key }, { origin: 'https://evil.example' });
    expect(visitor.status).toBe(403);
  });
});
