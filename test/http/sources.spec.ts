import type { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { holding, like } from '../support/matchers.js';
import { startTestServer, type Reply, type TestServer } from '../support/server.js';
import { pagesOf, walk } from '../support/walk.js';

interface Change {
  readonly id: string;
  readonly subject: { readonly key: string };
  readonly sources: readonly string[];
}

const LOCALES = exhaustively(['en', 'zh', 'ja'], ['ja']);

let database: TestDatabase;
let service: TestServer;
let publisher: DataSource;

beforeEach(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  publisher = await database.open('import');
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

/** Every source id in a response's data. */
function sourceIds(value: unknown, member = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => sourceIds(item, member));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, held]) => sourceIds(held, name));
  }
  return ['source', 'sources', 'origins'].includes(member) && typeof value === 'string' ? [value] : [];
}

/** Every reachable URL of the service: lists and their items. */
async function addresses(): Promise<string[]> {
  const [coverage, topics, board, changes] = [
    await service.get<{ key: string }[]>('/api/v1/coverage'),
    await service.get<{ slug: string }[]>('/api/v1/topics'),
    await service.get<{ indicators: { slug: string }[]; regions: { code: string }[] }>('/api/v1/macro/board'),
    await walk<Change>(service, '/api/v1/changes?limit=100'),
  ];
  const { indicators, regions } = board.body.data;
  return [
    'changes?limit=100',
    'changes?status=withdrawn',
    'coverage',
    'topics',
    'macro/board',
    ...changes.slice(0, 25).map(({ id }) => `changes/${id}`),
    ...coverage.body.data.map(({ key }) => `coverage/${key}?limit=100`),
    ...topics.body.data.map(({ slug }) => `topics/${slug}?limit=100`),
    ...indicators.flatMap(({ slug }) => [
      `macro/${slug}`,
      `macro/${slug}?asOf=2026-05-01`,
      ...regions.map(({ code }) => `macro/${slug}?region=${code}`),
    ]),
  ].map((path) => `/api/v1/${path}`);
}

/** The text of all reachable responses, in all pages. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const path of await addresses()) {
    for (const locale of LOCALES) {
      const joint = path.includes('?') ? '&' : '?';
      for await (const body of pagesOf(service, `${path}${joint}locale=${locale}`)) {
        texts.push(JSON.stringify(body));
      }
    }
  }
  return texts.join('\n');
}

describe('meta.sources', () => {
  it('names the page of each series at its publisher, of those in the answer and of no others', async () => {
    const { body } = await service.get('/api/v1/macro/gdp-growth?region=JP&locale=ja');
    const wdi = { key: 'gdp-growth', url: 'https://data.worldbank.org/indicator/NY.GDP.MKTP.KD.ZG' };
    expect(body.meta.sources.map(({ id, series }) => [id, series])).toEqual([
      ['oecd-na', []],
      ['worldbank-wdi', [{ ...wdi, name: '実質GDP成長率（前年比、%）' }]],
    ]);
    const changes = await service.get<Change[]>('/api/v1/changes?limit=100');
    const named = changes.body.meta.sources.flatMap(({ series }) => series.map(({ key }) => key));
    const subjects = changes.body.data.map(({ subject }) => subject.key.split('@')[0]);
    expect(named).toEqual([...new Set(subjects)].sort());
    const topics = await service.get('/api/v1/topics');
    expect(topics.body.meta.sources).toEqual([]);
  });

  it('contains exactly the source ids in data, each once, on every route and in every locale', async () => {
    for (const path of await addresses()) {
      for (const locale of LOCALES) {
        const joint = path.includes('?') ? '&' : '?';
        const { status, body } = await service.get(`${path}${joint}locale=${locale}`);
        const named = body.meta.sources.map(({ id }) => id);
        expect([path, status, named]).toEqual([path, 200, [...new Set(sourceIds(body.data))].sort()]);
      }
    }
  });

  it('states for each source its publisher, address, licence, and the text to show', async () => {
    const { body } = await service.get('/api/v1/macro/unemployment-rate');
    expect(body.meta.sources).toEqual([
      like({ id: 'ilo-modelled' }),
      {
        id: 'worldbank-wdi',
        name: 'World Development Indicators',
        publisher: 'World Bank',
        series: [like({ key: 'unemployment-rate' })],
        url: 'https://data.worldbank.org',
        level: 'institutional',
        licence: {
          id: 'cc-by-4.0',
          name: 'Creative Commons Attribution 4.0 International',
          url: 'https://creativecommons.org/licenses/by/4.0/',
        },
        attribution: holding('World Bank'),
        notice: null,
        retrievedAt: '2026-07-01',
      },
    ]);
  });

  it('puts a source’s mandatory notice among the notices, once, in the locale', async () => {
    const notice = { en: 'Shown as demanded.', zh: '按要求显示。', ja: '求めに応じて表示。' };
    await publisher.query(`UPDATE sources SET notice = $1 WHERE id IN ('worldbank-wdi', 'ilo-modelled')`, [
      JSON.stringify(notice),
    ]);
    for (const [locale, sentence] of Object.entries(notice)) {
      const { body } = await service.get(`/api/v1/macro/unemployment-rate?region=JP&locale=${locale}`);
      expect(body.meta.notices).toEqual([sentence]);
    }
    expect((await service.get('/api/v1/coverage')).body.meta.notices).toEqual([]);
  });
});

describe('The figures of the Bank for International Settlements', () => {
  /** As an importer would store them: published by BIS itself, or by a publisher that cites BIS as its source. */
  async function storeWithheld(indicator: string, region: string, source: string, origins: string) {
    await publisher.query(
      `WITH made AS (
         INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
         VALUES ($1, $2, $3, $4::text[], false, '2026-04-01') RETURNING id, withheld),
       covered AS (
         INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, data_version)
         SELECT id, '2026-04-01', '2020', '2025', 'retrieved', 2 FROM made)
       INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT id, '2024', '2026-04-01', 987654321, $3, true, 2 FROM made`,
      [indicator, region, source, origins],
    );
  }

  beforeEach(async () => {
    await storeWithheld('official-exchange-rate', 'CH', 'bis', '{}');
    await storeWithheld('lending-rate', 'BR', 'worldbank-wdi', '{bis}');
  });

  it('are in the database, and no route, list, board or count returns them', async () => {
    const [held] = await publisher.query<{ count: number }[]>('SELECT count(*) FROM observations WHERE withheld');
    expect(held?.count).toBe(2);
    const text = await everything();
    const words = ['987654321', '"bis"', 'Bank for International', 'exchange-rate@', 'lending-rate@'];
    expect(words.filter((word) => text.includes(word))).toEqual([]);
    const board = await service.get<{ indicators: { slug: string }[]; regions: { code: string }[] }>(
      '/api/v1/macro/board',
    );
    expect(board.body.data.regions.map(({ code }) => code)).not.toContain('CH');
    expect(board.body.data.indicators).toHaveLength(4);
  });

  it.each([
    ['official-exchange-rate', 'CH'],
    ['lending-rate', 'BR'],
  ])('cause the same responses as if they did not exist: %s of %s', async (indicator, region) => {
    for (const query of ['', `?region=${region}`, `?region=${region}&asOf=2026-04-01`]) {
      const { status, body } = await service.get<{ series: unknown[] }>(`/api/v1/macro/${indicator}${query}`);
      expect([status, body.data.series, body.meta.sources]).toEqual([200, [], []]);
    }
    // The response does not even reveal the day of its first vintage.
    const early = await service.get(`/api/v1/macro/${indicator}?region=${region}&asOf=2020-01-01`);
    expect(early.body.meta.notices).toEqual([
      'This indicator is in the catalogue, but none of its figures are stored here.',
    ]);
  });

  it('derive nothing when they move, nor do those with another withheld origin', async () => {
    const before = await walk<Change>(service, '/api/v1/changes?limit=100');
    await withholdSource(publisher, 'imf-bop', () => new Date('2026-10-01T00:00:00Z'));
    for (const [day, value] of [
      ['2026-08-01', '1'],
      ['2026-08-02', '2'],
    ] as const) {
      const values = { '2024': value, '2025': value };
      const figures = { 'official-exchange-rate CH': values, 'current-account-balance BR': values };
      await importFiles(publisher, OWN, [deliveryOf(day, { figures })], {
        accept: 'a test',
        now: () => new Date('2026-10-01T00:00:00Z'),
      });
    }
    await service.server.app.get(Heartbeat).poll();
    const after = await walk<Change>(service, '/api/v1/changes?limit=100');
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const coverage = await service.get<{ key: string; counts: object; latestChangeAt: unknown }[]>('/api/v1/coverage');
    for (const key of ['currency', 'trade']) {
      expect(coverage.body.data.find((one) => one.key === key)).toMatchObject({
        counts: { days7: 0, days30: 0, total: 0 },
        latestChangeAt: null,
      });
    }
  });
});

describe('A source that is withheld later', () => {
  const total = async (path: string): Promise<number> =>
    (await service.get<{ counts: { total: number } }>(path)).body.data.counts.total;

  it('takes its derived content along: such ids are 404, counts fall, and its figures disappear', async () => {
    const all = await walk<Change>(service, '/api/v1/changes?limit=100');
    const lost = all.filter(({ sources }) => sources.includes('ilo-modelled'));
    const kept = all.filter(({ sources }) => !sources.includes('ilo-modelled'));
    expect([lost.length, kept.length].every((count) => count > 10)).toBe(true);
    expect(await total('/api/v1/topics/unemployment')).toBe(lost.length);
    const cursor = (await service.get('/api/v1/changes?limit=2')).body.meta.page?.nextCursor;

    await withholdSource(publisher, 'ilo-modelled', () => new Date('2026-10-01T00:00:00Z'));
    await service.server.app.get(Heartbeat).poll();

    const left = await walk<Change>(service, '/api/v1/changes?limit=100');
    expect(left.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
    for (const { id } of lost.slice(0, 10)) {
      const gone: Reply = await service.get(`/api/v1/changes/${id}`);
      expect([gone.status, gone.body.error?.code]).toEqual([404, 'not_found']);
    }
    expect(await total('/api/v1/topics/unemployment')).toBe(0);
    expect(await total('/api/v1/coverage/labour')).toBe(0);
    expect((await service.get(`/api/v1/changes?limit=2&cursor=${cursor ?? ''}`)).status).toBe(200);
    const macro = await service.get<{ series: unknown[] }>('/api/v1/macro/unemployment-rate');
    expect(macro.body.data.series).toEqual([]);
    expect(/ilo-modelled|unemployment-rate@/.test(await everything())).toBe(false);
  });

  it('leaves no earlier response in any cache', async () => {
    const before = await service.get('/api/v1/macro/unemployment-rate?region=JP');
    await withholdSource(publisher, 'ilo-modelled', () => new Date('2026-10-01T00:00:00Z'));
    await service.server.app.get(Heartbeat).poll();
    const after = await service.get('/api/v1/macro/unemployment-rate?region=JP', undefined, {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    });
    expect([after.status, after.body.meta.sources, after.body.meta.dataVersion]).toEqual([200, [], 5]);
  });

  it('leaves only empty lists if it publishes everything', async () => {
    await withholdSource(publisher, 'worldbank-wdi', () => new Date('2026-10-01T00:00:00Z'));
    await service.server.app.get(Heartbeat).poll();
    expect(/worldbank|World Bank|世界银行|世界銀行/.test(await everything())).toBe(false);
    expect(await walk(service, '/api/v1/changes')).toEqual([]);
  });
});
