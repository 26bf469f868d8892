import type { DataSource } from 'typeorm';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { formatDay } from '../../src/domain/locale/format.js';
import { calendarFile, importCalendar } from '../support/calendar.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { holding, like } from '../support/matchers.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Shown {
  readonly value: number | null;
  readonly period: string;
  readonly knownSince: string | null;
  readonly missing: string | null;
  readonly source: string;
}
interface Event {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly scheduledOn: string;
  readonly scheduledAt: string | null;
  readonly timeZone: string;
  readonly period: string;
  readonly estimate: { readonly ordinal: number; readonly name: string } | null;
  readonly status: string;
  readonly importance: string;
  readonly previous: Shown;
  readonly actual: Shown;
  readonly revisedFrom: Shown | null;
  readonly changeId: string | null;
  readonly history?: readonly Record<string, unknown>[];
}
type Answer = Body<Event[]> & {
  readonly meta: {
    readonly window: { readonly from: string; readonly to: string };
    readonly nearest?: { readonly before: string | null; readonly after: string | null };
  };
};

const NOTICE =
  'このサービスは、政府統計総合窓口(e-Stat)のAPI機能を使用していますが、サービスの内容は国によって保証されたものではありません。';

const files = useScratchFiles();
let database: TestDatabase;
let publisher: DataSource;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  publisher = await database.open('import');
  await importCalendar(
    publisher,
    'releases',
    ['us-gdp.csv', 'us-cpi.csv', 'us-fed.csv'].map((name) => calendarFile(name)),
  );
  await importCalendar(publisher, 'releases', [calendarFile('schedules')]);
  await importCalendar(publisher, 'estat', [calendarFile('estat-wages.json')]);
  service = await startTestServer({ database, clock: new StoppedClock('2026-11-21T12:00:00Z') });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const ahead = async (query = ''): Promise<Answer> => {
  const { status, body } = await service.get<Event[]>(`/api/v1/ahead${query}`);
  expect(status).toBe(200);
  return body as Answer;
};
const one = async (id: string, query = ''): Promise<Event> =>
  (await service.get<Event>(`/api/v1/ahead/${id}${query}`)).body.data;
const faults = async (query: string) => {
  const { status, body } = await service.get(`/api/v1/ahead${query}`);
  return [status, body.error?.errors?.map(({ parameter, message }) => `${parameter}: ${message}`)];
};
const days = ({ data }: Answer): string[] => data.map(({ scheduledOn }) => scheduledOn);

describe('GET /api/v1/ahead', () => {
  it('shows each print of a quarter with the figures known on its day', async () => {
    const { data } = await ahead('?from=2000-01-01&to=2000-05-31');
    const said = data.map(({ estimate, status, actual, previous, revisedFrom }) => [
      estimate?.ordinal,
      status,
      actual.period,
      actual.value,
      previous.value,
      revisedFrom?.value ?? null,
    ]);
    expect(said).toEqual([
      [1, 'released', '1999-Q4', 9477.1, 9297.8, null],
      [2, 'revised', '1999-Q4', 9501.6, 9297.8, 9477.1],
      [3, 'revised', '1999-Q4', 9507.9, 9297.8, 9501.6],
      [1, 'released', '2000-Q1', 9697.2, 9507.9, null],
      [2, 'revised', '2000-Q1', 9697.6, 9507.9, 9697.2],
    ]);
    expect(data.map(({ actual }) => actual.knownSince)).toEqual(days({ data } as Answer));
  });

  it('links the change that a release made', async () => {
    const { data } = await ahead('?from=2000-01-01&to=2000-05-31');
    const kinds = await Promise.all(
      data.map(async ({ changeId }) =>
        changeId === null
          ? null
          : (await service.get<{ kind: string; figure: { actual: Shown } }>(`/api/v1/changes/${changeId}`)).body.data
              .kind,
      ),
    );
    // The first is the baseline, and the third print differs by less than 0.1 %.
    expect(kinds).toEqual([null, 'revision', null, 'release', null]);
  });

  it('shows a decision with the previous rate, on the day from which it holds', async () => {
    const { data } = await ahead('?from=2025-10-01&to=2025-10-31');
    expect(data).toEqual([
      like({
        title: 'United States: policy rate (upper limit), effective 30 October 2025',
        status: 'released',
        importance: 'high',
        scheduledOn: '2025-10-30',
        period: '2025-10-30',
        actual: like({ value: 4, period: '2025-10-30' }),
        previous: like({ value: 4.25, period: '2025-09-18' }),
      }),
    ]);
    expect(data[0]?.changeId).toMatch(/^chg_/);
  });

  it('shows a future event with the previous figure and without an actual one', async () => {
    const { data } = await ahead('?from=2026-12-09&to=2026-12-09');
    expect(data).toEqual([
      like({
        title: 'United States: policy rate (upper limit), decision due on 9 December 2026 (local time)',
        status: 'scheduled',
        timeZone: 'America/New_York',
        scheduledAt: '2026-12-09T19:00:00.000Z',
        actual: like({ value: null, missing: 'awaited', period: '2026-12-09', source: 'frb' }),
        // Eight decisions a year: the rate of October 2025 is not the previous one.
        previous: like({ value: null, missing: 'not_held', period: null }),
        revisedFrom: null,
        changeId: null,
      }),
    ]);
  });

  it('never shows an earlier print for a future one, nor an unpublished period as a figure', async () => {
    const third = await files.write(
      'third.csv',
      'release_date,time,time_zone,indicator,region,period,estimate,status,source_url\n' +
        '2028-01-05,,America/New_York,nominal-gdp-annual-rate,US,2000-Q1,3,scheduled,https://www.example.gov/s\n',
    );
    await importCalendar(publisher, 'releases', [third], '2026-11-12');
    expect((await ahead('?from=2028-01-05&to=2028-01-05')).data).toEqual([
      like({
        status: 'scheduled',
        actual: like({ value: null, missing: 'awaited', period: '2000-Q1' }),
        previous: like({ value: 9507.9 }),
      }),
    ]);
    const { data } = await ahead('?from=2026-12-01&to=2026-12-31&coverage=growth');
    expect(
      data.map(({ estimate, status, actual, previous }) => [
        estimate?.ordinal,
        status,
        actual.missing,
        previous.missing,
      ]),
    ).toEqual([
      [2, 'scheduled', 'awaited', 'not_published'],
      [3, 'postponed', 'awaited', 'not_published'],
    ]);
  });

  it('keeps the publisher’s day, zone and instant apart on both sides of a clock change', async () => {
    const { data } = await ahead('?from=2027-03-01&to=2027-03-31');
    expect(data.map(({ scheduledOn, scheduledAt, timeZone }) => [scheduledOn, scheduledAt, timeZone])).toEqual([
      ['2027-03-12', '2027-03-12T13:30:00.000Z', 'America/New_York'],
      ['2027-03-30', '2027-03-30T12:30:00.000Z', 'America/New_York'],
    ]);
  });

  it.each([
    ['zh', '美国2000年第一季度名义GDP（折年率）初值', '初值'],
    ['ja', '米国の2000年1～3月期の名目GDP（年率換算）速報値', '速報値'],
  ])('has texts in %s', async (locale, title, name) => {
    const { data, meta } = await ahead(`?from=2000-04-27&to=2000-04-27&locale=${locale}`);
    expect(data).toEqual([like({ title, estimate: { ordinal: 1, name } })]);
    expect(meta.sources.map(({ id }) => id)).toEqual(['bea']);
  });

  it('lists yesterday to 31 days ahead by default, and states the window', async () => {
    const { data, meta } = await ahead();
    expect(meta.window).toEqual({ from: '2026-11-20', to: '2026-12-22' });
    expect(data.map(({ scheduledOn, status }) => [scheduledOn, status])).toEqual([
      ['2026-12-02', 'scheduled'],
      ['2026-12-09', 'scheduled'],
      ['2026-12-10', 'cancelled'],
      ['2026-12-22', 'postponed'],
    ]);
  });

  it.each([
    ['?from=2026-12-02', { from: '2026-12-02', to: '2027-01-03' }],
    ['?to=2027-01-20', { from: '2026-11-20', to: '2027-01-20' }],
    ['?to=2026-11-19', { from: '2026-10-18', to: '2026-11-19' }],
    ['?from=2026-12-02', { from: '2026-12-02', to: '2027-01-03' }],
    ['?from=2026-12-02&to=2026-12-02', { from: '2026-12-02', to: '2026-12-02' }],
  ])('sets the bound that is omitted: %s', async (query, window) => {
    expect((await ahead(query)).meta.window).toEqual(window);
  });

  it.each([
    ['?from=2026-12-02&to=2026-12-09', ['2026-12-02', '2026-12-09']],
    ['?from=2026-12-03&to=2026-12-09', ['2026-12-09']],
    ['?from=2026-12-02&to=2026-12-08', ['2026-12-02']],
  ])('includes both days of the window: %s', async (query, expected) => {
    expect(days(await ahead(query))).toEqual(expected);
  });

  it('accepts at most 400 days', async () => {
    expect((await ahead('?from=2026-01-01&to=2027-02-04')).meta.window.to).toBe('2027-02-04');
    expect(await faults('?from=2026-01-01&to=2027-02-05')).toEqual([
      400,
      ['to: The period from `from` to `to` may be at most 400 days long, first and last day included.'],
    ]);
  });

  it.each([
    '?from=2026-12-10&to=2026-12-09',
    '?from=2026-02-30',
    '?importance=huge',
    '?coverage=none',
    '?topic=none',
    '?country=ZZ',
  ])('refuses %s', async (query) => {
    expect((await faults(query))[0]).toBe(400);
  });

  it('says where the calendar ends if the window is behind it', async () => {
    const { meta } = await ahead('?from=2029-01-01&to=2029-01-31');
    expect(meta.nearest?.after).toBeNull();
    const day = formatDay('en', meta.nearest?.before ?? '');
    expect(meta.notices).toEqual([
      `The stored calendar of this selection ends on ${day}: no later schedule has been imported.`,
    ]);
  });

  it.each([
    ['monetary-policy', 'from=2026-12-01&to=2027-11-01', /\(stored until 9 December 2026\)\.$/],
    ['monetary-policy', 'from=2026-01-01&to=2026-11-28', / between 30 October 2025 and 9 December 2026\)\.$/],
    ['inflation', 'from=2024-08-01&to=2024-10-31', /: Consumer price index .* \(stored from 10 October 2024\)\.$/],
    ['inflation', 'from=2024-10-01&to=2025-01-31', /^(?!.*stored)/],
  ])('names the days of %s without a schedule: %s', async (topic, days, notice) => {
    expect((await ahead(`?topic=${topic}&${days}`)).meta.notices.join(' ')).toMatch(notice);
  });
  it('names the nearest days with events only if the window is empty', async () => {
    const empty = await ahead('?from=2010-01-01&to=2010-12-31');
    expect([empty.data, empty.meta.nearest]).toEqual([[], { before: '2000-05-25', after: '2023-07-27' }]);
    expect((await ahead('?from=1990-01-01&to=1990-12-31')).meta.nearest).toEqual({ before: null, after: '2000-01-28' });
    expect((await ahead()).meta.nearest).toBeUndefined();
    const filtered = await ahead('?from=2010-01-01&to=2010-12-31&coverage=prices');
    expect(filtered.meta.nearest).toEqual({ before: null, after: '2024-10-10' });
    expect((await ahead('?country=JP')).meta.nearest).toEqual({ before: null, after: null });
  });

  it('filters by country, domain, topic and importance', async () => {
    const all = '?from=2026-11-20&to=2027-12-20';
    expect(days(await ahead(`${all}&coverage=prices`))).toEqual(['2026-12-10', '2027-03-12']);
    expect(days(await ahead(`${all}&topic=inflation`))).toEqual(['2026-12-10', '2027-03-12']);
    expect(days(await ahead(`${all}&topic=inflation&coverage=growth`))).toEqual([]);
    expect(days(await ahead(`${all}&importance=medium`))).toEqual(['2026-12-02', '2026-12-22', '2027-03-30']);
    expect(await ahead(`${all}&country=usa`)).toEqual(await ahead(`${all}&country=US`));
  });

  it('pages in time order without omissions or repetitions', async () => {
    const whole = await ahead('?from=2024-09-01&to=2025-09-30&limit=100');
    const walked = await walk<Event>(service, '/api/v1/ahead?from=2024-09-01&to=2025-09-30&limit=3');
    expect(walked).toEqual(whole.data);
    expect(days(whole)).toEqual([...days(whole)].sort());
    const windowed = await walk<Event>(service, '/api/v1/ahead?limit=1');
    expect(windowed.map(({ id }) => id)).toEqual((await ahead()).data.map(({ id }) => id));
  });

  it('refuses a cursor of another request', async () => {
    const { meta } = await ahead('?limit=1');
    const { status, body } = await service.get(
      `/api/v1/ahead?limit=1&country=US&cursor=${meta.page?.nextCursor ?? ''}`,
    );
    expect([status, body.error?.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('GET /api/v1/ahead/{id}', () => {
  it('shows the earlier schedule of an event that was moved', async () => {
    const { data } = await ahead('?from=2026-12-02&to=2026-12-02');
    const event = await one(data[0]?.id ?? '');
    expect(event).toEqual({
      ...data[0],
      history: [
        {
          scheduledOn: '2026-11-25',
          scheduledAt: '2026-11-25T13:30:00.000Z',
          timeZone: 'America/New_York',
          status: 'scheduled',
          statedOn: '2026-11-01',
          replacedOn: '2026-11-10',
        },
      ],
    });
    expect(event.url).toBe(`${service.url}/api/v1/ahead/${event.id}`);
  });

  it('states that a cancelled event will not be published', async () => {
    const { data } = await ahead('?from=2026-12-10&to=2026-12-10');
    const event = await one(data[0]?.id ?? '', '?locale=zh');
    expect(event).toMatchObject({ status: 'cancelled', actual: { value: null, missing: 'not_published' } });
    expect(event.history).toHaveLength(1);
  });

  it.each(['evt_none', 'chg_x', '1'])('responds with 404 to %s', async (id) => {
    expect((await service.get(`/api/v1/ahead/${id}`)).status).toBe(404);
  });
});

describe('A policy rate', () => {
  interface Series {
    readonly series: readonly { readonly observations: readonly Shown[] }[];
  }

  it.each([
    ['from=2024-11-01&to=2024-12-31', ['2024-09-19', '2024-11-08', '2024-12-19']],
    ['from=2025-05-01&to=2025-05-01', ['2024-12-19']],
    ['from=2024-11-08&to=2024-11-08', ['2024-09-19', '2024-11-08']],
    ['from=2020-01-01&to=2020-12-31', []],
  ])('begins a span with the decision that held before it: %s', async (query, periods) => {
    const { body } = await service.get<Series>(`/api/v1/macro/policy-rate-upper?region=US&${query}`);
    expect(body.data.series.flatMap(({ observations }) => observations.map(({ period }) => period))).toEqual(periods);
  });

  it('is a series of its decisions without missing days between them', async () => {
    const whole = await service.get<Series>('/api/v1/macro/policy-rate-upper?region=US');
    expect(whole.body.data.series[0]?.observations.map(({ period, value }) => [period, value])).toEqual([
      ['2023-07-27', 5.5],
      ['2024-09-19', 5],
      ['2024-11-08', 4.75],
      ['2024-12-19', 4.5],
      ['2025-09-18', 4.25],
      ['2025-10-30', 4],
    ]);
    const latest = await service.get<Series>('/api/v1/macro/policy-rate-upper');
    expect(latest.body.data.series[0]?.observations.map(({ value }) => value)).toEqual([4.25, 4]);
  });
});

describe('The notice of e-Stat', () => {
  it('accompanies its figures everywhere, in every language, and nothing else', async () => {
    const slug = 'contractual-earnings-men-40-44';
    await publisher.query(
      `INSERT INTO calendar_events (id, indicator, region, period, previous_period, scheduled_on, time_zone, status,
         importance, source_id, withheld, vintage_day, data_version)
       SELECT 'evt_wages', $1, 'JP', '2020', '2019', '2021-07-16', 'Asia/Tokyo', 'scheduled', 'low', 'estat', false,
         '2021-07-16', max(data_version) FROM publications`,
      [slug],
    );
    const holders = [
      `macro/${slug}`,
      `macro/${slug}?region=JP`,
      'ahead/evt_wages',
      'ahead?from=2021-07-01&to=2021-07-31',
    ];
    for (const path of holders) {
      const joint = path.includes('?') ? '&' : '?';
      // The figures of 2020 are old: another notice tells their age.
      const notice = async (locale: string) =>
        (await service.get(`/api/v1/${path}${joint}locale=${locale}`)).body.meta.notices[0];
      expect({ path, notice: await notice('ja') }).toEqual({ path, notice: NOTICE });
      expect(await notice('en')).toEqual(holding('not guaranteed by the Japanese government'));
      expect(await notice('zh')).toEqual(holding('未获得日本政府的保证'));
    }
    expect((await ahead('?from=2025-10-01&to=2025-10-31')).meta.notices).toEqual([holding('no schedule is stored')]);
  });
});

describe('A withheld source', () => {
  it('has no events in the calendar, by id or by day', async () => {
    const { data } = await ahead('?from=2000-01-28&to=2000-01-28');
    await withholdSource(publisher, 'bea', () => new Date('2026-11-21T10:00:00Z'));
    const key = await service.key();
    const until = async (status: number, path: string): Promise<boolean> =>
      (await service.get(path, key)).status === status;
    await expect(until(404, `/api/v1/ahead/${data[0]?.id ?? ''}`)).resolves.toBe(true);
    const { meta } = await ahead('?from=2001-01-01&to=2001-12-31');
    expect(meta.nearest?.before).toBeNull();
    expect(JSON.stringify(await ahead('?from=2026-11-20&to=2027-12-20'))).not.toContain('gdp');
  });
});
