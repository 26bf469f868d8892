// runs: in full only
import { DataSource } from 'typeorm';
import { crawl, sourcesIn, type Answered } from '../support/crawl.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { exchange } from '../support/exchange.js';
import { unescaped } from '../support/html.js';
import { ownerOf } from '../support/own.js';
import { segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

// Requests many responses and pages, and the machine may be busy.
jest.setTimeout(600_000);

const HTML = 'text/html';
/** The number of items of a kind that the test opens per response. */
const ITEMS = exhaustively(3, 1);
/** API paths whose items have a page; a list of changes, an indicator and an entity have none. */
const WITH_PAGE = [
  /^changes\/\w+/,
  /^signals\//,
  /^briefs\//,
  /^companies\//,
  /^markets\/(?!kind)/,
  /^ahead\//,
  /^macro\/[\w-]+\?.*region=/,
];

/** Whole economies, indicators and topics: lists that name them have their address alone. */
const MAY_HAVE_PAGE = [/^changes\?country=\w+$/, /^macro\/[\w-]+$/, /^topics\/[\w-]+$/];

interface Figure {
  readonly text?: string | null;
}

interface Item {
  readonly url: string;
  readonly page?: string;
  readonly headline?: string;
  readonly title?: string;
  readonly figure?: { readonly actual?: Figure } | null;
  readonly actual?: Figure;
  readonly previous?: Figure;
  readonly last?: Figure;
  readonly quote?: { readonly last: Figure } | null;
  readonly observations?: readonly Figure[];
  readonly changes?: readonly Item[];
}

/** Every object with a URL, at any depth. */
function itemsIn(value: unknown): Item[] {
  if (Array.isArray(value)) return value.flatMap(itemsIn);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(itemsIn);
  return 'url' in value && typeof value.url === 'string' ? [value as Item, ...below] : below;
}

/** Texts of an item that its page shows: the newest figure and the headline. */
function textsOf({ headline, title, figure, actual, previous, last, quote, observations }: Item): string[] {
  const newest = observations?.findLast(({ text }) => typeof text === 'string');
  const figures = [figure?.actual, actual, previous, last, quote?.last, newest];
  const texts = [headline, title, ...figures.map((one) => one?.text)];
  return texts.filter((text) => typeof text === 'string');
}

describe('The page of an item', () => {
  let database: TestDatabase;
  let service: TestServer;
  let visitors = 0;
  const wrong: object[] = [];
  const opened = new Map<string, string>();

  beforeAll(async () => {
    database = await createTestDatabase('full');
    await publishRegister(database);
    service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** Each visitor has an address of their own. */
  async function open(page: string): Promise<string> {
    const kept = opened.get(page);
    if (kept !== undefined) return kept;
    visitors += 1;
    const from = `198.51.${String(Math.floor(visitors / 250))}.${String(visitors % 250)}`;
    const path = page.slice(service.url.length);
    const { status, bytes } = await exchange(service.url, path, { headers: { accept: HTML, 'x-forwarded-for': from } });
    const html = status === 200 ? unescaped(bytes.toString()) : '';
    if (status !== 200) wrong.push({ page, status });
    opened.set(page, html);
    return html;
  }

  async function check({ address, body }: Answered): Promise<void> {
    const { locale, sources } = body.meta;
    const seen = new Map<string, number>();
    for (const item of itemsIn(body.data)) {
      const path = item.url.split('/api/v1/')[1] ?? '';
      const expected = WITH_PAGE.some((one) => one.test(path));
      // A series without figures has no page.
      const isFree = MAY_HAVE_PAGE.some((one) => one.test(path)) || /^(?:\/api\/v1\/)?series/.test(address);
      if (!isFree && (item.page !== undefined) !== expected) wrong.push({ address, url: item.url, page: item.page });
      if (item.page === undefined) continue;
      const kind = path.split('/')[0] ?? '';
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if ((seen.get(kind) ?? 0) > ITEMS) continue;
      const html = await open(item.page);
      const ids = sourcesIn(item);
      const shown = [
        ...textsOf(item),
        ...sources.filter(({ id }) => ids.includes(id)).map(({ attribution }) => attribution),
      ];
      const absent = shown.filter((text) => !html.includes(text));
      const language = item.page.endsWith(`locale=${locale}`);
      if (absent.length > 0 || !language) wrong.push({ address, page: item.page, absent });
    }
  }

  it('opens from every route and tool, in the language of the answer, and shows the same figure and sources', async () => {
    const reader = service.server.app.get(DataSource);
    const segments = await segmentsIn(reader, 2);
    const owner = await ownerOf(service, 'links');
    await owner.follow('country', 'JP');
    await owner.follow('series', 'gdp-growth@JP');
    await owner.follow('instrument', 'eurusd');
    await owner.alert({ type: 'country', key: 'JP', metric: 'any_change' });
    const itinerary = { segments, words: ['inflation'], countries: ['JP', 'US'], days: ['2026-07-01'] };
    const asked = new Set<string>();
    for await (const answered of crawl(service, owner, itinerary)) {
      if (answered.status !== 200) continue;
      asked.add(answered.path);
      await check(answered);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    const kinds = [...opened.keys()].map((page) => page.slice(service.url.length + 1).split('/')[0] ?? '');
    expect([...new Set(kinds)].sort()).toEqual([
      'briefs',
      'calendar',
      'changes',
      'companies',
      'countries',
      'macro',
      'markets',
      'signals',
    ]);
    expect(asked.size).toBeGreaterThan(25);
  });
});
