import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiscoveryService } from '@nestjs/core';
import { resourcesOf } from '../../src/serve/http/openapi/resource-controller.decorator.js';
import { TOOLS } from '../../src/assistants/tools/tools.js';
import type { Resource } from '../../src/serve/responses/resource.js';
import examples from '../../data/openapi-examples.json' with { type: 'json' };
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { operationsOf, readDocument, type Documented } from './document.js';

const ROOT = join(__dirname, '../..');
/** The files that every resource needs. */
const FILES = ['module', 'controller', 'service', 'schema'];
/** The contract specifies a tool and no route for it. */
const WITHOUT_ROUTE = ['country_heat'];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('Every resource', () => {
  let database: TestDatabase;
  let service: TestServer;
  let resources: Resource[];
  let operations: Documented[];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    resources = resourcesOf(service.server.app.get(DiscoveryService, { strict: false }));
    operations = operationsOf(await readDocument(service));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has a path and a tag of its own', () => {
    expect(resources.length).toBeGreaterThanOrEqual(13);
    for (const member of ['path', 'tag'] as const) {
      const all = resources.map((one) => one[member]);
      expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
    }
    const paths = resources.map(({ path }) => path);
    expect(operations.filter(({ path }) => !paths.includes(path.split('/')[3] ?? ''))).toEqual([]);
  });

  it('has the files, texts and tests that CONTRIBUTING.md lists', () => {
    expect([...resources.flatMap(filesMissing), ...operations.flatMap(textsMissing)]).toEqual([]);
  });

  it('names the tools with the same content as its routes, and every tool has a resource', () => {
    const named = operations.flatMap(({ operation }) => operation['x-mcp-tools'] ?? []);
    const tools = TOOLS.map(({ definition }) => definition.name);
    expect([...new Set([...named, ...WITHOUT_ROUTE])].sort()).toEqual(tools.sort());
  });
});

function filesMissing({ path }: Resource): string[] {
  const folder = `src/serve/resources/${path}`;
  if (!existsSync(join(ROOT, folder))) return [`${folder}/ is not there: the folder is named as the path`];
  const files = readdirSync(join(ROOT, folder));
  const lacking = FILES.filter((role) => !files.some((file) => file.endsWith(`.${role}.ts`)));
  return [
    ...lacking.map((role) => `${folder}/ has no *.${role}.ts`),
    ...(new RegExp(`\`${path}[\`/]`).test(read('CHANGELOG.md'))
      ? []
      : [`CHANGELOG.md has no line that names \`${path}\``]),
  ];
}

function textsMissing({ path, operation }: Documented): string[] {
  const { operationId } = operation;
  const short = path.replace('/api/v1/', '');
  const rows = read('docs/reference/api.md').match(/^\| `.*$/gm) ?? [];
  const start = short.replace(/\{.*/, '');
  const suites = readdirSync(join(ROOT, 'test/http')).map((file) => read(`test/http/${file}`));
  return [
    ...(rows.some((row) => row.split('|')[1]?.includes(`\`${short}\``))
      ? []
      : [`docs/reference/api.md has no row for \`${short}\` in its table of resources`]),
    ...(operationId in examples
      ? []
      : [`test/contract/openapi-examples.spec.ts asks nothing of ${operationId}, so it has no example`]),
    ...(suites.some((text) => text.includes(`/${start}`)) ? [] : [`no suite in test/http asks for /${start}`]),
  ];
}
