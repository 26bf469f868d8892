// `npm run mcp:bundle -- https://tidemark.example [folder]`: writes tidemark.mcpb, which a desktop host installs, and
// server.json for a private registry. Neither contains a key: the host asks the user for address and key.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zipOf } from '../test/support/zip.ts';

const root = path.dirname(import.meta.dirname);
const [address, folder = path.join(root, 'dist/mcp')] = process.argv.slice(2);
if (address === undefined || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
  console.error('The address of the service is missing: npm run mcp:bundle -- https://tidemark.example');
  process.exit(2);
}
const base = address.replace(/\/+$/, '');
const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const about = {
  version,
  description: 'Verified changes in economic and market figures, each with its source and licence',
};

const manifest = {
  manifest_version: '0.3',
  name: 'tidemark',
  display_name: 'Tidemark',
  ...about,
  author: { name: 'Tidemark' },
  documentation: `${base}/docs`,
  license,
  server: {
    type: 'node',
    entry_point: 'server/bridge.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/bridge.mjs'],
      env: { TIDEMARK_URL: '${user_config.url}', TIDEMARK_KEY: '${user_config.key}' },
    },
  },
  tools_generated: true,
  user_config: {
    url: {
      type: 'string',
      title: 'Address',
      description: 'The address of your Tidemark service',
      default: base,
      required: true,
    },
    key: {
      type: 'string',
      title: 'API key',
      description: `A key from ${base}/account`,
      sensitive: true,
      required: true,
    },
  },
  compatibility: { runtimes: { node: '>=20' } },
};

const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json',
  // A registry names servers by the reversed domain of who runs them.
  name: `${new URL(base).hostname.split('.').reverse().join('.')}/tidemark`,
  title: 'Tidemark',
  ...about,
  websiteUrl: `${base}/docs`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${base}/api/v1/mcp`,
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer and a key of your account',
          value: 'Bearer {key}',
          isRequired: true,
          variables: { key: { description: 'API key', isRequired: true, isSecret: true } },
        },
      ],
    },
  ],
};

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
mkdirSync(folder, { recursive: true });
const bridge = readFileSync(path.join(root, 'scripts/mcp-bundle/bridge.mjs'), 'utf8');
const files = { 'manifest.json': json(manifest), 'server/bridge.mjs': bridge };
writeFileSync(path.join(folder, 'tidemark.mcpb'), zipOf(files));
writeFileSync(path.join(folder, 'server.json'), json(server));
console.log(`Written: tidemark.mcpb and server.json in ${folder}`);
