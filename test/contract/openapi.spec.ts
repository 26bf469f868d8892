import { createHash } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownerOf } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { ResponseValidator } from './response-validator.js';
import {
  addressOf,
  membersOf,
  operationsOf,
  questionsOf,
  readDocument,
  responseOf,
  type Document,
  type Documented,
  type Parameter,
} from './document.js';

/** A segment with a name. One with a day can be malformed, which is 400. */
const isNamed = ({ in: place, schema }: Parameter): boolean => place === 'path' && schema.format !== 'date';

describe('The OpenAPI document', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;
  let operations: Documented[];
  let validator: ResponseValidator;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    document = await readDocument(service);
    operations = operationsOf(document);
    validator = new ResponseValidator(document, true);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true });
    expect(document.openapi).toBe('3.1.0');
  });

  it('names every operation once, with a short summary, a description and a described tag', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      const { operationId, summary, description } = operation;
      expect(operationId).toMatch(/^(list|get|search)[A-Z][A-Za-z]+$/);
      expect(summary.split(' ').length).toBeLessThanOrEqual(6);
      expect(description).toMatch(/\.$/);
      expect(operation.tags.filter((tag) => !tags.includes(tag))).toEqual([]);
    }
  });

  it('describes every parameter, and gives each one an example, a closed set or a default', () => {
    const lacking = operations.flatMap(({ operation }) =>
      operation.parameters
        .filter(({ name, description, example, schema }) => {
          const shown = example ?? schema.examples ?? schema.enum ?? schema.default;
          return description === undefined || (shown === undefined && name !== 'cursor');
        })
        .map(({ name }) => `${operation.operationId} ${name}`),
    );
    expect(lacking).toEqual([]);
  });

  it('expresses null as 3.1 does, and leaves responses open for new members', () => {
    const responses = JSON.stringify([document.components.schemas, document.components.responses]);
    expect(responses).not.toContain('"nullable"');
    expect(responses).not.toContain('"additionalProperties":false');
    const choices = [...membersOf(document.components.schemas)].filter(([name]) => name === 'anyOf');
    // Only a reference has no type that null could join.
    for (const [, choice] of choices) expect(JSON.stringify(choice)).toContain('$ref');
  });

  it('has a schema for each response that an independent validator compiles', () => {
    for (const { path, operation } of operations) {
      expect(validator.at(...answerPointer(path))).toBeInstanceOf(Function);
      expect(operation.responses['304']).toBeDefined();
    }
    expect(validator.at('components', 'schemas', 'ProblemEnvelope')).toBeInstanceOf(Function);
  });

  it.each(LOCALES)('describes every response of the service in %s', async (locale) => {
    for (const documented of operations) {
      for (const address of questionsOf(documented)) {
        const { status, body } = await service.get(withLocale(address, locale));
        const faults = validator.faults(body, ...answerPointer(documented.path));
        expect({ address, status, faults }).toEqual({ address, status: 200, faults: [] });
      }
    }
  });

  it('names exactly the headers of each response', async () => {
    const owner = await ownerOf(service, 'reader');
    await owner.follow('country', 'JP');
    for (const name of ['one', 'another']) {
      await owner.alert({ name, type: 'country', key: 'JP', metric: 'any_change' });
    }
    for (const documented of operations) {
      const { headers, status, body } = await owner.get(addressOf(documented, limitOf(documented)));
      expect(status).toBe(200);
      const named = Object.keys(responseOf(document, documented.operation, 200).headers);
      // The last page has no link, and bars of several instruments have no pages.
      const last = body.meta.page?.nextCursor == null ? ['Link'] : [];
      expect(named.filter((name) => !headers.has(name) && !last.includes(name))).toEqual([]);
      const again = await owner.get(addressOf(documented, limitOf(documented)), undefined, {
        headers: { 'if-none-match': '*' },
      });
      expect(again.status).toBe(304);
      const repeated = Object.keys(responseOf(document, documented.operation, 304).headers);
      expect(repeated.filter((name) => !again.headers.has(name))).toEqual([]);
    }
  });

  it('matches the service at every documented bound: both ends are accepted, values beyond are refused', async () => {
    for (const documented of operations) {
      for (const { name, schema } of documented.operation.parameters.filter((one) => one.in === 'query')) {
        for (const value of [schema.minimum, schema.maximum, schema.default, ...(schema.enum ?? [])]) {
          if (value === undefined) continue;
          const { status } = await service.get(addressOf(documented, { [name]: String(value) }));
          expect({ name, value, status }).toEqual({ name, value, status: 200 });
        }
        for (const value of beyond(schema)) {
          const { status, body } = await service.get(addressOf(documented, { [name]: value }));
          expect({ name, value, status }).toEqual({ name, value, status: 400 });
          expect(body.error?.errors?.map(({ parameter }) => parameter)).toEqual([name]);
        }
      }
    }
  });

  it('documents path segments whose other forms are 404', async () => {
    for (const { path, operation } of operations) {
      for (const { name, schema } of operation.parameters.filter(isNamed)) {
        for (const value of ['_', 'UPPER CASE', 'x'.repeat((schema.maxLength ?? 64) + 1)]) {
          const address = path.replace(`{${name}}`, encodeURIComponent(value));
          const { status } = await service.get(address);
          expect({ address, status }).toEqual({ address, status: 404 });
        }
      }
    }
  });

  it('demands a bearer token for every operation', () => {
    expect(document.components.securitySchemes).toEqual({
      key: expect.objectContaining({ type: 'http', scheme: 'bearer', bearerFormat: 'opaque' }) as object,
    });
    expect((document as unknown as { security: object[] }).security).toEqual([{ key: [] }]);
  });
});

describe('The documentation page', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('loads nothing from another host, and its policy forbids it', async () => {
    const page = await service.get('/docs', null);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
    expect(page.headers.get('content-security-policy')).not.toMatch(/https?:/);
  });

  it.each(['/', '/docs', '/docs/errors'])(
    'has a policy without inline code, frames or another base: %s',
    async (path) => {
      const { text, headers } = await service.get(path, null);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).not.toContain('unsafe');
      for (const directive of ['base-uri', 'frame-ancestors']) expect(policy).toContain(`${directive} 'none'`);
      const styles = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
      for (const style of styles)
        expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
      expect(text).not.toMatch(/ style="/);
    },
  );

  it('weighs less than 700 kB, and browsers keep its library until it changes', async () => {
    const page = await service.get('/docs', null);
    const loaded = [...page.text.matchAll(/(?:src|href)="(\/docs[^"]+)"/g)].map(([, address]) => address ?? '');
    const sizes = await Promise.all(
      ['/docs', '/docs/openapi.json', ...loaded].map(async (name) => {
        const { headers } = await service.get(name, null, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
        expect({ name, tagged: headers.has('etag') }).toEqual({ name, tagged: true });
        return Number(headers.get('content-length'));
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000);
    const [library] = loaded.filter((name) => name.includes('?v=') && name.includes('.js'));
    expect(library).toMatch(/\?v=\d+\.\d+\.\d+$/);
    const { headers } = await service.get(library ?? '', null);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('sends requests to its own host, while the document names the configured address', async () => {
    const script = await service.get('/docs/swagger-ui-init.js', null);
    expect(script.text).toContain("servers: [{ url: '/' }]");
    expect(script.text).toContain('"url":"/docs/openapi.json"');
    expect(script.text).toContain('"validatorUrl":null');
    expect(script.text).toContain("sessionStorage.setItem('tidemark-key'");
    expect(script.text).not.toContain('localStorage');
    const document = JSON.parse((await service.get('/docs/openapi.json', null)).text) as { servers: { url: string }[] };
    expect(document.servers).toEqual([{ url: service.url, 'x-internal': false }]);
  });
});

function answerPointer(path: string): string[] {
  return ['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
}

function withLocale(address: string, locale: string): string {
  const url = new URL(address, 'http://localhost');
  url.searchParams.set('locale', locale);
  return `${url.pathname}${url.search}`;
}

/** A limit that is small enough for a next page. */
function limitOf({ operation }: Documented): Record<string, string> {
  return operation.parameters.some(({ name }) => name === 'limit') ? { limit: '1' } : {};
}

function beyond(schema: Documented['operation']['parameters'][number]['schema']): string[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  return [
    '',
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ...(minLength === undefined || minLength < 2 ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(schema.enum === undefined ? [] : ['none-of-them']),
  ];
}
