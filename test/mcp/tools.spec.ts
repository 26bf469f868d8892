import { Ajv2020 } from 'ajv/dist/2020.js';
import { getEncoding } from 'js-tiktoken';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import type { ProjectedSource } from '../../src/assistants/projections/source-projection.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, post, rpc, toolCall, type ToolResult } from './rpc.js';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, { description?: string }>> };
  readonly outputSchema: object;
  readonly annotations: object;
}

const NAMES = [
  'latest_changes',
  'get_change',
  'country_heat',
  'release_calendar',
  'company',
  'latest_brief',
  'figures',
  'quotes',
  'series',
];
/** Counts the tokens; the encoding takes seconds to build. */
const encoding = getEncoding('o200k_base');
const tokens = (text: string): number => encoding.encode(text).length;

describe('The tools', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;
  let tools: Listed[];

  beforeAll(async () => {
    database = await createTestDatabase('tools');
    service = await startTestServer({ database });
    key = await service.key();
    const { body } = await post(service.url, rpc('tools/list'), { key });
    tools = (body.result as unknown as { tools: Listed[] }).tools;
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> =>
    (await post(service.url, toolCall(name, args), { key })).body.result as ToolResult;
  const said = async (name: string, args: Record<string, unknown>) => (await ask(name, args)).content[0]?.text;

  it('are nine, read-only, titled, with an output schema, and described with their neighbours', () => {
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { title, description, outputSchema, annotations, inputSchema } of tools) {
      expect(title).not.toBe('');
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(description).toMatch(/Use it .*(for|only)/);
      expect(NAMES.some((name) => description.includes(name))).toBe(true);
      for (const property of Object.values(inputSchema.properties)) expect(property).toHaveProperty('type');
    }
  });

  it('are defined in at most 5,000 tokens, and their instructions in 300', async () => {
    expect(tokens(JSON.stringify(tools))).toBeLessThanOrEqual(5_000);
    const { body } = await post(service.url, INITIALIZE, { key });
    const { instructions } = body.result as unknown as { instructions: string };
    expect(tokens(instructions)).toBeLessThanOrEqual(300);
  });

  it('have instructions about coverage, freshness, citation and gaps', async () => {
    const { body } = await post(service.url, INITIALIZE, { key });
    const { instructions, capabilities } = body.result as unknown as { instructions: string; capabilities: object };
    for (const word of ['never live', 'Cite', 'Not here', 'forecasts', 'one call', 'locale']) {
      expect(instructions).toContain(word);
    }
    expect(capabilities).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } });
    const { serverInfo } = body.result as unknown as { serverInfo: { icons: { src: string }[] } };
    expect(serverInfo.icons[0]?.src).toMatch(/^data:image\/svg\+xml,(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-F]{2})+$/i);
  });

  it.each(LOCALES)('describe ten changes in less than 3,000 tokens in %s', async (locale) => {
    const { content } = await ask('latest_changes', { limit: 10, locale });
    expect(content[0]?.text.match(/^\d+\. /gm)).toHaveLength(10);
    expect(tokens(content[0]?.text ?? '')).toBeLessThan(3_000);
  });

  it('have the summaries of at most three changes, in text and structure', async () => {
    for (const [limit, some] of [
      [3, true],
      [4, false],
    ] as const) {
      const { content, structuredContent } = await ask('latest_changes', { limit });
      const changes = structuredContent?.['data'] as { id: string; summary?: string }[];
      for (const { id, summary } of changes) {
        const one = (await ask('get_change', { id })).structuredContent?.['data'] as { summary: string };
        expect(summary).toBe(some ? one.summary : undefined);
        expect(content[0]?.text.includes(one.summary)).toBe(some);
      }
    }
  });

  it('respond as their output schemas describe', async () => {
    const { structuredContent } = await ask('latest_changes', { limit: 1 });
    const [change] = structuredContent?.['data'] as { id: string }[];
    const calls: [string, Record<string, unknown>][] = [
      ['latest_changes', {}],
      ['latest_changes', { query: 'unemployment' }],
      ['get_change', { id: change?.id }],
      ['country_heat', {}],
      ['country_heat', { country: 'FR' }],
      ['release_calendar', {}],
      ['latest_brief', {}],
      ['figures', { indicator: 'unemployment', country: 'Japan' }],
      ['figures', { indicator: 'gdp-growth', country: 'US, Deutschland', from: 2020 }],
      ['figures', { indicator: 'GDP' }],
      ['series', { series: 'gdp-growth, CPI', country: 'US', transform: 'change', level: 0 }],
    ];
    const ajv = new Ajv2020({ strict: false });
    for (const [name, args] of calls) {
      const result = await ask(name, args);
      expect({ name, error: result.isError }).toEqual({ name, error: undefined });
      const validate = ajv.compile(tools.find((tool) => tool.name === name)?.outputSchema ?? {});
      validate(result.structuredContent);
      expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
    }
  });

  it('list the existing domains and topics', () => {
    const { coverage, topic } = tools[0]?.inputSchema.properties ?? {};
    expect(coverage?.description).toMatch(/^growth, prices, .*markets$/);
    expect(topic?.description).toMatch(/ inflation, .* bond-yields, /);
  });

  it.each([
    [{ country: 'Germany' }, { country: 'DE' }],
    [{ country: 'America, 日本' }, { country: 'US,JP' }],
    [{ country: ['ドイツ', 'usa'] }, { country: 'DE,US' }],
    [{ country: null, topic: null, since: null, limit: '3' }, { limit: 3 }],
    [{ topic: 'Inflation ' }, { topic: 'inflation' }],
  ])('read %j as %j', async (written, meant) => {
    const [one, other] = [await ask('latest_changes', written), await ask('latest_changes', meant)];
    expect(one.isError).toBeUndefined();
    expect(contentOf(one)).toEqual(contentOf(other));
  });

  it('accept an address for the id in it', async () => {
    const { structuredContent } = await ask('latest_changes', { limit: 1 });
    const [change] = structuredContent?.['data'] as { id: string; url: string }[];
    const [one, other] = [await ask('get_change', { id: change?.url }), await ask('get_change', { id: change?.id })];
    expect(one.isError).toBeUndefined();
    expect(contentOf(one)).toEqual(contentOf(other));
  });

  it('give the countries of an indicator in the order requested', async () => {
    for (const asked of ['JP, US, Germany', 'Germany, JP, US', 'usa, Germany, JPN']) {
      for (const span of [{}, { from: '2020' }]) {
        const { structuredContent } = await ask('figures', { indicator: 'gdp-growth', country: asked, ...span });
        const { series } = structuredContent?.['data'] as { series: { region: { code: string } }[] };
        const codes = asked.replace('Germany', 'DE').replace('usa', 'US').replace('JPN', 'JP').split(', ');
        expect(series.map(({ region }) => region.code)).toEqual(codes);
      }
    }
  });

  it('cite a source in one line of text, with its licence, and its page in the structure', async () => {
    const { content, structuredContent } = await ask('figures', { indicator: 'gdp-growth', country: 'JP' });
    const { sources } = structuredContent?.['meta'] as { sources: ProjectedSource[] };
    expect(sources.length).toBeGreaterThan(0);
    for (const { id, attribution, url, licence } of sources) {
      expect(content[0]?.text).toContain(`[${id}] ${attribution}${licence === undefined ? '' : ` · ${licence.name}`}`);
      expect(url).toMatch(/^https:/);
    }
  });

  it.each([
    ['a number', 150, 250, { indicator: 'life-expectancy', country: 'JP', from: '2023', to: '2023' }],
    ['a number that was restated', 185, 300, { indicator: 'gdp', country: 'US', from: '2023', to: '2023' }],
  ])(
    'answer with %s in at most %d tokens of text and %d of structure: %j',
    async (_, mostText, mostStructure, args) => {
      const { content, structuredContent } = await ask('figures', args);
      expect(tokens(content[0]?.text ?? '')).toBeLessThanOrEqual(mostText);
      expect(tokens(JSON.stringify(structuredContent))).toBeLessThanOrEqual(mostStructure);
    },
  );

  it.each([
    ['latest_changes', { country: 'UK' }, /^(?!invalid)/],
    ['latest_changes', { country: 'Deutschland, 英国, フランス', topic: '失業率' }, /^(?!invalid)/],
    ['latest_changes', { topic: 'joblessness' }, /`topic`[^]*unemployment/],
    ['latest_changes', { coverage: 'inflation' }, /`coverage`[^]*prices/],
    ['latest_changes', { limit: '10', cursor: null, kind: null, until: null }, /^(?!invalid)/],
    ['figures', { indicator: 'inflation', country: 'Germany', from: 2015, asOf: null }, /^(?!invalid)/],
    ['release_calendar', { country: 'UK', importance: null, limit: '5' }, /^(?!invalid)/],
  ])('hear %s %j as a colleague does', async (tool, args, expected) => {
    expect(await said(tool, args)).toMatch(expected);
  });

  it('report what remains of the budget, as the headers do, in each result', async () => {
    for (const args of [{ limit: 2 }, { limit: 2 }, { limit: 99 }]) {
      const { headers, body } = await post(service.url, toolCall('latest_changes', args), { key });
      const budget = (body.result as { _meta?: Record<string, unknown> })._meta?.['tidemark/rateLimit'];
      const window = (name: string) => ({
        limit: Number(headers[`x-ratelimit-limit-${name}`]),
        remaining: Number(headers[`x-ratelimit-remaining-${name}`]),
        resetSeconds: Number(new RegExp(`"${name}";r=\\d+;t=(\\d+)`).exec(String(headers['ratelimit']))?.[1]),
      });
      expect(budget).toEqual({ minute: window('minute'), day: window('day') });
    }
  });

  it('lead on where there is more, each in a way that it takes', async () => {
    expect(await said('latest_changes', { query: 'gdp', limit: 1 })).toMatch(/the same call with cursor "/);
    expect(await said('latest_changes', { limit: 25 })).not.toMatch(/raise limit/);
  });

  it('say of a move that it is not the latest quote', () => {
    const about = tools.filter(({ description }) => description.includes('not the latest quote'));
    expect(about.map(({ name }) => name)).toEqual(['latest_changes']);
  });

  it('name an unknown argument and the nearest known one', async () => {
    expect(await said('latest_changes', { contry: 'JP' })).toMatch(/^invalid_parameter: [^]*`contry`[^]*country/);
    expect(await said('latest_brief', { date: '2026-07-01', locale: 'zh' })).toMatch(/`date`[^]*locale/);
    expect(await said('figures', { indicator: 'gdp', region: 'JP' })).toMatch(/`region`\. Nearest: `country`\.$/m);
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'])(
    'name %s as an unknown argument, although every object has such a member',
    async (name) => {
      for (const tool of NAMES) {
        const call = rpc('tools/call', { name: tool, arguments: { NAME: 1 } });
        const sent = JSON.stringify(call).replace('NAME', name);
        const { body } = await post(service.url, sent, { key });
        expect(body.result?.content[0]?.text).toMatch(new RegExp(`^invalid_parameter: [^]*no argument \`${name}\``));
      }
    },
  );

  it('refuse a number of countries beside the countries themselves', async () => {
    const asked = { indicator: 'gdp', country: 'JP', limit: 3 };
    expect(await said('figures', asked)).toMatch(/^invalid_parameter: [^]*`limit` cannot be combined with `country`/);
    expect(await said('figures', { ...asked, limit: null })).not.toMatch(/^invalid/);
  });

  it('explain a wrong argument and a correction, in the language of the call', async () => {
    expect(await said('latest_changes', { since: '1 July', locale: 'en' })).toMatch(
      /`since` must be a day \(YYYY-MM-DD\)/,
    );
    expect(await said('latest_changes', { since: '1 July', locale: 'zh' })).toMatch(/日期（YYYY-MM-DD）/);
    expect(await said('latest_changes', { limit: 26 })).toMatch(/`limit` must be at most 25/);
    expect(await said('latest_changes', { limit: 'ten' })).toMatch(/`limit`/);
    expect(await said('latest_changes', { topic: 'inflaton' })).toMatch(/`topic`[^]*inflation/);
    expect(await said('latest_changes', { country: 'Atlantis' })).toMatch(/`country`/);
    expect(await said('series', {})).toMatch(/`series` is missing/);
    expect(await said('get_change', { id: 'chg_unknown', locale: 'ja' })).toMatch(/^not_found: /);
    expect(await said('latest_changes', { locale: 'fr' })).toMatch(/`locale`[^]*en, zh, ja/);
  });

  it('report a withdrawn change', async () => {
    const { structuredContent } = await ask('latest_changes', { limit: 1 });
    const [change] = structuredContent?.['data'] as { id: string }[];
    await withdrawChange(await database.open('import'), change?.id ?? '', 'a test', () => new Date());
    await service.server.app.get(Heartbeat).poll();
    expect(await said('get_change', { id: change?.id, locale: 'en' })).toMatch(/^withdrawn: /);
  });

  it('reveal nothing internal in an internal error', async () => {
    const admin = await database.open('admin');
    await admin.query('ALTER TABLE changes RENAME TO changes_gone');
    const text = await said('latest_changes', { limit: 7 });
    await admin.query('ALTER TABLE changes_gone RENAME TO changes');
    expect(text).toMatch(/^internal_error: [^]*Request id: [0-9a-f-]+$/);
    expect(text).not.toMatch(/relation|SQL|select|changes_gone|\.ts|\.js/i);
  });
});

/** A result without its budget, which falls with each call. */
function contentOf({ content, structuredContent }: ToolResult) {
  return { content, structuredContent };
}
