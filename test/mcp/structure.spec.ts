import { getEncoding } from 'js-tiktoken';
import { formatDay, formatPeriod } from '../../src/domain/locale/format.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import type { MacroSeries } from '../../src/serve/resources/macro/macro.schema.js';
import { publishRegister } from '../http/registered.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import type { SourceAttribution } from '../../src/domain/sources/source.schema.js';
import type { ProjectedSource } from '../../src/assistants/projections/source-projection.js';
import { post, toolCall, type ToolResult } from './rpc.js';

type Item = Readonly<Record<string, unknown>>;
type Call = readonly [tool: string, args: Item, path: string];

/** A call of each tool that has a route, with the route's path. */
const CALLS: readonly Call[] = [
  ['latest_changes', { limit: 25 }, 'changes?limit=25'],
  ['latest_changes', { kind: 'move,decision', limit: 25 }, 'changes?kind=move,decision&limit=25'],
  ['latest_changes', { query: 'gdp', limit: 25 }, 'changes?q=gdp&limit=25'],
  ['release_calendar', { from: '1999-12-01', to: '2000-12-31' }, 'ahead?from=1999-12-01&to=2000-12-31&limit=50'],
  ['latest_brief', {}, 'briefs/latest?'],
  ['figures', { indicator: 'gdp-growth', country: 'JP,US', from: '2010' }, 'macro/gdp-growth?region=JP,US&from=2010'],
  [
    'figures',
    { indicator: 'nominal-gdp-annual-rate', country: 'US' },
    'macro/nominal-gdp-annual-rate?region=US&rank=highest',
  ],
  ['figures', { indicator: 'gdp' }, 'macro/gdp?rank=highest&limit=10'],
  ['figures', { indicator: 'gdp', rank: 'asc' }, 'macro/gdp?rank=lowest&limit=10'],
  ['quotes', { instrument: 'eurhuf', limit: 20 }, 'markets/eurhuf?points=20'],
  ['quotes', { instrument: 'brent', from: '2026-01-01', limit: 1 }, 'markets/brent?from=2026-01-01&points=1'],
  ['quotes', { kind: 'rate', limit: 3 }, 'markets/kind/rate?bars=3'],
  ['company', { slug: 'nordwind-holding-ag' }, 'companies/nordwind-holding-ag?limit=5'],
];
const LISTS = ['latest_changes', 'release_calendar'];
/** Tokens that a change may cost an assistant, and an event, which has up to three figures. */
const mostTokens = (tool: string): number => (tool === 'release_calendar' ? 280 : 250);

describe('The structure of a result', () => {
  const encoding = getEncoding('o200k_base');
  const tokens = (value: unknown): number => encoding.encode(JSON.stringify(value)).length;
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    await publishRegister(database);
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = async (tool: string, args: Item): Promise<ToolResult> => {
    const { result } = (await post(service.url, toolCall(tool, args), { key })).body;
    expect({ tool, args, failed: result?.isError }).toEqual({ tool, args, failed: undefined });
    return result as ToolResult;
  };
  const structureOf = ({ structuredContent }: ToolResult) => structuredContent as { data: unknown; meta: Item };

  it.each(CALLS)('keeps what a citation of the route needs: %s %j', async (tool, args, path) => {
    const { data, meta } = structureOf(await ask(tool, args));
    const { body } = await service.get(`/api/v1/${path}`);
    expect(objectsIn(body.data).length).toBeGreaterThan(0);
    const { sources, publishedAt: _at, notices, page, ...others } = body.meta;
    expect(meta).toMatchObject(others);
    expect(meta['notices'] ?? []).toEqual(notices);
    expect(meta['page']).toEqual(page?.nextCursor == null ? undefined : page);
    const cited = meta['sources'] as ProjectedSource[];
    const whole = sources as SourceAttribution[];
    expect(cited.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    for (const [at, { attribution, licence }] of cited.entries()) {
      expect(whole[at]?.attribution).toContain(attribution);
      expect(licence ?? whole[at]?.licence).toMatchObject({ url: whole[at]?.licence.url });
      expect(licence?.name ?? attribution).toMatch(/\b(CC0|CC BY 4\.0|licen[cs]e|domain|reuse|use)\b/i);
    }
    expect(valuesIn(data)).toEqual(valuesIn(body.data));
    for (const member of ['evidenceClass', 'lei', 'headline', 'scheduledOn']) {
      expect(membersIn(data, member)).toEqual(expect.arrayContaining(membersIn(body.data, member)));
    }
    expect(namedSources(data)).toEqual(namedSources(body.data));
    expect(membersIn(data, 'url')).toEqual(expect.arrayContaining(linksOf(body.data)));
    const held = signalsIn(body.data);
    expect(meta['signals'] ?? []).toEqual(held);
    expect(new Set(membersIn(data, 'signals').flat())).toEqual(new Set(held.map(({ id }) => id)));
  });

  it.each(CALLS)('says what the text says: %s %j', async (tool, args) => {
    for (const locale of LOCALES) {
      const result = await ask(tool, { ...args, locale });
      const { data, meta } = structureOf(result);
      const text = result.content[0]?.text ?? '';
      const sources = (meta['sources'] as { id: string }[]).map(({ id }) => `[${id}]`);
      const signals = (meta['signals'] as { id: string; title: string }[] | undefined) ?? [];
      const said = ['headline', 'summary', 'title', 'lei', 'url', 'slug', 'structureUrl', 'changeId'];
      const facts = [
        ...said.flatMap((member) => membersIn(withoutIndicator(data), member)),
        ...(tool === 'quotes' || tool === 'figures' ? [] : membersIn(data, 'text')),
        ...sources,
        ...signals.flatMap(({ id, title }) => [id, title]),
      ].map(String);
      expect({ tool, locale, lacking: facts.filter((fact) => !text.includes(fact)) }).toEqual({
        tool,
        locale,
        lacking: [],
      });
      const exact = new Set(membersIn(data, 'value').map(String));
      const written = [...text.matchAll(/ \[(-?\d[\d.]*)(?: × 10\^\d+)?\]/g)].map(([, number = '']) => number);
      expect({ tool, locale, unknown: written.filter((one) => !exact.has(one)) }).toMatchObject({ unknown: [] });
      for (const period of tool === 'figures' ? membersIn(data, 'period') : [])
        expect(text).toContain(formatPeriod(locale, String(period)));
    }
  });

  it.each([
    ['en', 'evidence: fact'],
    ['zh', '依据：事实'],
    ['ja', '根拠：事実'],
  ])('has a class of evidence for each change, which the text names in %s', async (locale, words) => {
    const result = await ask('latest_changes', { limit: 25, locale });
    const classes = membersIn(structureOf(result).data, 'evidenceClass');
    expect(classes).toHaveLength(25);
    const facts = classes.filter((one) => one === 'fact').length;
    expect(result.content[0]?.text.split(words).length).toBe(facts + 1);
  });

  it.each(LOCALES)('costs at most 250 tokens per change and 280 per event in %s', async (locale) => {
    for (const [tool, args] of CALLS.filter(([name]) => LISTS.includes(name))) {
      const items = structureOf(await ask(tool, { ...args, locale })).data as Item[];
      const dear = items.filter((one) => tokens(one) > mostTokens(tool));
      expect({ items: items.length > 0, dear }).toEqual({ items: true, dear: [] });
    }
  });

  it('has each unit, region and page once in a series', async () => {
    const { data } = structureOf(await ask('figures', { indicator: 'gdp', country: 'JP', from: '2000' }));
    const observations = membersIn(data, 'observations').flat();
    expect(observations.length).toBeGreaterThan(10);
    expect(tokens(data) / observations.length).toBeLessThan(45);
    expect(membersIn(data, 'unit')).toHaveLength(1);
  });

  it('dates the newest figure of each country of a ranking, as the text does', async () => {
    const result = await ask('figures', { indicator: 'unemployment-rate', limit: 3 });
    const { body } = await service.get<MacroSeries>('/api/v1/macro/unemployment-rate?rank=highest&limit=3');
    const days = body.data.series.map(({ observations }) => observations.at(-1)?.knownSince ?? '');
    expect(days).toHaveLength(3);
    expect(membersIn(structureOf(result).data, 'knownSince')).toEqual(days);
    for (const day of days) {
      expect(result.content[0]?.text).toContain(`newest value in vintages from ${formatDay('en', day)} on`);
    }
  });

  it('numbers the countries of a ranking, and says of how many', async () => {
    const result = await ask('figures', { indicator: 'gdp', limit: 2 });
    const { ranking } = structureOf(result).data as { ranking: { countries: number } };
    const lines = result.content[0]?.text.split('\n') ?? [];
    expect(lines.some((line) => line.includes(`Countries shown: 2; compared: ${ranking.countries},`))).toBe(true);
    expect(lines.filter((line) => /^\d+\. /.test(line)).map((line) => line.slice(0, 2))).toEqual(['1.', '2.']);
  });

  it('states no number of entities for a company that no register of groups has', async () => {
    const { body } = await service.get<{ slug: string; lei: string | null }[]>('/api/v1/companies?limit=100');
    const slugs = body.data.filter(({ lei }) => lei === null).map(({ slug }) => slug);
    expect(slugs.length).toBeGreaterThan(0);
    for (const slug of slugs) {
      const { content } = await ask('company', { slug });
      expect(content[0]?.text).toContain('No group relations are stored for it: it has no LEI here.');
      expect(content[0]?.text).not.toContain('Directly consolidated entities');
    }
  });

  it('leads to earlier closes by the cursor that the tool takes', async () => {
    const closes = async (args: Item) => {
      const result = await ask('quotes', { instrument: 'eurhuf', ...args });
      const { data, meta } = structureOf(result);
      const { nextCursor } = meta['page'] as { nextCursor: string };
      expect(result.content[0]?.text).toContain(nextCursor);
      return { periods: membersIn((data as Item)['points'], 'period'), cursor: nextCursor };
    };
    const [whole, first] = [await closes({ limit: 4 }), await closes({ limit: 2 })];
    const second = await closes({ limit: 2, cursor: first.cursor });
    expect([...second.periods, ...first.periods]).toEqual(whole.periods);
  });

  it('has the nearest close before a span without closes', async () => {
    const newest = structureOf(await ask('quotes', { instrument: 'brent', limit: 1 })).data as Item;
    const result = await ask('quotes', { instrument: 'brent', from: '2026-11-20', to: '2026-11-20' });
    const { points } = structureOf(result).data as Item;
    expect(points).toEqual(newest['points']);
    expect(result.content[0]?.text).toMatch(/No closes in the days asked for; this is the nearest before them/);
  });

  it('names, for what nothing resembles, nothing', async () => {
    const { result } = (await post(service.url, toolCall('quotes', { instrument: '日経平均' }), { key })).body;
    expect([result?.isError, result?.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/`instrument`: nothing called `日経平均` is covered here/),
    ]);
  });

  it('identifies a subsidiary that no register names by its LEI, as the text does', async () => {
    const result = await ask('company', { slug: 'nordwind-logistics-limited' });
    const relations = membersIn(structureOf(result).data, 'relations').flat() as Item[];
    const nameless = relations.filter(({ name }) => name === undefined);
    expect(nameless.length).toBeGreaterThan(0);
    for (const { lei } of nameless) {
      expect(result.content[0]?.text).toMatch(new RegExp(`^- .*: LEI ${String(lei)}`, 'm'));
    }
    expect(result.content[0]?.text).not.toContain('not in the source');
  });
});

/** Every object at any depth, without the attributions. */
function objectsIn(value: unknown): Item[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Item, ...Object.values(value).flatMap(objectsIn)];
}

/** The values of a member at any depth, without those that have no content. */
function membersIn(value: unknown, member: string): unknown[] {
  return objectsIn(value).flatMap((one) => one[member] ?? []);
}

/** Value and period of every figure, once. */
function valuesIn(value: unknown): string[] {
  // Contexts, and the earlier values of a revision, stand in the summary.
  const figures = objectsIn(value).filter(
    (one) => 'value' in one && !('since' in one) && ('period' in one || !('knownSince' in one)),
  ) as { value: number; period?: string }[];
  return [...new Set(figures.map((one) => `${one.value} for ${one.period ?? 'no period'}`))].sort();
}

function namedSources(value: unknown): unknown[] {
  const named = ['source', 'sources', 'origins'].flatMap((member) => membersIn(value, member).flat());
  return [...new Set(named)].sort();
}

/** The page of each item of a list, or of the only one; its own address without a page. */
function linksOf(data: unknown): unknown[] {
  const items = Array.isArray(data) ? (data as Item[]) : [data as Item];
  return items.flatMap(({ page, url }) => page ?? url ?? []);
}

function signalsIn(value: unknown): { id: string; title: string }[] {
  const all = membersIn(value, 'signals').flat() as { id: string; title: string }[];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** Slugs of indicators are for programs: the text has the name. */
function withoutIndicator(data: unknown): unknown {
  if (Array.isArray(data) || typeof data !== 'object' || data === null) return data;
  const { indicator: _indicator, ...others } = data as Item;
  return others;
}
