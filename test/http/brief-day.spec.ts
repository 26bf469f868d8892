import { importFiles } from '../../src/publish/import/import-files.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { delivery, events, figures } from '../support/deliveries.js';
import { startTestServer, type TestServer } from '../support/server.js';

interface Brief {
  readonly state: string;
  readonly compiledUntil: string | null;
  readonly sections: readonly {
    readonly items: readonly {
      readonly headline: string;
      readonly knownSince: string;
      readonly figure: { readonly knownSince: string };
    }[];
  }[];
  readonly markets: readonly {
    readonly key: string;
    readonly url: string;
    readonly last: { readonly value: number; readonly period: string; readonly knownSince: string };
    readonly previous: { readonly value: number; readonly period: string };
    readonly change: number;
    readonly changePercent: number | null;
    readonly text: string;
  }[];
  readonly ahead: readonly {
    readonly url: string;
    readonly title: string;
    readonly scheduledOn: string;
    readonly text: string;
  }[];
  readonly sources: readonly string[];
}

const clock = new StoppedClock('2026-06-05T12:00:00Z');
let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('empty');
  const deliveries = [
    delivery(
      '2026-06-01',
      figures(
        'unemployment-rate@JP 2024 2.5',
        'consumer-price-index@US 2026-04 325.100',
        'brent 2026-05-28 79.00',
        'brent 2026-05-29 79.50',
        'wti 2026-05-22 75.00',
        'wti 2026-05-21 75.00',
      ),
      events('2026-04 2026-06-05', '2026-05 2026-06-10', '2026-06 2026-06-13'),
    ),
    delivery(
      '2026-06-05',
      figures(
        'unemployment-rate@JP 2025 2.4',
        'brent 2026-06-03 80.00',
        'brent 2026-06-04 82.00',
        'us-par-yield-10y 2026-06-03 4.10',
        'us-par-yield-10y 2026-06-04 4.05',
      ),
    ),
    delivery(
      '2026-06-08',
      figures(
        'brent 2026-06-04 83.00',
        'brent 2026-06-05 85.00',
        'policy-rate-upper@US 2026-06-02 4.25',
        'policy-rate-upper@US 2026-06-03 4.00',
      ),
      events('2026-04 2026-06-05', '2026-05 2026-06-12', '2026-06 2026-06-09'),
    ),
  ];
  const publisher = await database.open('import');
  const now = () => new Date('2026-06-08T18:00:00Z');
  await importFiles(publisher, { publisher: 'starter' }, deliveries, { accept: 'a test', now });
  service = await startTestServer({ database, clock });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const brief = async (locale = 'en', day = '2026-06-05'): Promise<Brief> => {
  const { body } = await service.get<Brief>(`/api/v1/briefs/${day}?locale=${locale}`);
  return body.data;
};

describe('The brief of a day', () => {
  it('shows the last closes known at the end of the day, with the change from the previous close', async () => {
    const { markets } = await brief();
    expect(markets).toMatchObject([
      {
        key: 'brent',
        url: `${service.url}/api/v1/markets/brent`,
        last: { value: 82, period: '2026-06-04', knownSince: '2026-06-05' },
        previous: { value: 80, period: '2026-06-03' },
        change: 2,
        changePercent: 2.5,
      },
      { key: 'us-par-yield-10y', last: { value: 4.05 }, change: -0.05, changePercent: null },
    ]);
  });

  it('shows seven days of the schedule as known at the end of the day', async () => {
    const { ahead } = await brief();
    expect(ahead.map(({ scheduledOn }) => scheduledOn)).toEqual(['2026-06-10']);
    expect(ahead[0]?.url).toMatch(/\/api\/v1\/ahead\/evt_/);
    expect((await brief('zh')).ahead[0]?.title).toMatch(/^美国2026年5月\S+$/);
    expect((await brief('ja')).ahead[0]?.title).toMatch(/の2026年5月の/);
  });

  it('names the sources of its markets and events too', async () => {
    const { sources, markets, ahead } = await brief();
    expect(sources).toEqual(expect.arrayContaining(['eia', 'us-treasury', 'bls']));
    expect([markets.length, ahead.length]).toEqual([2, 1]);
  });

  it('writes level and move of each instrument, and the figure before of each event', async () => {
    const { markets, ahead } = await brief();
    expect(markets.map(({ text }) => text)).toEqual([
      '$82.00 a barrel on 4 June 2026, up 2.5% on the day. Source: U.S. Energy Information Administration',
      '4.05% on 4 June 2026, down 5 basis points on the day. Source: U.S. Department of the Treasury',
    ]);
    expect((await brief('ja')).markets[1]?.text).toBe(
      '4.05%（2026年6月4日、前営業日比0.05ポイント低下）。出典：米財務省',
    );
    expect((await brief('zh')).markets[0]?.text).toBe(
      '2026年6月4日报每桶82.00美元，较前一交易日上涨2.5%。数据来源：美国能源信息署',
    );
    expect(ahead[0]?.text).toMatch(
      / for May 2026, due on 10 June 2026; previous: 325\.100 \(1982–84 = 100\) for April 2026$/,
    );
  });

  it('is retrospective if its figures became known later, and states since when each is known', async () => {
    expect((await brief()).compiledUntil).toBeNull();
    const { state, compiledUntil, sections, markets } = await brief('en', '2026-06-03');
    expect([state, compiledUntil]).toEqual(['retrospective', '2026-06-08']);
    expect(sections[0]?.items).toMatchObject([
      { knownSince: '2026-06-08', figure: { value: 4, knownSince: '2026-06-08' } },
    ]);
    // Its closes are those of the day, as known when it was compiled.
    expect(markets).toMatchObject([{ key: 'brent', last: { value: 80, knownSince: '2026-06-05' } }]);
  });

  it('is open until the day ends in UTC, and final afterwards', async () => {
    expect((await brief()).state).toBe('open');
    clock.advance(Date.parse('2026-06-05T23:59:59Z') - clock.wall());
    expect((await brief()).state).toBe('open');
    clock.advance(1_000);
    expect((await brief()).state).toBe('final');
  });
});
