import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { knownOn, readVintages } from '../support/vintages.js';
import { walk } from '../support/walk.js';

interface Figure {
  readonly value: number | null;
  readonly period: string;
  readonly source: string;
  readonly origins: readonly string[];
  readonly previous?: { readonly value: number | null; readonly period: string; readonly basis: string };
}
interface Brief {
  readonly date: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  readonly state: string;
  readonly sections: readonly {
    readonly coverage: { readonly key: string; readonly name: string };
    readonly items: readonly {
      readonly importance: number;
      readonly headline: string;
      readonly count: number;
      readonly changes: readonly { readonly id: string; readonly url: string }[];
      readonly figure: Figure | null;
    }[];
    readonly omitted: number;
  }[];
  readonly markets: readonly unknown[];
  readonly ahead: readonly unknown[];
  readonly previousDate: string | null;
  readonly nextDate: string | null;
  readonly sources: readonly string[];
}
interface Change {
  readonly id: string;
  readonly occurredAt: string;
  readonly importance: number;
  readonly kind: string;
  readonly headline: string;
  readonly subject: { readonly key: string };
  readonly coverage: readonly { readonly key: string }[];
}

let database: TestDatabase;
let service: TestServer;
let changes: Change[];
let days: string[];

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  changes = await walk<Change>(service, '/api/v1/changes?limit=100');
  days = [...new Set(changes.map(({ occurredAt }) => occurredAt))].sort();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const brief = async (day: string, locale = 'en'): Promise<Brief> => {
  const { status, body } = await service.get<Brief>(`/api/v1/briefs/${day}?locale=${locale}`);
  expect(status).toBe(200);
  return body.data;
};

describe('GET /api/v1/briefs/{date}', () => {
  it('has a brief for every day with changes, each with its neighbours', async () => {
    expect(days.length).toBeGreaterThan(0);
    for (const [index, day] of days.entries()) {
      expect(await brief(day)).toMatchObject({
        date: day,
        url: `${service.url}/api/v1/briefs/${day}`,
        state: 'final',
        compiledUntil: null,
        previousDate: days[index - 1] ?? null,
        nextDate: days[index + 1] ?? null,
      });
    }
  });

  it('contains every change of the day once: in an item or in the number of omitted ones', async () => {
    for (const day of days) {
      const own = changes.filter(({ occurredAt }) => occurredAt === day);
      const { sections } = await brief(day);
      for (const { coverage, items, omitted } of sections) {
        const ofSection = own.filter((change) => change.coverage[0]?.key === coverage.key);
        expect(items.length).toBeGreaterThanOrEqual(1);
        expect(items.length).toBeLessThanOrEqual(10);
        expect(items.reduce((sum, { count }) => sum + count, omitted)).toBe(ofSection.length);
        for (const item of items) {
          expect(item.changes).toHaveLength(Math.min(item.count, 20));
          for (const { id, url } of item.changes) {
            expect(ofSection.map((change) => change.id)).toContain(id);
            expect(url).toBe(`${service.url}/api/v1/changes/${id}`);
          }
        }
      }
      const told = sections.flatMap(({ items }) => items.flatMap((item) => item.changes.map(({ id }) => id)));
      expect(new Set(told).size).toBe(told.length);
      expect(sections.flatMap(({ items }) => items).length).toBeLessThanOrEqual(40);
    }
  });

  it('sorts by importance, and groups only revisions of one indicator', async () => {
    const byId = new Map(changes.map((change) => [change.id, change]));
    let gathered = 0;
    for (const day of days) {
      for (const { items } of (await brief(day)).sections) {
        const weights = items.map((item) => byId.get(item.changes[0]?.id ?? '')?.importance ?? -1);
        expect(items.map(({ importance }) => importance)).toEqual(weights);
        expect(weights).toEqual([...weights].sort((a, b) => b - a));
        for (const item of items) {
          const members = item.changes.map(({ id }) => byId.get(id));
          if (item.count === 1) expect(item.headline).toBe(members[0]?.headline);
          else {
            gathered += 1;
            expect(new Set(members.map((member) => member?.kind))).toEqual(new Set(['revision']));
            expect(new Set(members.map((member) => member?.subject.key.split('@')[0])).size).toBe(1);
          }
        }
      }
    }
    expect(gathered).toBeGreaterThan(0);
  });

  it('shows each figure as printed in the vintage of the day, beside the figure of its comparison', async () => {
    const vintages = readVintages();
    const byId = new Map(changes.map((change) => [change.id, change]));
    for (const day of days) {
      for (const { changes: members, figure } of (await brief(day)).sections.flatMap(({ items }) => items)) {
        const [indicator = '', region = ''] = byId.get(members[0]?.id ?? '')?.subject.key.split('@') ?? [];
        const cell = knownOn(vintages, day, indicator, region).find(({ period }) => period === figure?.period);
        // A figure that was withdrawn on the day is in no vintage of it.
        expect(figure?.value ?? null).toBe(cell === undefined ? null : Number(cell.printed));
        if (cell !== undefined) expect(figure?.previous).toBeDefined();
      }
    }
  });

  it('names its sources, each with its attribution', async () => {
    const { body } = await service.get<Brief>(`/api/v1/briefs/${days[0]}`);
    const figures = body.data.sections.flatMap(({ items }) => items.map(({ figure }) => figure));
    const named = new Set(figures.flatMap((figure) => [figure?.source, ...(figure?.origins ?? [])]));
    expect(new Set(body.data.sources)).toEqual(named);
    expect(body.meta.sources.map(({ id }) => id)).toEqual(body.data.sources);
  });

  it('has no markets and events on a day when none were known', async () => {
    expect(await brief(days[0] ?? '')).toMatchObject({ markets: [], ahead: [] });
  });

  it.each([
    ['zh', /^2026年7月1日：.*GDP/],
    ['ja', /^2026年7月1日：.*GDP/],
    ['en', /^1 July 2026: .*GDP/],
  ])('has texts in %s', async (locale, title) => {
    const told = await brief('2026-07-01', locale);
    expect(told.title).toMatch(title);
    const texts = [told.title, told.summary, ...told.sections.flatMap(({ items }) => items.map((i) => i.headline))];
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|NaN|null/);
    if (locale !== 'en') for (const text of texts) expect(text).not.toMatch(/[:;,!?] |\. /);
  });

  it.each(['2025-12-17', '2026-07-02', '1999-01-01', '2099-12-31'])(
    'responds with 404 for a day without changes: %s',
    async (day) => {
      const { status, body } = await service.get(`/api/v1/briefs/${day}`);
      expect([status, body.error?.code]).toEqual([404, 'not_found']);
    },
  );

  it.each(['2026-02-30', '2026-7-1', 'today', '20260701', '2026-07-01T00:00:00Z'])(
    'responds with 400 to an invalid day: %s',
    async (day) => {
      const { status, body } = await service.get(`/api/v1/briefs/${day}`);
      expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
      expect(body.error?.errors).toEqual([expect.objectContaining({ parameter: 'date' })]);
    },
  );
});

describe('GET /api/v1/briefs/latest', () => {
  it('returns the brief of the newest day that has one', async () => {
    const latest = await service.get<Brief>('/api/v1/briefs/latest?locale=ja');
    expect(latest.body.data).toEqual(await brief(days.at(-1) ?? '', 'ja'));
  });

  it('responds with 404 while there are no changes', async () => {
    const empty = await createTestDatabase('empty');
    const bare = await startTestServer({ database: empty });
    const { status } = await bare.get('/api/v1/briefs/latest');
    await bare.close();
    await empty.drop();
    expect(status).toBe(404);
  });
});
