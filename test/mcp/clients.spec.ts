// runs: in full only
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { MCP } from './rpc.js';

// Third-party clients, configured as their users would configure them.

const BRIDGE = require.resolve('mcp-remote/dist/proxy.js');
const EVERY_TOOL: readonly (readonly [string, Record<string, unknown>])[] = [
  ['latest_changes', { country: 'JP', locale: 'ja' }],
  ['latest_changes', { query: 'unemployment' }],
  ['get_change', {}],
  ['country_heat', { limit: 3 }],
  ['release_calendar', { from: '2024-09-01', to: '2024-12-31' }],
  ['company', { slug: 'nordwind-holding-ag' }],
  ['latest_brief', { locale: 'zh' }],
];

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** What the tests need of each client. */
interface Speaker {
  list(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
}

describe('An MCP client', () => {
  let database: TestDatabase;
  let service: TestServer;
  let home: string;
  let id: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'tidemark-bridge-'));
    database = await createTestDatabase('tools');
    service = await startTestServer({ database });
    const { body } = await service.get<{ id: string }[]>('/api/v1/changes?limit=1');
    id = body.data[0]?.id ?? '';
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    await rm(home, { recursive: true, force: true });
  });

  async function sdkClient(key: string, mode: 'legacy' | { pin: string }, header = 'authorization'): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const headers = { [header]: header === 'authorization' ? `Bearer ${key}` : key };
    const transport = new StreamableHTTPClientTransport(new URL(service.url + MCP), { requestInit: { headers } });
    await client.connect(transport);
    return client;
  }
  const sdk = async (...connection: Parameters<typeof sdkClient>) => speakerOf(await sdkClient(...connection));

  /** For programs that use standard input and output: a separate process adds the header. */
  async function bridgeClient(key: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BRIDGE, service.url + MCP, '--allow-http', '--header', `Authorization:Bearer ${key}`],
      env: { PATH: process.env.PATH ?? '', HOME: home, MCP_REMOTE_CONFIG_DIR: home },
      stderr: 'ignore',
    });
    await client.connect(transport);
    return client;
  }
  const bridge = async (key: string) => speakerOf(await bridgeClient(key));

  async function aiSdk(key: string): Promise<Speaker> {
    const client = await createMCPClient({
      transport: { type: 'http', url: service.url + MCP, headers: { Authorization: `Bearer ${key}` } },
    });
    return {
      list: async () => Object.keys(await client.tools()),
      call: async (name, args) => {
        const tool = (await client.tools())[name];
        if (tool === undefined) throw new Error(`There is no tool ${name}`);
        return (await tool.execute(args, { messages: [], toolCallId: '1' })) as Result;
      },
      close: () => client.close(),
    };
  }

  const clients: readonly (readonly [string, (key: string) => Promise<Speaker>])[] = [
    ["the protocol SDK's client, as of 2025-11-25", (key) => sdk(key, 'legacy')],
    ["the protocol SDK's client, as of 2026-07-28", (key) => sdk(key, { pin: '2026-07-28' })],
    ["the protocol SDK's client with x-api-key", (key) => sdk(key, 'legacy', 'x-api-key')],
    ['mcp-remote, the bridge', bridge],
    ["the AI SDK's client", aiSdk],
  ];

  it.each(clients)('lists the tools and calls each: %s', async (_, connect) => {
    const speaker = await connect(await service.key());
    expect(await speaker.list()).toEqual(expect.arrayContaining(EVERY_TOOL.map(([name]) => name)));
    for (const [name, args] of EVERY_TOOL) {
      const { isError, content } = await speaker.call(name, name === 'get_change' ? { id } : args);
      expect({ name, failed: isError === true }).toEqual({ name, failed: false });
      expect(content[0]?.text).toMatch(/http/);
    }
    await speaker.close();
  });

  it.each(clients)('shows why a call was refused because of its arguments: %s', async (_, connect) => {
    const speaker = await connect(await service.key());
    const { isError, content } = await speaker.call('latest_changes', { topic: 'inflaton' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('inflation');
    await speaker.close();
  });

  it.each(clients)('shows when to retry above the limit: %s', async (_, connect) => {
    const speaker = await connect(await service.key('free'));
    await speaker.call('latest_brief', {});
    await expect(speaker.call('latest_brief', {})).rejects.toThrow(/Try again in \d+ s/);
    await speaker.close();
  });

  it.each(clients)('is refused with a wrong key: %s', async (_, connect) => {
    await expect(connect('tm_wrong')).rejects.toThrow();
  });

  it.each([
    ['as of 2025-11-25', (key: string) => sdkClient(key, 'legacy')],
    ['as of 2026-07-28', (key: string) => sdkClient(key, { pin: '2026-07-28' })],
    ['mcp-remote, the bridge', bridgeClient],
  ])('reads documents: %s', async (_, connect) => {
    const client = await connect(await service.key());
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(3);
    const { resources } = await client.listResources();
    for (const uri of [...resources.map((one) => one.uri), 'tidemark://countries/日本?locale=ja']) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toMatch(/http/);
    }
    await expect(client.readResource({ uri: 'tidemark://topics/inflaton' })).rejects.toThrow(/inflation/);
    await client.close();
  });

  function speakerOf(client: Client): Speaker {
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
      close: () => client.close(),
    };
  }
});
