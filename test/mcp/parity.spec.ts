// runs: on two instances
import fc from 'fast-check';
import { writeSeries } from '../../src/domain/figures/figure-text.js';
import type { UnitCode } from '../../src/domain/figures/units.js';
import { normalizeText } from '../../src/domain/search/normalize.js';
import { envelopeOf } from '../../src/serve/http/response/envelope-serializer.service.js';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { projectedBrief } from '../../src/assistants/projections/brief-projection.js';
import { projectedChanges, projectedDetail, signalsOf } from '../../src/assistants/projections/change-projection.js';
import { projectedCandidates, projectedCompany } from '../../src/assistants/projections/company-projection.js';
import { projectedEvent } from '../../src/assistants/projections/event-projection.js';
import { projectedHeat } from '../../src/assistants/projections/heat-projection.js';
import { projectedSeries } from '../../src/assistants/projections/series-projection.js';
import type { SourceAttribution } from '../../src/domain/sources/source.schema.js';
import { projectedMeta, projectedSource } from '../../src/assistants/projections/source-projection.js';
import type { CalendarEvent } from '../../src/serve/resources/ahead/ahead.schema.js';
import type { Brief } from '../../src/serve/resources/briefs/brief.schema.js';
import type { Change, ChangeDetail } from '../../src/serve/resources/changes/change.schema.js';
import type { Company, CompanyDetail } from '../../src/serve/resources/companies/company.schema.js';
import type { MacroSeries } from '../../src/serve/resources/macro/macro.schema.js';
import { HeatQuery } from '../../src/serve/resources/heat/heat.schema.js';
import { HeatService } from '../../src/serve/resources/heat/heat.service.js';
import { RequestContext } from '../../src/serve/responses/request-context.js';
import { holding } from '../support/matchers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { plain, projected, type Projected } from './projected.js';
import { post, toolCall, type ToolResult } from './rpc.js';
import { exhaustively } from '../support/exhaustive.js';

type Arguments = Readonly<Record<string, unknown>>;

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const days = [
  '2000-02-25',
  '2024-09-19',
  '2024-11-13',
  '2025-12-17',
  '2026-04-01',
  '2026-05-01',
  '2026-07-01',
  '2026-07-02',
];
const locale = fc.constantFrom(...LOCALES);
const country = optional(fc.constantFrom('JP', 'jpn', 'CN', 'US', 'WLD', 'EMU', 'FR', 'XX'));
const coverage = optional(fc.constantFrom('prices', 'growth', 'labour', 'no-such'));
const limit = optional(fc.integer({ min: 0, max: 26 }));
const day = optional(fc.constantFrom(...days, '2026-02-30'));

/** For each tool, its arguments and the URL of the same request. */
const TWINS: readonly {
  readonly tool: string;
  readonly most: number;
  readonly asked: fc.Arbitrary<Arguments>;
  readonly path: (args: Arguments) => string;
  readonly project: (data: never) => Projected;
}[] = [
  {
    tool: 'latest_changes',
    most: 25,
    asked: fc.record({
      locale,
      country,
      coverage,
      since: day,
      until: day,
      publishedSince: day,
      limit,
      topic: optional(fc.constantFrom('inflation', 'gdp', 'unemployment')),
      kind: optional(fc.constantFrom('release', 'revision', 'decision')),
      minImportance: optional(fc.constantFrom(1, 40, 60, 101)),
      status: optional(fc.constant('corrected')),
      order: optional(fc.constantFrom('newest', 'importance')),
    }),
    path: (args) => `/api/v1/changes?${queryOf({ ...args, limit: args['limit'] ?? 10 })}`,
    project: listed,
  },
  {
    tool: 'latest_changes',
    most: 25,
    asked: fc.record({
      locale,
      country,
      limit,
      since: day,
      publishedSince: day,
      order: optional(fc.constantFrom('newest', 'importance')),
      query: fc.constantFrom('unemployment', 'gdp japan', '失业率', '消費者物価', 'nothing-like-it', '  GDP ', '%_\'"'),
    }),
    path: ({ query: q, ...args }) => `/api/v1/changes?${queryOf({ q, ...args, limit: args['limit'] ?? 10 })}`,
    project: listed,
  },
  {
    tool: 'release_calendar',
    most: 100,
    asked: fc.record({
      locale,
      country,
      coverage,
      from: day,
      to: day,
      limit,
      topic: optional(fc.constantFrom('inflation', 'gdp', 'monetary-policy')),
      importance: optional(fc.constantFrom('low', 'medium', 'high')),
    }),
    path: (args) => `/api/v1/ahead?${queryOf({ ...args, limit: args['limit'] ?? 50 })}`,
    project: (data: CalendarEvent[]) => ({ data: data.map(projectedEvent) }),
  },
  {
    tool: 'latest_brief',
    most: 1,
    asked: fc.record({ locale }),
    path: (args) => `/api/v1/briefs/latest?${queryOf(args)}`,
    project: (data: Brief) => ({ data: projectedBrief(data) }),
  },
];

function queryOf(args: Arguments): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

describe('MCP and HTTP', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key = '';
  let left = 0;

  beforeAll(async () => {
    database = await createTestDatabase('tools');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function ask(tool: string, args: Arguments): Promise<ToolResult> {
    if (left === 0) [key, left] = [await service.key(), 100];
    left -= 1;
    const { status, body } = await post(service.url, toolCall(tool, { ...args }), { key });
    expect(status).toBe(200);
    return body.result as ToolResult;
  }

  it.each(TWINS)('have the same content and sources in $tool', async ({ tool, most, asked, path, project }) => {
    await fc.assert(
      fc.asyncProperty(asked, async (args) => {
        const result = await ask(tool, args);
        const { status, body } = await service.get(path(args));
        // The lists of the tools have a smaller limit.
        const tooMany = Number(args['limit'] ?? 1) > most;
        if (status !== 200 || tooMany) {
          expect(result.isError).toBe(true);
          const code = tooMany ? 'invalid_parameter' : body.error?.code;
          expect(result.content[0]?.text).toMatch(new RegExp(`^${code ?? '-'}: `));
          return;
        }
        expect(result.isError).toBeUndefined();
        expect(result.structuredContent).toEqual(projected(body, project));
        expectSaid(result.content[0]?.text ?? '', body);
      }),
      { numRuns: exhaustively(40, 10) },
    );
  });

  it.each([
    [{ indicator: 'gdp-growth' }, 'gdp-growth?rank=highest&limit=10'],
    [{ indicator: 'Inflation', rank: 'lowest', limit: '3' }, 'cpi-inflation?rank=lowest&limit=3'],
    [
      { indicator: '失业率', country: 'Germany, JPN', locale: 'zh' },
      'unemployment-rate?region=DE,JP&rank=highest&locale=zh',
    ],
    [{ indicator: 'gdp', country: 'China', from: 2015, to: '2018' }, 'gdp?region=CN&from=2015&to=2018'],
    [{ indicator: 'gdp', country: 'CN', asOf: '2026-05-01' }, 'gdp?region=CN&rank=highest&asOf=2026-05-01'],
    [{ indicator: 'gdp', country: 'CN', asOf: '2001-01-01' }, 'gdp?region=CN&rank=highest&asOf=2001-01-01'],
  ])('return the same figures for %j as for /macro/%s', async (args, path) => {
    const [result, { body }] = [await ask('figures', args), await service.get(`/api/v1/macro/${path}`)];
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual(projected(body, (data: MacroSeries) => ({ data: projectedSeries(data) })));
    const text = result.content[0]?.text ?? '';
    const { series } = body.data as { series: Series[] };
    for (const one of series.flatMap(written)) expect(text).toContain(one);
    expectSaid(text, { data: series.map(({ page }) => ({ url: page, sources: [] })), meta: body.meta });
  });

  it('name the likeliest indicators for words without an exact match', async () => {
    const { isError, content } = await ask('figures', { indicator: 'unemployment of young people' });
    expect([isError, content[0]?.text]).toEqual([true, holding('unemployment-rate')]);
  });

  it('return the same company by slug and by name', async () => {
    const { body } = await service.get<{ slug: string; name: string }[]>('/api/v1/companies?limit=100');
    expect(body.data.length).toBeGreaterThan(3);
    for (const { slug, name } of body.data) {
      const twin = await service.get<CompanyDetail>(`/api/v1/companies/${slug}?limit=5&locale=zh`);
      const same = projected(twin.body, ({ relations, ...one }: CompanyDetail) => {
        const relationsOmitted = Math.max(0, relations.length - 25);
        const data = projectedCompany({ ...one, relations: relations.slice(0, 25), relationsOmitted });
        return { data, meta: signalsOf(one.changes) };
      });
      expect((await ask('company', { slug, locale: 'zh' })).structuredContent).toEqual(same);
      const named = (await ask('company', { query: name, locale: 'zh' })).structuredContent;
      const alike = body.data.filter((other) => normalizeText(other.name) === normalizeText(name));
      if (alike.length === 1) expect(named).toEqual(same);
      else {
        const found = await service.get(`/api/v1/companies?limit=10&locale=zh&q=${encodeURIComponent(name)}`);
        const slugs = (found.body.data as { slug: string }[]).map((one) => one.slug);
        expect(slugs).toEqual(expect.arrayContaining(alike.map((one) => one.slug)));
        // Companies of exactly the name asked for are the only candidates.
        const candidates = (found.body.data as Company[]).filter(({ slug: one }) =>
          alike.some((other) => other.slug === one),
        );
        expect(named).toMatchObject(plain({ data: projectedCandidates({ candidates }) }) as object);
      }
    }
  });

  it('return the same change by its id, in each language', async () => {
    const { body } = await service.get<{ id: string }[]>('/api/v1/changes?limit=5');
    for (const { id } of body.data) {
      for (const language of LOCALES) {
        const result = await ask('get_change', { id, locale: language });
        const twin = await service.get(`/api/v1/changes/${id}?locale=${language}`);
        expect(result.structuredContent).toEqual(
          projected(twin.body, (data: ChangeDetail) => ({ data: projectedDetail(data), meta: signalsOf([data]) })),
        );
        expectSaid(result.content[0]?.text ?? '', twin.body);
      }
    }
  });

  it.each([
    ['latest_changes', {}, ''],
    ['latest_changes', { query: 'gdp' }, '&q=gdp'],
    ['latest_changes', { order: 'importance' }, '&order=importance'],
  ])('use the same cursors through a list: %s', async (tool, words, query) => {
    const first = await ask(tool, { limit: 3, country: 'JP', ...words });
    const { nextCursor } = (first.structuredContent?.['meta'] as { page: { nextCursor: string } }).page;
    expect(first.content[0]?.text).toContain(nextCursor);
    const second = await ask(tool, { limit: 3, country: 'JP', cursor: nextCursor, ...words });
    const twin = await service.get(`/api/v1/changes?limit=3&country=JP${query}&cursor=${nextCursor}`);
    expect(second.structuredContent).toEqual(projected(twin.body, listed));
    const other = await ask(tool, { limit: 3, country: 'CN', cursor: nextCursor, ...words });
    expect(other.content[0]?.text).toMatch(/^invalid_cursor: /);
  });

  it('share the service of country_heat', async () => {
    const heat = service.server.app.get(HeatService, { strict: false });
    const asked = fc.record({
      locale,
      country,
      coverage,
      until: day,
      days: optional(fc.integer({ min: 1, max: 90 })),
      limit: optional(fc.integer({ min: 1, max: 60 })),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (args) => {
        const result = await ask('country_heat', args);
        const query = HeatQuery.safeParse(args);
        const language: Locale = args.locale;
        const context = new RequestContext('test', new Date(), '/heat', () => args);
        const twin = query.success ? await heat.list(query.data, context).catch(() => null) : null;
        if (twin === null) expect(result.isError).toBe(true);
        else {
          const data = twin.data.map(projectedHeat);
          const { meta } = envelopeOf(twin, language);
          expect(result.structuredContent).toEqual(plain({ meta: projectedMeta(meta), data }));
        }
      }),
      { numRuns: exhaustively(40, 10) },
    );
  });
});

interface Series {
  readonly page: string;
  readonly currency: string | null;
  readonly observations: readonly {
    readonly value: number | null;
    readonly decimals: number;
    readonly unit: UnitCode;
  }[];
}

/** The figures of a series as the text prints them, side by side, in English or without words. */
function written({ observations, currency }: Series): string[] {
  const [first] = observations;
  if (first === undefined || first.unit === 'usd') return [];
  const values = observations.flatMap(({ value, decimals }) => value?.toFixed(decimals) ?? []);
  return writeSeries('en', { unit: first.unit, currency }, values);
}

function listed(data: Change[]): Projected {
  return { data: projectedChanges(data), meta: signalsOf(data) };
}

/** The text contains every figure, URL and notice of the data, and every source with its licence. */
function expectSaid(text: string, { data, meta }: { data: unknown; meta: unknown }): void {
  const { sources, notices } = meta as { sources: SourceAttribution[]; notices: string[] };
  const said = sources.map(projectedSource).flatMap(({ attribution, licence }) => [attribution, licence?.name ?? '']);
  for (const part of [...said, ...notices, ...factsOf(data)]) expect(text).toContain(part);
}

/** Texts of figures, URLs and headlines, at any depth; the summary of one change alone has its context. */
function factsOf(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(factsOf);
  if (typeof data !== 'object' || data === null) return [];
  const item = data as Readonly<Record<string, unknown>>;
  const own = ['headline', 'title'].flatMap((name) => (typeof item[name] === 'string' ? [item[name]] : []));
  // A market is written as its two figures.
  if (typeof item['text'] === 'string' && !('last' in item)) own.push(item['text']);
  const { url, page = url } = item;
  if (typeof page === 'string' && Array.isArray(item['sources'])) own.push(page);
  const below = Object.entries(item).filter(([name]) => name !== 'signals' && name !== 'context');
  return [...own, ...below.flatMap(([, value]) => factsOf(value))];
}
