// runs: in full only
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ROOT = join(__dirname, '../..');
const ADDRESS = 'https://tidemark.example';

/** The members of version 0.3 of the manifest that a bundle of this kind uses. */
const Manifest = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string().regex(/^[a-z-]+$/),
  display_name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string(),
  author: z.strictObject({ name: z.string() }),
  documentation: z.url(),
  license: z.string(),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.literal('node'),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  tools_generated: z.boolean(),
  user_config: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('string'),
      title: z.string(),
      description: z.string(),
      required: z.literal(true),
      default: z.string().optional(),
      sensitive: z.boolean().optional(),
    }),
  ),
  compatibility: z.strictObject({ runtimes: z.strictObject({ node: z.string() }) }),
});

describe('The MCP bundle', () => {
  let folder: string;
  let files: Readonly<Record<string, string>>;
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-bundle-'));
    const hook = join(ROOT, 'scripts/typescript.mjs');
    const script = join(ROOT, 'scripts/mcp-bundle.mjs');
    execFileSync(process.execPath, ['--import', hook, script, ADDRESS, folder]);
    files = unzipped(readFileSync(join(folder, 'tidemark.mcpb')));
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('has a valid manifest that asks the user for address and key', () => {
    const { user_config: asked, server } = Manifest.parse(JSON.parse(files['manifest.json'] ?? ''));
    expect(Object.keys(files)).toContain(server.entry_point);
    expect(asked).toMatchObject({ url: { default: ADDRESS }, key: { sensitive: true } });
    expect(asked['key']).not.toHaveProperty('default');
    const env = Object.values(server.mcp_config.env);
    expect(env.sort()).toEqual(['${user_config.key}', '${user_config.url}']);
  });

  it('contains no secret, nor does server.json', () => {
    const listed = readFileSync(join(folder, 'server.json'), 'utf8');
    for (const text of [...Object.values(files), listed]) expect(text).not.toMatch(/tm_[0-9A-Za-z]/);
    expect(JSON.parse(listed)).toMatchObject({
      name: 'example.tidemark/tidemark',
      remotes: [{ type: 'streamable-http', url: `${ADDRESS}/api/v1/mcp` }],
    });
  });

  it.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)(
    'starts a server that does what the endpoint does, and says why a key is refused: %s',
    async (_, mode) => {
      const bridge = join(folder, 'bridge.mjs');
      writeFileSync(bridge, files['server/bridge.mjs'] ?? '');
      const connected = async (key: string) => {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        const env = { TIDEMARK_URL: `${service.url}/`, TIDEMARK_KEY: key };
        await client.connect(new StdioClientTransport({ command: process.execPath, args: [bridge], env }));
        return client;
      };
      const client = await connected(await service.key());
      expect((await client.listTools()).tools).toHaveLength(9);
      const { content } = await client.callTool({ name: 'latest_changes', arguments: { limit: 1 } });
      expect(JSON.stringify(content)).toContain('http');
      const { contents } = await client.readResource({ uri: 'tidemark://countries/日本' });
      expect(JSON.stringify(contents)).toContain('http');
      await client.close();
      // With a pinned version, the client has words of its own.
      await expect(connected('tm_wrong')).rejects.toThrow(mode === 'legacy' ? /key/ : /negotiation/);
    },
  );
});

/** The files of an archive that `zipOf` wrote: local headers, one after the other. */
function unzipped(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50;) {
    const [packed, named] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26)];
    const start = at + 30 + named;
    const name = archive.toString('utf8', at + 30, start);
    files[name] = inflateRawSync(archive.subarray(start, start + packed)).toString();
    at = start + packed;
  }
  return files;
}
