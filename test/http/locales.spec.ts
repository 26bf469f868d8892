// runs: in full only
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

const HAN = /[\u4e00-\u9fff]/;
const KANA = /[\u3040-\u30ff]/;
/** Written equally in all three languages. */
const SIGNS = ['%', 'GDP'];
/** Members that contain texts for people. */
const TEXTS = ['headline', 'summary', 'name', 'text', 'description', 'label', 'title', 'publisher', 'attribution'];

let database: TestDatabase;
let service: TestServer;
let changeId: string;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  const { body } = await service.get<{ id: string }[]>('/api/v1/changes?limit=1');
  changeId = body.data[0]?.id ?? '';
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

interface Text {
  readonly at: string;
  readonly text: string;
}

/** Every text for people in a response, with its place. */
function textsIn(value: unknown, at = ''): Text[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${at}[${String(index)}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${at}.${name}`;
    return TEXTS.includes(name) && typeof member === 'string' ? [{ at: place, text: member }] : textsIn(member, place);
  });
}

const inAll = (path: string) =>
  Promise.all(
    ['en', 'zh', 'ja'].map((locale) => service.get(`${path}${path.includes('?') ? '&' : '?'}locale=${locale}`)),
  );

describe.each([
  '/api/v1/changes?limit=100',
  '/api/v1/changes/{id}',
  '/api/v1/coverage',
  '/api/v1/coverage/prices?limit=100',
  '/api/v1/topics',
  '/api/v1/topics/gdp?limit=100',
  '/api/v1/macro/board',
  '/api/v1/macro/cpi-inflation',
  '/api/v1/macro/gdp?region=WLD',
])('GET %s', (pattern) => {
  const path = () => pattern.replace('{id}', changeId);

  it('states its language in three locales', async () => {
    const replies = await inAll(path());
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'zh', 'ja']);
    expect(replies.map(({ body }) => body.meta.locale)).toEqual(['en', 'zh', 'ja']);
  });

  it('has every text in the requested language, and none in another', async () => {
    const [en, zh, ja] = (await inAll(path())).map(({ body }) => textsIn(body));
    expect(en?.length).toBeGreaterThan(4);
    expect(zh?.map(({ at }) => at)).toEqual(en?.map(({ at }) => at));
    expect(ja?.map(({ at }) => at)).toEqual(en?.map(({ at }) => at));
    const faults = (en ?? []).flatMap(({ at, text }, index) => {
      const others = [zh?.[index]?.text ?? '', ja?.[index]?.text ?? ''];
      const [chinese = '', japanese = ''] = others;
      const foreign = HAN.test(text) || KANA.test(text) || KANA.test(chinese);
      const untranslated =
        !others.some((one) => SIGNS.includes(one)) &&
        /[a-z]{3}/i.test(text) &&
        (!HAN.test(chinese) || !(HAN.test(japanese) || KANA.test(japanese)));
      return foreign || untranslated || text.trim() === '' ? [{ at, text, chinese, japanese }] : [];
    });
    expect(faults).toEqual([]);
  });

  it('has the same figures in every language', async () => {
    const data = (await inAll(path())).map(({ body }) =>
      JSON.stringify(body.data, (name, member: unknown) => {
        // A page link contains the language of the request.
        if (name === 'page') return String(member).replace(/locale=(en|zh|ja)/, 'locale=');
        return TEXTS.includes(name) ? null : member;
      }),
    );
    expect(new Set(data).size).toBe(1);
  });

  it('is in English without a locale, whatever accept-language contains', async () => {
    const plain = await service.get(path(), undefined, { headers: { 'accept-language': 'ja,zh;q=0.9' } });
    const [english] = await inAll(path());
    expect(plain.body.data).toEqual(english?.body.data);
  });
});
