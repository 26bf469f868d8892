import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { ECONOMIES, knownOn, readVintages } from '../support/vintages.js';
import { walk } from '../support/walk.js';

interface Shown {
  readonly value: number | null;
  readonly period: string;
  readonly source: string;
  readonly knownSince: string | null;
  readonly missing: string | null;
}
interface Change {
  readonly id: string;
  readonly url: string;
  readonly kind: 'release' | 'revision';
  readonly status: string;
  readonly importance: number;
  readonly occurredAt: string;
  readonly occurredBasis: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly figure: {
    readonly revision: { readonly way: string } | null;
    readonly period: string;
    readonly unit: { readonly code: string };
    readonly previous: Shown;
    readonly actual: Shown;
    readonly delta: number | null;
    readonly deltaPercent: number | null;
  };
  readonly subject: { readonly key: string; readonly region: string };
  readonly countries: readonly string[];
  readonly coverage: readonly { readonly key: string }[];
  readonly topics: readonly { readonly slug: string }[];
  readonly evidence: { readonly total: number; readonly byLevel: Record<string, number> };
  readonly sources: readonly string[];
}

const vintages = readVintages();
const DAYS = [...vintages.keys()];
const NEXT_DAY = 86_400_000;

let database: TestDatabase;
let service: TestServer;
let all: Change[];

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  all = await walk<Change>(service, '/api/v1/changes?limit=100');
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const ids = (changes: readonly Change[]): string[] => changes.map(({ id }) => id);
const at = (change: Change): number => Date.parse(change.occurredAt);

describe('GET /api/v1/changes', () => {
  it('returns twenty changes, newest publication first', async () => {
    const { status, body } = await service.get<Change[]>('/api/v1/changes');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(20);
    const published = all.map(({ publishedAt }) => publishedAt);
    expect(published).toEqual([...published].sort().reverse());
  });

  it('orders the changes of one publication by occurredAt, importance and id', () => {
    const sorted = [...all].sort(
      (a, b) =>
        (a.publishedAt < b.publishedAt ? 1 : a.publishedAt > b.publishedAt ? -1 : 0) ||
        at(b) - at(a) ||
        b.importance - a.importance ||
        (a.id < b.id ? 1 : -1),
    );
    expect(ids(all)).toEqual(ids(sorted));
  });

  it('contains no change from the first import of a series', () => {
    expect(all.filter(({ occurredAt }) => occurredAt === DAYS[0])).toEqual([]);
  });

  it('states every figure as its vintage and the previous one printed it', () => {
    expect(all.length).toBeGreaterThan(30);
    for (const { kind, occurredAt, subject, figure } of all) {
      const [indicator = '', region = ''] = subject.key.split('@');
      const cell = (day: string, period: string) =>
        knownOn(vintages, day, indicator, region).find((one) => one.period === period);
      expect(figure.actual).toMatchObject({
        ...(figure.revision?.way === 'withdrawn'
          ? { value: null, missing: 'withdrawn_by_source' }
          : { value: Number(cell(occurredAt, figure.period)?.printed), missing: null }),
        period: figure.period,
        knownSince: occurredAt,
      });
      if (figure.actual.value === null) expect(cell(occurredAt, figure.period)?.printed).toBeNull();
      if (kind === 'release') {
        const before = cell(occurredAt, String(Number(figure.period) - 1));
        expect(figure.previous).toMatchObject({
          value: before?.printed == null ? null : Number(before.printed),
          knownSince: before?.since ?? null,
        });
      } else {
        const earlier = DAYS.filter((day) => day < occurredAt).reverse();
        const last = earlier.map((day) => cell(day, figure.period)).find((one) => one?.printed != null);
        expect(figure.previous).toMatchObject({ value: Number(last?.printed), period: figure.period });
      }
    }
  });

  it('contains revisions above 0.1 % of the larger absolute value only, and no -0', () => {
    for (const { figure } of all) {
      const [now, before] = [figure.actual.value ?? 0, figure.previous.value];
      expect(Object.is(figure.delta, -0) || Object.is(figure.deltaPercent, -0)).toBe(false);
      if (before === null || figure.actual.value === null) {
        expect([figure.delta, figure.deltaPercent]).toEqual([null, null]);
        continue;
      }
      if (figure.revision?.way === 'restated') {
        expect(Math.abs(now - before)).toBeGreaterThan(0.000_999_999 * Math.max(Math.abs(now), Math.abs(before)));
      }
      expect(figure.delta).toBeCloseTo(now - before, Math.abs(now) > 1e6 ? -2 : 9);
      if (figure.unit.code.startsWith('percent') || before <= 0) expect(figure.deltaPercent).toBeNull();
      else expect(figure.deltaPercent).toBeCloseTo(((now - before) / before) * 100, 6);
    }
  });

  it('contains exactly the revisions and releases that the files show', () => {
    const found = new Set(
      all.map(({ kind, occurredAt, subject, figure }) => [kind, subject.key, figure.period, occurredAt].join(' ')),
    );
    const expected = new Set<string>();
    for (const [index, day] of DAYS.entries()) {
      if (index === 0) continue;
      for (const [indicator, file] of vintages.get(day) ?? []) {
        const newest = new Map<string, string>();
        const restated = new Map<string, string[]>();
        const returned = new Map<string, string[]>();
        for (const [cell, printed] of file.figures) {
          const [region = '', period = ''] = cell.split(' ');
          const before = DAYS.slice(0, index)
            .reverse()
            .flatMap((past) => knownOn(vintages, past, indicator, region));
          if (before.length === 0) continue;
          const last = before.find((one) => one.period === period && one.printed !== null);
          const latest =
            before
              .map((one) => one.period)
              .sort()
              .at(-1) ?? '';
          if (last?.printed == null) {
            if (period > latest && period > (newest.get(region) ?? '')) newest.set(region, period);
            continue;
          }
          const gone = knownOn(vintages, DAYS[index - 1] ?? '', indicator, region).some(
            (one) => one.period === period && one.printed === null,
          );
          if (gone) {
            returned.set(region, [...(returned.get(region) ?? []), period].sort());
            continue;
          }
          const [now, then] = [Number(printed), Number(last.printed)];
          if (Math.abs(now - then) > 0.001 * Math.max(Math.abs(now), Math.abs(then))) {
            restated.set(region, [...(restated.get(region) ?? []), period].sort());
          }
        }
        for (const [region, periods] of restated) {
          const known = knownOn(vintages, DAYS[index - 1] ?? '', indicator, region);
          const most = 2 * periods.length > known.filter(({ printed }) => printed !== null).length;
          for (const period of periods.length >= 5 && most ? periods.slice(-1) : periods) {
            expected.add(['revision', `${indicator}@${region}`, period, day].join(' '));
          }
        }
        const lost = ECONOMIES.flatMap((region) => {
          const known = knownOn(vintages, DAYS[index - 1] ?? '', indicator, region);
          const withdrawn = known.filter(
            ({ period, printed }) =>
              printed !== null &&
              knownOn(vintages, day, indicator, region).some((one) => one.period === period && one.printed === null),
          );
          return withdrawn.slice(-1).map(({ period }) => [region, period] as const);
        });
        const back = [...returned].map(([region, periods]) => [region, periods.at(-1) ?? ''] as const);
        for (const [region, period] of [...lost, ...back]) {
          expected.add(['revision', `${indicator}@${region}`, period, day].join(' '));
        }
        for (const [region, period] of newest) {
          expected.add(['release', `${indicator}@${region}`, period, day].join(' '));
        }
      }
    }
    expect(found).toEqual(expected);
  });

  it('gives each change its own address, which returns the same change', async () => {
    for (const change of all.slice(0, 40)) {
      expect(change.url).toBe(`${service.url}/api/v1/changes/${change.id}`);
      expect(change.id).toMatch(/^chg_[A-Za-z0-9_-]{1,60}$/);
      const { body } = await service.get(`/api/v1/changes/${change.id}`);
      expect(body.data).toEqual({ ...change, corrections: [] });
    }
  });

  it('counts evidence by level and omits absent levels', () => {
    for (const { evidence, figure } of all) {
      const total = figure.previous.value === null || figure.actual.value === null ? 1 : 2;
      expect(evidence).toEqual({ total, publishers: 1, byLevel: { institutional: total } });
    }
  });
});

describe('A filter of GET /api/v1/changes', () => {
  const instants = (text: string) => Date.parse(text);
  /** Each filter, with the changes that it should keep. */
  const FILTERS: readonly (readonly [query: string, keeps: (change: Change) => boolean])[] = [
    ['coverage=growth', ({ coverage }) => coverage.some(({ key }) => key === 'growth')],
    ['coverage=labour', ({ coverage }) => coverage.some(({ key }) => key === 'labour')],
    ['coverage=currency', () => false],
    ['topic=inflation', ({ topics }) => topics.some(({ slug }) => slug === 'inflation')],
    ['country=JP', ({ countries }) => countries.includes('JP')],
    ['country=chn', ({ countries }) => countries.includes('CN')],
    ['country=WLD', ({ countries }) => countries.includes('WLD')],
    ['country=FR', () => false],
    ['kind=release', ({ kind }) => kind === 'release'],
    ['kind=revision', ({ kind }) => kind === 'revision'],
    ['kind=move', () => false],
    ['status=verified', ({ status }) => status === 'verified'],
    ['status=corrected', ({ status }) => status === 'corrected'],
    ['since=2026-05-01', (change) => at(change) >= instants('2026-05-01')],
    ['since=2026-05-01T00:00:00Z', (change) => at(change) >= instants('2026-05-01')],
    ['since=2026-05-01T00:00:00.001Z', (change) => at(change) > instants('2026-05-01')],
    ['since=2026-05-01T09:00:00%2B09:00', (change) => at(change) >= instants('2026-05-01')],
    ['until=2026-05-01', (change) => at(change) < instants('2026-05-01') + NEXT_DAY],
    ['until=2026-05-01T00:00:00Z', (change) => at(change) < instants('2026-05-01')],
    ['until=2026-05-01T00:00:01Z', (change) => at(change) <= instants('2026-05-01')],
    ['since=2026-04-01&until=2026-04-30', ({ occurredAt }) => occurredAt.startsWith('2026-04')],
    ['since=2030-01-01', () => false],
  ];

  it.each(FILTERS)('keeps exactly the matching changes: %s', async (query, keeps) => {
    expect(ids(await walk(service, `/api/v1/changes?limit=100&${query}`))).toEqual(ids(all.filter(keeps)));
  });

  const names = (query: string) => query.split('&').map((pair) => pair.split('=', 1)[0]);
  const pairs = FILTERS.flatMap(([a, keepsA], index) =>
    FILTERS.slice(index + 1)
      .filter(([b]) => !names(a).some((name) => names(b).includes(name)))
      .map(([b, keepsB]) => ({ query: `${a}&${b}`, keeps: (one: Change) => keepsA(one) && keepsB(one) })),
  );

  it('can be combined with every other filter', async () => {
    expect(pairs.length).toBeGreaterThan(100);
    for (const { query, keeps } of pairs) {
      const { status, body } = await service.get<Change[]>(`/api/v1/changes?limit=100&${query}`);
      if (status === 400) {
        // The only contradictory pairs: a span that begins after its end.
        expect(query).toMatch(/since=.*until=|until=.*since=/);
        continue;
      }
      expect([query, ids(body.data)]).toEqual([query, ids(all.filter(keeps).slice(0, 100))]);
    }
  });

  it.each([
    'coverage=growth&topic=gdp&country=jpn&kind=revision&status=verified&since=2026-04-01&until=2026-07-01',
    'topic=inflation&country=DE&since=2026-07-01',
  ])('can be combined with all others: %s', async (query) => {
    const wanted = new URLSearchParams(query);
    const country = wanted.get('country')?.slice(0, 2).toUpperCase() ?? '';
    const kept = all.filter(
      (change) =>
        change.topics.some(({ slug }) => slug === wanted.get('topic')) &&
        change.countries.includes(country) &&
        (wanted.get('kind') ?? change.kind) === change.kind &&
        change.occurredAt >= (wanted.get('since') ?? ''),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(ids(await walk(service, `/api/v1/changes?limit=100&${query}`))).toEqual(ids(kept));
  });

  it('keeps changes published or corrected since publishedSince, in their order, and none of a future', async () => {
    const moments = [...new Set(all.map(({ updatedAt }) => updatedAt))].sort();
    expect(moments.length).toBeGreaterThan(0);
    for (const moment of moments) {
      const since = ids(await walk<Change>(service, `/api/v1/changes?limit=100&publishedSince=${moment}`));
      // published-since.spec.ts has the margin before the moment.
      expect(since).toEqual(expect.arrayContaining(ids(all.filter(({ updatedAt }) => updatedAt >= moment))));
      expect(since).toEqual(ids(all).filter((id) => since.includes(id)));
    }
    expect(await walk(service, '/api/v1/changes?publishedSince=2099-01-01')).toEqual([]);
  });
});

describe('GET /api/v1/coverage and /api/v1/topics', () => {
  const NEWEST = Date.parse('2026-07-01');

  it.each([
    ['coverage', 'key'],
    ['topics', 'slug'],
  ] as const)('count the changes of %s as of the newest data day', async (family, name) => {
    interface Counted {
      readonly url: string;
      readonly counts: object;
      readonly latestChangeAt: string | null;
    }
    const { body } = await service.get<(Counted & Record<string, string>)[]>(`/api/v1/${family}`);
    expect(body.data.length).toBeGreaterThan(5);
    for (const item of body.data) {
      const inside = all.filter((change) =>
        (change[family] as readonly Record<string, string>[]).some((one) => one[name] === item[name]),
      );
      const within = (days: number) => inside.filter((one) => at(one) > NEWEST - days * NEXT_DAY).length;
      expect(item.counts).toEqual({ days7: within(7), days30: within(30), total: inside.length });
      expect(item.latestChangeAt).toBe(
        inside
          .map(({ occurredAt }) => occurredAt)
          .sort()
          .at(-1) ?? null,
      );
      const one = await service.get<Counted & { changes: Change[] }>(item.url.slice(service.url.length));
      expect(one.body.data).toMatchObject(item);
      expect(ids(one.body.data.changes)).toEqual(ids(inside.slice(0, 20)));
    }
  });
});
