import { importFiles } from '../../src/publish/import/import-files.js';
import { HeatQuery } from '../../src/serve/resources/heat/heat.schema.js';
import { HeatService } from '../../src/serve/resources/heat/heat.service.js';
import { RequestContext } from '../../src/serve/responses/request-context.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

// One publication a week, for a country with a history of its own and two without.
const WEEKS = 10;
const FIRST = Date.parse('2026-01-05');
const weekly = (at: number): string => new Date(FIRST + at * 7 * 86_400_000).toISOString().slice(0, 10);

describe('Country heat', () => {
  let database: TestDatabase;
  let service: TestServer;
  let heat: HeatService;
  const context = new RequestContext('test', new Date('2026-11-21T00:00:00Z'), '/heat', () => ({}));

  beforeAll(async () => {
    database = await createTestDatabase('empty');
    const publisher = await database.open('import');
    const deliveries = Array.from({ length: WEEKS + 1 }, (_, at) =>
      deliveryOf(weekly(at), {
        figures: {
          'cpi-inflation JP': { '2024': '1', '2025': String(at + 1) },
          ...(at === WEEKS - 1 || at === WEEKS
            ? { 'cpi-inflation US': { '2024': '1', '2025': String(at) }, 'gdp DE': { '2025': String(at) } }
            : {}),
        },
      }),
    );
    await importFiles(publisher, OWN, deliveries, { accept: 'a test', now: () => new Date('2026-08-01T00:00:00Z') });
    service = await startTestServer({ database });
    heat = service.server.app.get(HeatService, { strict: false });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (query: object = {}) => heat.list(HeatQuery.parse(query), context);

  it('ends a window that was asked for in the future with the newest change, and says so', async () => {
    const [future, newest] = [await ask({ until: '2031-01-01' }), await ask()];
    expect(future).toEqual({
      ...newest,
      notices: [...newest.notices, expect.stringContaining('the window ends on 16 March 2026')],
    });
    const later = await ask({ until: '2026-05-01' });
    expect(later.notices).toContainEqual(expect.stringContaining('stored here is of 16 March 2026, before'));
  });

  it('compares a country with eight earlier windows with itself, and others with all', async () => {
    const { data, window } = await ask();
    expect(window).toEqual({ from: '2026-03-10', to: '2026-03-16' });
    expect(data.map(({ country, basis }) => [country.code, basis]).sort()).toEqual([
      ['DE', 'peers'],
      ['JP', 'own'],
      ['US', 'peers'],
    ]);
    const [japan] = (await ask({ country: 'jpn' })).data;
    expect(japan).toEqual(data.find(({ country }) => country.code === 'JP'));
    expect(japan?.counts).toMatchObject({ changes: 1, windows: WEEKS - 1 });
    expect(japan?.country.name).toBe('Japan');
  });

  it('contains the changes behind it, and names their sources', async () => {
    const { data, sources } = await ask({ country: 'DE' });
    const [germany] = data;
    expect(germany?.changes).toHaveLength(1);
    const [change] = germany?.changes ?? [];
    const { body } = await service.get<{ headline: string; sources: string[] }>(new URL(change?.url ?? '').pathname);
    expect(body.data.headline).toBe(change?.headline);
    expect(germany?.sources).toEqual([...body.data.sources].sort());
    expect(sources.map(({ id }) => id)).toEqual(germany?.sources);
  });

  it('is sorted hottest first, and limited as requested', async () => {
    const { data } = await ask();
    const order = data.map((one) => one.heat ?? -1);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect((await ask({ limit: 1 })).data).toEqual(data.slice(0, 1));
  });

  it('is 0 in an empty window, and null only without any change', async () => {
    const [quiet] = (await ask({ country: 'US', until: '2026-02-01' })).data;
    expect(quiet).toMatchObject({ heat: 0, changes: [], counts: { changes: 0, importance: 0 } });
    const { data: never, notices } = await ask({ country: 'FR' });
    expect(notices).toEqual(['No figures are stored here for: France.']);
    expect((await ask({ country: 'FR', until: '2026-02-01' })).notices).toEqual(notices);
    expect(never).toMatchObject([{ heat: null, basis: null, changes: [], sources: [] }]);
    const [elsewhere] = (await ask({ country: 'DE', coverage: 'prices' })).data;
    expect(elsewhere).toMatchObject({ heat: null });
  });

  it('says that 0 of a list may mean that figures end before its days', async () => {
    const { data, notices } = await ask({ until: '2026-02-01' });
    expect(data.map(({ country, heat: of }) => [country.code, of])).toContainEqual(['JP', expect.any(Number)]);
    expect(notices).toEqual([]);
    const { data: between, notices: about } = await ask({ until: '2026-03-08', days: 1 });
    expect(between.every(({ heat: of }) => of === 0)).toBe(true);
    expect(about).toEqual([expect.stringContaining(`without a stored change in these days: ${between.length}.`)]);
  });

  it('ends with the newest matching change, and counts one domain if requested', async () => {
    const { window, data } = await ask({ country: 'JP', coverage: 'prices', days: 14 });
    expect(window).toEqual({ from: '2026-03-03', to: '2026-03-16' });
    expect(data[0]).toMatchObject({ basis: 'peers', counts: { changes: 2 } });
    expect((await ask({ coverage: 'growth' })).data.map(({ country }) => country.code)).toEqual(['DE']);
  });

  it('refuses an unknown economy or domain, and days beyond its bounds', async () => {
    await expect(ask({ country: 'QQ' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(ask({ coverage: 'weather' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    for (const bad of [{ days: 0 }, { days: 91 }, { limit: 61 }, { until: 'soon' }, { depth: 1 }]) {
      expect(HeatQuery.safeParse(bad).success).toBe(false);
    }
  });

  it('is empty before the first publication', async () => {
    const empty = await createTestDatabase('empty');
    const other = await startTestServer({ database: empty });
    const { data, window } = await other.server.app
      .get(HeatService, { strict: false })
      .list(HeatQuery.parse({}), context);
    expect([data, window]).toEqual([[], undefined]);
    await other.close();
    await empty.drop();
  });
});
