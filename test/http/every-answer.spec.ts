import { DataSource } from 'typeorm';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { PLANS, type Plan } from '../../src/domain/plans/plans.js';
import { ResponseValidator } from '../contract/response-validator.js';
import { operationsOf, readDocument, type Document } from '../contract/document.js';
import { addressIn } from '../support/addresses.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { ownerOf, type Owner } from '../support/own.js';
import { pathOf, PATHS, segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';

const SUCCESS = ['responses', '200', 'content', 'application/json', 'schema'];
/** Longer than a minute: the smallest plan allows one request per minute. */
const A_MINUTE_LATER = 61_000;

const schemaOf = (path: string): string[] => ['paths', path, 'get', ...SUCCESS];

describe('The API under /api/v1', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;
  let validator: ResponseValidator;
  const clock = new StoppedClock('2026-11-20T00:00:01Z');

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock });
    document = await readDocument(service);
    validator = new ResponseValidator(document, true);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has exactly the paths of the specification, each with a locale', () => {
    const operations = operationsOf(document);
    expect(operations.map(({ path }) => pathOf(path)).sort()).toEqual([...PATHS].sort());
    for (const { path, operation } of operations) {
      const locale = operation.parameters.find(({ name }) => name === 'locale');
      expect({ path, locales: locale?.schema.enum }).toEqual({ path, locales: [...LOCALES] });
    }
  });

  describe.each(exhaustively<readonly Plan[]>(PLANS, ['free']))('on the plan %s', (plan) => {
    let owner: Owner;
    beforeAll(async () => {
      owner = await ownerOf(service, plan, undefined, plan);
      await owner.follow('country', 'JP');
      await owner.alert({ type: 'country', key: 'JP', metric: 'any_change' });
    });

    it.each(LOCALES)('responds on every path in %s as its schema describes', async (locale) => {
      const segments = await segmentsIn(service.server.app.get(DataSource), 1);
      const wrong: object[] = [];
      for (const documented of operationsOf(document)) {
        const address = addressIn(documented, segments, locale);
        clock.advance(A_MINUTE_LATER);
        const { status, body, text } = await owner.get(address);
        const faults = validator.faults(body, ...schemaOf(documented.path));
        // Stored texts are joined: the whole must be what is written of the values.
        const isJoined = text === JSON.stringify(body);
        if (status !== 200 || faults.length > 0 || body.meta.locale !== locale || !isJoined) {
          wrong.push({ address, status, faults, isJoined });
        }
      }
      expect(wrong).toEqual([]);
    });
  });
});

describe('An empty database', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
    document = await readDocument(service);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** A segment without content does not exist; a member of a closed set exists, with an empty list. */
  const EMPTY_ANSWERS = ['/api/v1/markets/kind/{kind}'];
  const NOTHING_YET = ['/api/v1/briefs/latest', '/api/v1/series'];
  /** Its series are names in the query. */
  const absent = (path: string) => (path === '/api/v1/series' ? 400 : 404);

  it.each(LOCALES)('gives valid responses on every route in %s', async (locale) => {
    const validator = new ResponseValidator(document, true);
    const wrong: object[] = [];
    for (const documented of operationsOf(document)) {
      const path = pathOf(documented.path);
      const there = (!path.includes('{') || EMPTY_ANSWERS.includes(path)) && !NOTHING_YET.includes(path);
      const address = addressIn(documented, new Map(), locale);
      const { status, body } = await service.get(address);
      const pointer = there ? schemaOf(documented.path) : ['components', 'schemas', 'ProblemEnvelope'];
      const faults = validator.faults(body, ...pointer);
      const empty = !Array.isArray(body.data) || body.data.length === 0;
      const { dataVersion, sources } = body.meta;
      const bare = sources.length === 0 && dataVersion === (there ? 0 : null) && body.meta.locale === locale;
      if (status !== (there ? 200 : absent(path)) || faults.length > 0 || !empty || !bare) {
        wrong.push({ address, status, faults, meta: body.meta });
      }
    }
    expect(wrong).toEqual([]);
  });
});
