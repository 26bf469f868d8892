import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, META, modern, post, rpc, toolCall, VERSION } from './rpc.js';

const CALL = toolCall('latest_brief');
const SAYS = { en: /must name a supported version/, zh: /^请求头/, ja: /^ヘッダー/ };

describe('An MCP protocol header', () => {
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

  const ask = async (body: unknown, headers: Record<string, string>) =>
    post(service.url, body, { key: await service.key(), headers });

  it.each([
    ['that is empty', ''],
    ['that is a statement of SQL', "' UNION SELECT version()--"],
    ['that holds bytes beyond ASCII', 'Ã¿'],
    ['that is not served', '1999-01-01'],
  ])('gets -32600 in the language of the call for a version %s', async (_, version) => {
    for (const [locale, says] of Object.entries(SAYS)) {
      const call = toolCall('latest_brief', { locale });
      const { status, body } = await ask(call, { 'mcp-protocol-version': version });
      expect([status, body.error?.code]).toEqual([400, -32_600]);
      expect(body.error?.data?.code).toBe('malformed_request');
      expect(body.error?.message).toMatch(says);
    }
  });

  it('gets -32602 for a version that the message does not state', async () => {
    const { status, body } = await ask(CALL, { 'mcp-protocol-version': VERSION });
    expect([status, body.error?.code, body.error?.data?.code]).toEqual([400, -32_602, 'invalid_parameter']);
    expect(body.error?.message).toMatch(/`params`/);
  });

  it('gets the protocol’s code if it contradicts the message', async () => {
    const future = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const [other, handshake, unknown] = [
      await ask(rpc('tools/list', { _meta: META }), modern('tools/call')),
      await ask(INITIALIZE, { 'mcp-protocol-version': VERSION }),
      await ask(rpc('tools/list', { _meta: future }), {
        ...modern('tools/list'),
        'mcp-protocol-version': '2099-01-01',
      }),
    ];
    expect([other, handshake, unknown].map(({ body }) => body.error?.code)).toEqual([-32_020, -32_020, -32_022]);
    for (const { status, body } of [other, handshake, unknown]) {
      expect([status, body.error?.data?.code]).toEqual([400, 'malformed_request']);
      expect(body.error?.message).toMatch(SAYS.en);
    }
    expect(unknown.body.error?.data).toMatchObject({ supported: [VERSION], requested: '2099-01-01' });
  });

  it.each(['v999.0.0', 'DRAFT-2027', '1999-01-01', '1.0'])(
    'gets the supported versions for %s if the message claims it too',
    async (version) => {
      const claimed = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
      const headers = { ...modern('server/discover'), 'mcp-protocol-version': version };
      const { status, body } = await ask(rpc('server/discover', { _meta: claimed }), headers);
      expect([status, body.error?.code]).toEqual([400, -32_022]);
      expect(body.error?.data).toMatchObject({ supported: [VERSION], requested: version });
    },
  );

  it('makes the handshake an unknown method as of 2026-07-28', async () => {
    const { status, body } = await ask(rpc('initialize', { _meta: META }), modern('initialize'));
    expect([status, body.error?.code]).toEqual([404, -32_601]);
  });

  it('causes no warning and no error in the log, whatever it contains', () => {
    expect(service.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });
});
