import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INTERFACE_VERSIONS } from '../../src/serve/http/openapi/changelog.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { breakingChanges } from './breaking-changes.js';
import { readDocument, type Document, type Schema } from './document.js';

// `UPDATE_API=1` writes the document of the newest version again, as long as that version is not released.
const isUpdate = process.env['UPDATE_API'] === '1';

const fileOf = (version: string): string =>
  join(__dirname, `../../docs/api/openapi-${version.replace(/\.\d+$/, '')}.json`);
const kept = (version: string): Document => JSON.parse(readFileSync(fileOf(version), 'utf8')) as Document;

/** Without what depends on the deployment or the data. */
function released(document: Document, base: string): unknown {
  const text = JSON.stringify({ ...document, servers: [{ url: 'https://tidemark.example' }] });
  const { examples: _removed, ...rest } = withoutExamples(JSON.parse(text)) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest).replaceAll(base, 'https://tidemark.example')) as unknown;
}

/** Examples of responses; those of parameters stay. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, one]) => name !== 'examples' || Array.isArray(one));
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutExamples(one)]));
}

/** What a program depends on: texts may be improved within a version. */
function typing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typing);
  if (typeof value !== 'object' || value === null) return value;
  const texts = ['description', 'summary', 'example', 'examples', 'x-mcp-tools'];
  const entries = Object.entries(value).filter(([name, one]) => !(texts.includes(name) && !isSchema(one)));
  return Object.fromEntries(entries.map(([name, one]) => [name, typing(one)]));
}

/** A member that is called `description` or the like. */
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value;

describe('The interface of version 1', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: unknown;
  const [newest] = INTERFACE_VERSIONS;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
    document = released(await readDocument(service), service.url);
    if (isUpdate && newest?.releasedOn === null) {
      writeFileSync(fileOf(newest.version), `${JSON.stringify(document, null, 1)}\n`);
    }
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('breaks nothing that a kept document promises', () => {
    const broken = INTERFACE_VERSIONS.filter(({ version }) => existsSync(fileOf(version))).map(({ version }) => ({
      version,
      faults: breakingChanges(kept(version), document),
    }));
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.flatMap(({ version, faults }) => faults.map((fault) => `${version}: ${fault}`))).toEqual([]);
  });

  it('is the kept document of its version: what is new needs a line in data/interface-versions.json', () => {
    expect(typing(document)).toEqual(typing(kept(newest?.version ?? '')));
  });

  it('has versions in falling order, each with what it added', () => {
    const numbers = INTERFACE_VERSIONS.map(({ version }) => version);
    for (const version of numbers) expect(version).toMatch(/^1\.\d+\.\d+$/);
    const order = [...numbers].sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
    expect(numbers).toEqual(order);
    expect(INTERFACE_VERSIONS.filter(({ added }) => added.length === 0)).toEqual([]);
    expect(INTERFACE_VERSIONS.slice(1).filter(({ releasedOn }) => releasedOn === null)).toEqual([]);
  });

  it('names every object, so that clients have a type for each', () => {
    const { components } = document as { components: { schemas: Record<string, unknown> } };
    const unnamed = Object.entries(components.schemas).flatMap(([name, schema]) =>
      [...objectsWithin(schema, name)].filter((at) => at !== name),
    );
    expect(unnamed).toEqual([]);
  });

  it('has a page of its changes and one of the licences, which the document names', async () => {
    const { info } = document as { info: { version: string; license: { url: string } } };
    expect(info.version).toBe(newest?.version);
    const changelog = await service.get('/docs/changelog', null);
    for (const { version } of INTERFACE_VERSIONS) expect(changelog.text).toContain(`<h2>${version}</h2>`);
    expect(info.license.url).toBe('https://tidemark.example/docs/licences');
    const licences = await service.get('/docs/licences', null);
    expect(licences.status).toBe(200);
    expect(licences.text).toContain('cc-by-4.0');
    expect(licences.text).not.toContain('bis-terms');
  });
});

/** The places of objects that are written out where they are used. */
function* objectsWithin(value: unknown, at: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* objectsWithin(one, `${at}/${index}`);
  } else if (typeof value === 'object' && value !== null) {
    if ('properties' in value && 'type' in value && value.type === 'object') yield at;
    for (const [name, one] of Object.entries(value)) yield* objectsWithin(one, `${at}/${name}`);
  }
}
