import { post, toolCall } from '../mcp/rpc.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `x${String(at)}`);
const refused = async (count: number, locale = 'en') => {
  const query = names(count).map((name) => `${name}=1`);
  const { status, body } = await service.get(`/api/v1/changes?locale=${locale}&${query.join('&')}`);
  expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
  return body.error;
};

describe('A request with many mistakes', () => {
  it('gets ten of them named, and the number of the others', async () => {
    for (const [count, more] of [
      [10, /with what they accept\.$/],
      [11, / Only the first 10 errors are listed; there is 1 more\.$/],
      [63, / Only the first 10 errors are listed; there are 53 more\.$/],
    ] as const) {
      const error = await refused(count);
      expect(error?.errors?.map(({ parameter }) => parameter)).toEqual(names(Math.min(count, 10)));
      expect(error?.detail).toMatch(more);
    }
    expect((await refused(12, 'zh'))?.detail).toMatch(/。此处仅列出前10处错误，另有2处。$/);
    expect((await refused(12, 'ja'))?.detail).toMatch(
      /。最初の10件のみ記載しています。このほかに2件あります。$/,
    );
  });

  it('is refused as a whole above 64 parameters', async () => {
    expect(await refused(64)).toMatchObject({
      detail: 'A request may have at most 64 parameters; this one has 65.',
    });
    expect((await refused(1_000))?.errors).toBeUndefined();
    const { body } = await service.get(`/api/v1/changes?${'country=JP&'.repeat(70)}`);
    expect(body.error?.detail).toBe('A request may have at most 64 parameters; this one has 70.');
  });

  it('gets each parameter’s name repeated up to a line’s length', async () => {
    const { body } = await service.get(`/api/v1/changes?${'😀'.repeat(200)}%0a=1`);
    const [fault] = body.error?.errors ?? [];
    expect(fault?.parameter).toBe('😀'.repeat(50));
    expect(fault?.message).toBe(`The route has no parameter \`${'😀'.repeat(32)}…\`.`);
    const cut = await service.get(`/api/v1/changes?x${'😀'.repeat(200)}=1`);
    expect(cut.body.error?.errors?.[0]).toMatchObject({
      parameter: `x${'😀'.repeat(49)}\ufffd`,
      message: `The route has no parameter \`x${'😀'.repeat(31)} …\`.`,
    });
  });

  it('gets the same error from a tool of the MCP endpoint', async () => {
    const key = await service.key();
    const said = async (count: number) => {
      const args = Object.fromEntries(names(count).map((name) => [name, 1]));
      const { body } = await post(service.url, toolCall('latest_changes', args), { key });
      return body.result?.content[0]?.text ?? '';
    };
    const lines = (await said(13)).split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10);
    expect(lines.at(-1)).toBe('Only the first 10 errors are listed; there are 3 more.');
    expect(await said(500)).toBe(
      'invalid_parameter: A request may have at most 64 parameters; this one has 500.',
    );
  });
});
