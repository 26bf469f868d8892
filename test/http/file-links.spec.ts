import { Heartbeat } from '../../src/store/heartbeat.js';
import { UsageRecorder } from '../../src/serve/limits/usage-recorder.js';
import { sheetRows } from '../../src/publish/batches/spreadsheet.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner, type SiteOwner } from '../support/site-owner.js';

const PAGE = '/macro/cpi-inflation/JP';
const FOUND = 'JP,Japan,2';

let database: TestDatabase;
let service: TestServer;
let other: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  other = await startTestServer({ database });
});
afterAll(async () => {
  await Promise.all([service.close(), other.close()]);
  await database.drop();
});

let owners = 0;
const owner = (plan: 'free' | 'developer' = 'developer') => siteOwner(service, database, `links-${++owners}`, { plan });

/** Fills the form of the account page for the table of a page, and reads the link from the one page that shows it. */
async function linkOf({ visitor }: SiteOwner, table = PAGE, locale = 'en'): Promise<string> {
  await visitor.open(`/account/links?locale=${locale}&table=${encodeURIComponent(table)}`);
  const [, id = ''] = /name="new_key_id" value="(key_[\w-]+)"/.exec(visitor.html) ?? [];
  await visitor.send(`/account/links?locale=${locale}`, { table, new_key_id: id });
  return /\/files\/tl_[0-9A-Za-z]{36}/.exec(visitor.html)?.[0] ?? '';
}

const read = async (path: string, { url } = service, options = {}) => {
  const { status, headers, bytes } = await exchange(url, path, options);
  return { status, headers, bytes, text: bytes.toString() };
};
const seen = () => Promise.all([service, other].map(({ server }) => server.app.get(Heartbeat).poll()));

describe('A file link', () => {
  it('is offered by the page of its table, and made in each language', async () => {
    const person = await owner();
    for (const locale of ['en', 'zh', 'ja']) {
      const { text } = await read(`${PAGE}?locale=${locale}&span=5y`);
      const [, offer = ''] = /href="(\/account\/links\?[^"]*)"/.exec(text) ?? [];
      await person.visitor.open(offer.replaceAll('&amp;', '&'));
      expect(person.visitor.html).toContain(`value="${PAGE}?span=5y"`);
      const link = await linkOf(person, `https://tidemark.example${PAGE}?span=5y&utm_source=x`, locale);
      const { headers, text: file } = await read(`${link}.csv`);
      expect(headers['content-language']).toBe(locale);
      // The rows of the span, as the page has them.
      expect(file).toBe((await read(`${PAGE}?locale=${locale}&span=5y&format=csv`)).text);
    }
    await person.visitor.open('/account/links');
    expect(person.visitor.html.match(/<code>tl_/g)).toHaveLength(3);
    expect(person.visitor.html).not.toMatch(/tl_[0-9A-Za-z]{36}|undefined/);
    await person.visitor.open('/account/activity');
    expect(person.visitor.html.match(/File link created/g)).toHaveLength(3);
  });

  it('gives the file of its page as CSV and XLSX, counted on the plan and for no shared cache', async () => {
    const person = await owner();
    const link = await linkOf(person);
    const [file, page] = [await read(`${link}.csv`), await read(`${PAGE}?format=csv&locale=en`)];
    expect([file.status, file.text]).toEqual([200, page.text]);
    expect(file.text).toContain(FOUND);
    expect(file.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-ratelimit-remaining-day': '99999',
      'content-type': 'text/csv; charset=utf-8; header=present',
      'x-robots-tag': 'noindex',
    });
    const book = await read(`${link}.xlsx`);
    expect(book.headers['x-ratelimit-remaining-day']).toBe('99998');
    const sheet = await sheetRows(book.bytes, 'Tidemark', 'links.xlsx');
    expect(sheet).toHaveLength(file.text.trimEnd().split('\r\n').length);
    await service.server.app.get(UsageRecorder).flush();
    await person.visitor.open('/account');
    expect(person.visitor.html).toContain('Today 2 of 100,000');
    expect(service.lines.join('\n')).not.toContain(link.slice(-36));
  });

  it('tells the size of its file for nothing, and gives a range of it', async () => {
    const link = await linkOf(await owner('free'));
    const size = await read(`${link}.csv`, service, { method: 'HEAD' });
    const range = { headers: { range: 'bytes=0-9' } };
    const part = await read(`${link}.csv`, service, range);
    expect([size.status, size.text, part.status, part.text]).toEqual([200, '', 206, 'indicator,']);
    expect(part.headers['content-range']).toBe(`bytes 0-9/${String(size.headers['content-length'])}`);
  });

  it('opens one table and nothing else, and a key opens no file', async () => {
    const person = await owner();
    const link = await linkOf(person);
    const secret = link.slice('/files/'.length);
    const reply = await service.get('/api/v1/topics', secret);
    expect([reply.status, reply.body.error?.code]).toEqual([401, 'invalid_key']);
    expect((await service.get(`/api/v1/topics?q=${secret}`, person.key)).body.error?.code).toBe('key_in_query');
    const wrong = [
      `${link}.json`,
      link,
      `${link}.csv.csv`,
      `/files/${person.key}.csv`,
      `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}.csv`,
    ];
    for (const path of wrong) {
      const { status, headers, text } = await read(path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/plain; charset=utf-8']);
      expect(text).toBe('There is no such link: it is incomplete, was revoked or has expired.\n');
    }
    const other = await read(`${link}.csv?region=US&locale=ja&format=xlsx`);
    expect(other.text).toContain(FOUND);
  });

  it('says in one sentence that the plan of its account is used up, as plain text', async () => {
    const link = await linkOf(await owner('free'));
    expect((await read(`${link}.csv`)).status).toBe(200);
    const { status, headers, text } = await read(`${link}.csv`, service, { headers: { accept: 'text/html' } });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      429,
      'text/plain; charset=utf-8',
      'no-store',
    ]);
    expect(text).toMatch(
      /^The account has used the requests that its plan allows in 60 seconds\. Try again in \d+ s\.\n$/,
    );
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('ends on every instance with its revocation, and rests while its account is suspended', async () => {
    const person = await owner();
    const [link, kept] = [await linkOf(person), await linkOf(person, '/macro/cpi-inflation')];
    for (const one of [service, other]) expect((await read(`${link}.csv`, one)).status).toBe(200);
    await person.visitor.open('/account/links');
    const [, id = ''] = /name="id" value="(key_[\w-]+)"/.exec(person.visitor.html) ?? [];
    await person.visitor.send('/account/links/revoke', { id });
    await seen();
    for (const one of [service, other]) {
      expect((await read(`${link}.csv`, one)).status).toBe(404);
      expect((await read(`${kept}.csv`, one)).status).toBe(200);
    }
    await service.access.setStatus(person.email, 'suspended');
    await seen();
    for (const one of [service, other]) {
      const { status, text } = await read(`${kept}.csv`, one);
      expect([status, text]).toEqual([403, expect.stringContaining('suspended')]);
    }
  });

  it('is made for a table that exists, once for each form, and fifty times at most', async () => {
    const { email, visitor } = await owner();
    for (const table of [
      '/macro/cpi-inflation/XX',
      '/macro/none',
      '/account',
      '/api/v1/topics',
      'http://[',
      '/markets/none',
      `${PAGE}?with=${'é'.repeat(60)}`,
    ]) {
      await visitor.open('/account/links');
      await visitor.send('/account/links', { table });
      expect([table, visitor.status]).toEqual([table, 400]);
      expect(visitor.html).toContain('There is no table at this address.');
    }
    for (const status of [200, 400]) {
      await visitor.open('/account/links');
      await visitor.send('/account/links', { table: PAGE, new_key_id: `key_${'a'.repeat(16)}` });
      expect(visitor.status).toBe(status);
    }
    const made = Array.from({ length: 49 }, (_, index) => `key_${String(index).padStart(16, 'b')}`);
    for (const id of made) await service.access.createKey(email, PAGE, null, id, `${PAGE}?locale=en`);
    await visitor.open('/account/links');
    await visitor.send('/account/links', { table: PAGE });
    expect(visitor.html).toContain('An account has at most 50 file links.');
    // Links leave the keys of the plan alone.
    await visitor.open('/account');
    expect(visitor.html).toContain('1 of at most 20 live keys.');
    await expect(service.access.rotateKey(email, made[0] ?? '', 0)).rejects.toThrow();
  });
});
