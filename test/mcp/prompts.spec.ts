import { LOCALES } from '../../src/domain/locale/locale.js';
import { readMessages } from '../contract/messages.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { META, modern, post, rpc, toolCall } from './rpc.js';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}
interface Prompted {
  readonly description: string;
  readonly messages: readonly { readonly role: string; readonly content: { readonly text: string } }[];
}

/** A call as a prompt names it. */
const CALL = /\b(\w+) (\{"[^}]*\})/g;

describe('The prompts', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('tools');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (name: unknown, args?: unknown) =>
    post(service.url, rpc('prompts/get', { name, arguments: args }), { key });
  const said = async (name: string, args: Record<string, unknown>): Promise<string> =>
    ((await ask(name, args)).body.result as unknown as Prompted).messages[0]?.content.text ?? '';

  it('are two, with title, description and arguments, in both versions of the protocol', async () => {
    const old = await post(service.url, rpc('prompts/list'), { key });
    const young = await post(service.url, rpc('prompts/list', { _meta: META }), {
      key,
      headers: modern('prompts/list'),
    });
    const { prompts } = old.body.result as unknown as { prompts: Listed[] };
    expect(young.body.result).toMatchObject({ prompts, ttlMs: 3_600_000 });
    expect(prompts.map(({ name, title }) => [name, title])).toEqual([
      ['morning_brief', 'Morning brief'],
      ['country_report', 'Country report'],
    ]);
    expect(prompts.map((one) => one.arguments.map(({ name, required }) => [name, required]))).toEqual([
      [['locale', false]],
      [
        ['country', true],
        ['locale', false],
      ],
    ]);
  });

  it.each(LOCALES)('name calls that the tools accept, in at most two, in %s', async (locale) => {
    for (const [name, args, most] of [
      ['morning_brief', {}, 1],
      ['country_report', { country: 'Japan' }, 2],
    ] as const) {
      const calls = [...(await said(name, { ...args, locale })).matchAll(CALL)];
      expect(calls.length).toBe(most);
      for (const [, tool = '', given = ''] of calls) {
        const call = toolCall(tool, JSON.parse(given) as Record<string, unknown>);
        const { body } = await post(service.url, call, { key });
        expect({ tool, failed: body.result?.isError, error: body.error }).toEqual({ tool });
      }
    }
  });

  it('demand sources, licences, age and nothing from memory, in the language', async () => {
    const demands = {
      en: ['licence', '"Must be shown"', 'how old', 'nothing from memory', 'Japan'],
      zh: ['许可协议', '“须随数据展示”', '距今多久', '不得凭记忆', '日本'],
      ja: ['ライセンス', '「必ず併記する文」', '何日前', '記憶から補わない', '日本'],
    };
    for (const locale of LOCALES) {
      const text = await said('country_report', { country: 'JPN', locale });
      for (const demand of demands[locale]) expect(text).toContain(demand);
    }
  });

  it.each(LOCALES)('quote the marks of the results word for word in %s', async (locale) => {
    const messages = readMessages(locale, 'mcp');
    const text = await said('morning_brief', { locale });
    for (const mark of ['notice', 'change.evidence.supported']) {
      const words = (messages[mark] ?? '')
        .replace('{notice}', '')
        .split(/[:：]/)
        .map((one) => one.trim());
      expect({ mark, quoted: words.some((one) => one !== '' && text.includes(one)) }).toEqual({ mark, quoted: true });
    }
  });

  it.each([['Germany'], ['DE'], ['deu'], ['ドイツ'], ['德国'], [' germany ']])(
    'hear the country as the tools do: %s',
    async (country) => {
      expect(await said('country_report', { country })).toContain('figures of Germany');
    },
  );

  it.each([
    ['country_report', {}, /`country` is missing/],
    ['country_report', { country: 'Atlantis' }, /`country`/],
    ['country_report', { country: 'Japn' }, /`country`[^]*JP \(Japan\)/],
    ['country_report', { country: 'Atlantis', locale: 'fr', x: 'y' }, /`locale`[^]*`x`[^]*`country`/],
    ['country_report', { locale: 'fr' }, /`country`[^]*`locale`/],
    ['morning_brief', { locale: 'fr', x: 'y' }, /`locale`[^]*`x`/],
    ['country_report', { country: 'JP, DE' }, /`country` takes at most 1/],
    ['country_report', { country: 5 }, /`arguments.country` must be a string/],
    ['country_report', { contry: 'JP', country: 'JP' }, /The prompt has no argument `contry`[^]*country/],
    ['morning_brief', { locale: 'fr' }, /`locale`[^]*en, zh, ja/],
    ['morning_brif', {}, /no prompt `morning_brif`[^]*`morning_brief`, `country_report`/],
    ['__proto__', {}, /no prompt `__proto__`/],
    [['morning_brief'], {}, /`name` must be a string/],
    ['morning_brief', [], /`arguments` must be an object/],
  ])('refuse %j %j with -32602 and what to try', async (name, args, says) => {
    const { status, body } = await ask(name, args);
    expect([status, body.error?.code, body.error?.data?.code]).toEqual([200, -32_602, 'invalid_parameter']);
    expect(body.error?.message).toMatch(says);
  });

  it('are rendered and refused as of 2026-07-28 too, in the language of the arguments', async () => {
    const get = (country: string) =>
      post(
        service.url,
        rpc('prompts/get', { name: 'country_report', arguments: { country, locale: 'zh' }, _meta: META }),
        { key, headers: { ...modern('prompts/get'), 'mcp-name': 'country_report' } },
      );
    expect(((await get('Japan')).body.result as unknown as Prompted).messages[0]?.role).toBe('user');
    const { error } = (await get('Atlantis')).body;
    expect([error?.code, /^`country`[^]*[一-鿿]|^[一-鿿]/.test(error?.message ?? '')]).toEqual([-32_602, true]);
  });

  it('cost none of the plan’s requests', async () => {
    const free = await service.key('free');
    for (const name of ['morning_brief', 'no_such_prompt']) {
      const { headers } = await post(service.url, rpc('prompts/get', { name }), { key: free });
      expect(headers['x-ratelimit-remaining-day']).toBe('400');
    }
  });

  it('cause no warning and no error in the log', () => {
    expect(service.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });
});
