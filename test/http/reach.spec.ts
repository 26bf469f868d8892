// runs: in full only
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { sheetRows } from '../../src/publish/batches/spreadsheet.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { unescaped } from '../support/html.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

/** By language: what people type, and the page that they mean. */
const QUESTIONS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/search/questions.json'), 'utf8'),
) as Record<string, Record<string, string>>;
const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
/** Pages that are requested together: far fewer than the service refuses as overload. */
const TOGETHER = 20;

describe('A reader who begins at the home page', () => {
  let database: TestDatabase;
  let service: TestServer;
  let visitors = 0;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    await publishRegister(database);
    service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const open = async (path: string) => {
    visitors += 1;
    const from = `198.51.${String(Math.floor(visitors / 250))}.${String(visitors % 250)}`;
    const { status, headers, bytes } = await exchange(service.url, path, {
      headers: { accept: HTML, 'x-forwarded-for': from },
    });
    return { status, headers, text: bytes.toString() };
  };

  /** The pages that a page links to, without language and other parameters. */
  const linksOf = async (path: string): Promise<string[]> => {
    const { status, text } = await open(`${path}${path.includes('?') ? '&' : '?'}locale=en`);
    expect({ path, status }).toEqual({ path, status: 200 });
    const targets = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => unescaped(href));
    return [...new Set(targets.map((href) => href.replace(/\?.*$/, '')))];
  };

  const all = async (sql: string): Promise<string[]> => {
    const source = await database.open('admin');
    return (await source.query<{ path: string }[]>(sql)).map(({ path }) => path);
  };

  it('reaches every series, instrument, economy and topic in three clicks', async () => {
    const reached = new Set(['/']);
    let edge = ['/'];
    for (let clicks = 0; clicks < 3; clicks++) {
      // The last click need not be followed further, and only lists lead on.
      const lists = edge.filter((path) => /^\/([a-z]*|(?:macro|countries)\/[\w-]+)$/.test(path));
      const next: string[] = [];
      for (let at = 0; at < lists.length; at += TOGETHER) {
        const links = await Promise.all(lists.slice(at, at + TOGETHER).map(linksOf));
        next.push(...links.flat().filter((path) => !reached.has(path)));
      }
      for (const path of next) reached.add(path);
      edge = [...new Set(next)].filter((path) => !/^\/(?:account|docs)/.test(path));
    }
    const wanted = await all(`
      SELECT '/macro/' || indicator || '/' || region AS path FROM series WHERE indicator IS NOT NULL
      UNION SELECT '/markets/' || instrument FROM series WHERE instrument IS NOT NULL
      UNION SELECT '/countries/' || region FROM series WHERE region IS NOT NULL
      UNION SELECT '/topics/' || slug FROM topics`);
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((path) => !reached.has(path))).toEqual([]);
  });

  it('finds every company by one search', async () => {
    const source = await database.open('admin');
    const companies = await source.query<{ slug: string; name: string }[]>(
      'SELECT c.slug, e.name FROM companies c JOIN entities e ON e.id = c.entity_id WHERE c.listed ORDER BY 1 LIMIT 25',
    );
    for (const { slug, name } of companies) {
      expect(await linksOf(`/companies?q=${encodeURIComponent(name)}`)).toContain(`/companies/${slug}`);
    }
  });

  it.each([
    ['GDP Germany', '/macro/gdp/DE'],
    ['unemployment rate US', '/macro/unemployment-rate/US'],
    ['japan inflation', '/macro/cpi-inflation/JP'],
    ['日本 通胀', '/macro/cpi-inflation/JP'],
    ['日本のインフレ率', '/macro/cpi-inflation/JP'],
    ['EURUSD', '/markets/eurusd'],
    ['ユーロ円', '/markets/eurjpy'],
    ['CPI', '/macro/cpi-inflation'],
    ['Germany', '/countries/DE'],
    ['japanese inflation', '/macro/cpi-inflation/JP'],
    ['American unemployment rate', '/macro/unemployment-rate/US'],
    ['US CPI', '/macro/consumer-price-index/US'],
    ['US CPI inflation', '/macro/cpi-inflation/US'],
    ['米国CPI', '/macro/consumer-price-index/US'],
    ['US consumer price index', '/macro/consumer-price-index/US'],
    ['美国消费者物价指数', '/macro/consumer-price-index/US'],
    ['米国 消費者物価指数', '/macro/consumer-price-index/US'],
    ['german consumer price index', '/macro/cpi-inflation/DE'],
    ['german inflaton', '/macro/cpi-inflation/DE'],
    ['policy rate', '/macro/policy-rate-upper/US'],
    ['release calendar', '/calendar'],
    ['latest brief', '/briefs/latest'],
    ['World Bank', '/sources'],
    ['energy prices', '/topics/energy-prices'],
    ['when is the next Fed meeting', '/calendar'],
    ['米GDP', '/macro/gdp/US'],
    ['1ユーロは何円', '/markets/eurjpy'],
    ['latest market brief', '/briefs/latest'],
    ['today’s market brief', '/briefs/latest'],
    ['euro US dollar 14 March 2025', '/markets/eurusd'],
    ['今日简报', '/briefs/latest'],
    ['German', '/countries/DE'],
    ['germny GDP', '/macro/gdp/DE'],
    ['brent crude weekly', '/markets/brent-weekly-average'],
    ['ブレント 月平均', '/markets/brent-monthly-average'],
    ['GDP of Germany', '/macro/gdp/DE'],
    ['the German economy', '/countries/DE'],
    ['unemploymnt in the US', '/macro/unemployment-rate/US'],
    ['unemployment rate by country', '/macro/unemployment-rate'],
    ['世界各國失业率', '/macro/unemployment-rate'],
    ['how many yen for a euro', '/markets/eurjpy'],
    ['2yr treasury par yield', '/markets/us-par-yield-2y'],
    ['美债2年期收益率', '/markets/us-par-yield-2y'],
  ])('finds %s first', async (q, path) => {
    const { text } = await open(`/search?locale=en&q=${encodeURIComponent(q)}`);
    const [, results = ''] = /<ol class="plain results">([\s\S]*?)<\/ol>/.exec(text) ?? [];
    expect(/href="([^"?]*)/.exec(results)?.[1]).toBe(path);
  });

  it('says as what it read a word that is one letter off, and lists what all words name', async () => {
    const { text } = await open('/search?locale=en&q=german%20inflaton');
    expect(text).toContain('Showing results for “german inflation”.');
    const [, results = ''] = /<ol class="plain results">([\s\S]*?)<\/ol>/.exec(text) ?? [];
    expect([...results.matchAll(/href="([^"?]*)/g)].map(([, path]) => path)).toEqual([
      '/macro/cpi-inflation/DE',
      '/macro/cpi-inflation',
      '/countries/DE',
    ]);
    expect((await open('/search?locale=en&q=german%20inflation')).text).not.toContain('Showing results for');
  });

  it.each([
    ['narnia inflation', 'name nothing that is stored here: “narnia”.', '/macro/cpi-inflation'],
    ['日銀 政策金利', 'name nothing that is stored here: “日銀”.', '/macro/policy-rate-upper'],
    ['japan 2-year yield', 'For this economy, no such figures are stored.', '/markets/us-par-yield-2y'],
    ['Japanese policy rate', 'For this economy, no such figures are stored.', '/macro/policy-rate-upper'],
    ['narnia reserves transfer', 'matches all of these words', '/macro/policy-rate-upper'],
  ])('says of %s what of it is not stored, and takes nothing else for it', async (q, text, path) => {
    const { text: page } = await open(`/search?locale=en&q=${encodeURIComponent(q)}`);
    expect(page).toContain(text);
    const [, results = ''] = /<ol class="plain results">([\s\S]*?)<\/ol>/.exec(page) ?? [];
    expect(/href="([^"?]*)/.exec(results)?.[1]).toBe(path);
  });

  it('says of companies alone that no prices of them are stored', async () => {
    const note = 'of which names, identifiers, tickers and group relations are stored, but no prices';
    const [company] =
      await all(`SELECT title ->> 'en' AS path FROM search_texts t JOIN search_documents d ON d.id = t.document
      WHERE d.type = 'company' LIMIT 1`);
    expect((await open(`/search?locale=en&q=${encodeURIComponent(company ?? '')}`)).text).toContain(note);
    expect((await open('/search?locale=en&q=GDP%20Germany')).text).not.toContain(note);
  });

  it('lists other series of the topic beside the one that is named', async () => {
    const { text } = await open('/search?locale=en&q=GDP%20Germany');
    expect(text).toMatch(/href="\/macro\/gdp\/DE[^]*href="\/macro\/gdp-growth\/DE/);
  });

  it('finds nothing by a part of a word that many names have', async () => {
    expect((await open(`/search?locale=zh&q=${encodeURIComponent('上证指数')}`)).text).toContain('没有找到结果');
  });

  it('takes an adjective for an economy beside an indicator only', async () => {
    const { text } = await open('/search?locale=en&q=dutch%20auction');
    expect(text).not.toContain('href="/countries/NL');
  });

  it('gets the right page first for every question', async () => {
    const pages = new Set(
      await all(`
        SELECT '/macro/' || indicator || '/' || region AS path FROM series WHERE indicator IS NOT NULL
        UNION SELECT '/macro/' || indicator FROM series WHERE indicator IS NOT NULL
        UNION SELECT '/markets/' || instrument FROM series WHERE instrument IS NOT NULL
        UNION SELECT '/countries/' || region FROM series WHERE region IS NOT NULL`),
    );
    const stored = Object.entries(QUESTIONS).flatMap(([locale, questions]) =>
      Object.entries(questions).flatMap(([q, path]) => (pages.has(path) ? [{ locale, q, path }] : [])),
    );
    const wrong: string[] = [];
    for (const { locale, q, path } of stored) {
      const { text } = await open(`/search?locale=${locale}&q=${encodeURIComponent(q)}`);
      const [, results = ''] = /<ol class="plain results">([\s\S]*?)<\/ol>/.exec(text) ?? [];
      const first = /href="([^"?]*)/.exec(results)?.[1];
      if (first !== path) wrong.push(`${q}: ${first ?? 'nothing'}`);
    }
    expect(stored.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it.each(['USDJPY', 'ドル円', '美元日元'])('gets both rates behind %s, and no leg in its place', async (q) => {
    const { text } = await open(`/search?locale=en&q=${encodeURIComponent(q)}`);
    expect(text).toContain('No source here publishes USD/JPY');
    expect(text).toContain('href="/markets/eurusd');
    expect(text).toContain('href="/markets/eurjpy');
  });

  it('opens the home in each language, with a form that works without a script', async () => {
    for (const locale of LOCALES) {
      const { status, text } = await open(`/?locale=${locale}`);
      expect(status).toBe(200);
      expect(text).toContain('<form class="search" role="search" action="/search">');
      expect(text).not.toMatch(/<script(?! type="application\/(?:ld\+)?json")/);
    }
  });

  it('downloads a table with all rows, and with source, licence and data version in each', async () => {
    const { status, headers, text } = await open('/markets/eurusd?format=csv&locale=en');
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/csv; charset=utf-8; header=present',
    });
    const [head = '', ...rows] = text.trimEnd().split('\r\n');
    expect(head).toMatch(/^instrument,name,period,value,.*,attribution,licence,licence_url,retrieved_on,data_version$/);
    const [stored] = await all(`
      SELECT count(DISTINCT o.period)::text AS path FROM observations o JOIN series s ON s.id = o.series_id
      WHERE s.instrument = 'eurusd' AND o.valid_to IS NULL AND o.value IS NOT NULL`);
    expect(String(rows.length)).toBe(stored);
    const columns = head.split(',').length;
    expect(rows.every((row) => row.replaceAll(/"[^"]*"/g, '').split(',').length === columns)).toBe(true);
    const book = await exchange(service.url, '/markets/eurusd?format=xlsx&locale=en');
    const sheet = await sheetRows(book.bytes, 'Tidemark', 'eurusd.xlsx');
    expect([book.status, sheet.length, [...(sheet[0]?.values() ?? [])].join(',')]).toEqual([
      200,
      rows.length + 1,
      head,
    ]);
  });

  it('is told how much of a table a page shows, and gets to the rest', async () => {
    const { text } = await open('/markets/eurusd?locale=en');
    expect(text).toMatch(/Newest 40 of [\d,]+/);
    const [, older = ''] = /rel="next" href="([^"]*)"/.exec(text) ?? [];
    expect((await open(unescaped(older))).status).toBe(200);
  });

  it('draws another economy on the same axes, in the table and in the file, at an address of its own', async () => {
    const { text } = await open('/macro/gdp-growth/JP?locale=en&with=US&span=10y');
    expect(text).toContain('<path class="line other"');
    expect(text).toMatch(
      /<th scope="col" class="number">Japan<\/th><th scope="col" class="number">United States<\/th>/,
    );
    expect(text).toContain('<option value="US" selected>');
    const [, readings = ''] = /<script type="application\/json">([^<]*)/.exec(text) ?? [];
    const [, period, , value] = (JSON.parse(readings) as [number, string, number, string][]).at(-1) ?? [];
    expect([period, value]).toEqual([expect.stringMatching(/^20\d\d$/), expect.stringMatching(/%$/)]);
    const [, file = ''] = /href="([^"]*)" rel="nofollow" download/.exec(text) ?? [];
    expect((await open(unescaped(file))).text).toMatch(/,US,United States,/);
  });

  it('offers every span also from the page of a short one, and keeps the day', async () => {
    await (
      await database.open('admin')
    ).query(
      `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT o.series_id, d.day::date::text, o.valid_from, 1.05, o.source_id, o.withheld, o.data_version
       FROM (SELECT o.* FROM observations o JOIN series s ON s.id = o.series_id WHERE s.instrument = 'eurjpy'
             ORDER BY o.period LIMIT 1) o,
         generate_series(o.period::date - interval '11 years', o.period::date - interval '7 days', '7 days') d (day)`,
    );
    const spansOf = async (query: string) => {
      const { text } = await open(`/markets/eurjpy?locale=en${query}`);
      const [, links = ''] = /<nav aria-label="Span">(.*?)<\/nav>/.exec(text) ?? [];
      return [...links.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    };
    const all = await spansOf('');
    expect(all.length).toBeGreaterThan(2);
    expect(await spansOf('&span=1y')).toEqual(all);
    for (const link of await spansOf('&span=1y&to=2026-01-02')) expect(link).toContain('to=2026-01-02');
  });

  it('draws instruments of different units as an index, and a span on request', async () => {
    const { text } = await open('/markets/eurusd?locale=en&with=eurjpy&span=1y');
    expect(text).toMatch(/Index, [^<]* = 100/);
    expect(text).toContain('<input type="hidden" name="span" value="1y">');
    expect((await open('/markets/eurusd?with=nothing&span=2y')).text).not.toContain('class="line other"');
  });

  it('shows one number of decimals a column, and every digit in the file', async () => {
    const { text } = await open('/macro/gdp-growth/JP?locale=en');
    const [, body = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(text) ?? [];
    const values = [...body.matchAll(/<td class="number">([-\d.,]+)<\/td>/g)].map(([, value = '']) => value);
    expect(new Set(values.map((value) => value.split('.')[1]?.length)).size).toBe(1);
  });

  it.each(['/', '/countries/US', '/topics/inflation', '/search?q=inflation'])(
    'subscribes to the changes of %s in a feed reader',
    async (path) => {
      const page = await open(`${path}${path.includes('?') ? '&' : '?'}locale=ja`);
      const [, address = ''] = /type="application\/atom\+xml" title="[^"]*" href="([^"]*)"/.exec(page.text) ?? [];
      const { status, headers, text } = await open(unescaped(address));
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 200,
        type: 'application/atom+xml; charset=utf-8',
      });
      const names: string[] = [];
      const parser = new Parser({ onopentagname: (name) => names.push(name) }, { xmlMode: true });
      parser.end(text);
      expect(text).toContain('xml:lang="ja"');
      expect(names.filter((name) => name === 'entry').length).toBeGreaterThan(0);
      expect(names.filter((name) => name === 'updated').length).toBe(
        names.filter((name) => name === 'entry').length + 1,
      );
    },
  );

  it('says nothing of earlier vintages where there are none', async () => {
    const { text } = await open('/macro/population/US?locale=en');
    if (!text.includes('class="fan"')) expect(text).not.toContain('shaded band');
  });

  it('gets robots.txt and a sitemap whose pages open', async () => {
    expect((await open('/robots.txt')).text).toContain('Sitemap: ');
    const { text } = await open('/sitemap.xml');
    const paths = [...text.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths.filter((_, at) => at % 40 === 0)) {
      expect({ path, status: (await open(unescaped(path))).status }).toEqual({ path, status: 200 });
    }
  });

  it('is shown the nearest names and the search where a page does not exist', async () => {
    const { status, text } = await open('/macro/gpd?locale=en');
    expect(status).toBe(404);
    expect(text).toContain('gdp');
    expect(text).toContain('action="/search"');
  });
});
