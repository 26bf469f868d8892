import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('The site beside the API', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const open = (path: string, headers: Record<string, string> = {}) =>
    exchange(service.url, path, { headers: { accept: HTML, ...headers } });

  it('sends an error to a browser as a page, and to a program as JSON', async () => {
    const page = await open('/nothing/here');
    expect(page.status).toBe(404);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-language': 'en',
    });
    expect(page.bytes.toString()).toContain('<h1>');
    const json = await exchange(service.url, '/nothing/here', { headers: { accept: '*/*' } });
    expect([json.status, json.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(json.bytes.toString()).toContain('"not_found"');
  });

  it('never sends a page under the API', async () => {
    const { status, headers } = await open('/api/v1/nothing');
    expect([status, headers['content-type']]).toEqual([401, 'application/json; charset=utf-8']);
  });

  it.each([
    ['/nothing?locale=ja', 'zh-CN,zh;q=0.9', 'ja', 'ja'],
    ['/nothing', 'zh-TW,zh;q=0.9,en;q=0.5', 'zh', 'zh-Hans'],
    ['/nothing', 'ja-JP', 'ja', 'ja'],
    ['/nothing', 'fr-FR,de;q=0.8', 'en', 'en'],
    ['/nothing?locale=xx', 'ja', 'ja', 'ja'],
  ])('takes the language %s from the address, otherwise from Accept-Language %s', async (path, liked, locale, lang) => {
    const { headers, bytes } = await open(path, { 'accept-language': liked });
    expect(headers['content-language']).toBe(locale);
    expect(bytes.toString()).toContain(`<html lang="${lang}">`);
  });

  it('serves pages under a policy that allows nothing inline and nothing from other hosts', async () => {
    const { headers, bytes } = await open('/nothing');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = bytes.toString();
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?! type="application\/(?:ld\+)?json")/);
    expect([...html.matchAll(/(?:src|href)="(https?:[^"]+)"/g)]).toEqual([]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('serves the files of pages under names with the hash of their bytes, cacheable for ever', async () => {
    const html = (await open('/nothing')).bytes.toString();
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
    expect(sheet).toMatch(/^\/assets\/site-[0-9a-f]{12}\.css$/);
    const file = await exchange(service.url, sheet, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
    const other = await exchange(service.url, sheet.replace(/-\w+/, '-000000000000'), {});
    expect(other.status).toBe(404);
  });

  it.each(['//evil.example/x', '/\\evil.example/x'])('links to its own host whatever the path: %s', async (path) => {
    const html = (await open(path)).bytes.toString();
    expect(html).not.toMatch(/href="[/\\]{2}/);
  });

  it('renders a hostile path as text', async () => {
    const { status, bytes } = await open('/%3Cscript%3Ealert(1)%3C/script%3E/%22onmouseover=%22x');
    expect(status).toBe(404);
    expect(bytes.toString()).not.toContain('<script>');
    expect(bytes.toString()).not.toContain('"onmouseover');
  });
});
