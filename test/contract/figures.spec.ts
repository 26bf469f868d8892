import { COMPUTED_MISSING } from '../../src/domain/calculation/sequence.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { membersOf, operationsOf, questionsOf, readDocument } from './document.js';

type Json = Readonly<Record<string, unknown>>;

describe('Every figure of every response', () => {
  let database: TestDatabase;
  let service: TestServer;
  let bodies: { address: string; data: unknown; cited: string[] }[];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    const addresses = operationsOf(await readDocument(service)).flatMap(questionsOf);
    const asOf = ['2025-12-16', '2025-12-17', '2026-04-30', '2026-06-30'];
    const more = asOf.map((day) => `/api/v1/macro/unemployment-rate?region=CN&asOf=${day}`);
    bodies = await Promise.all(
      [...addresses, ...more, '/api/v1/changes?limit=100'].map(async (address) => {
        const { body } = await service.get(address);
        return { address, data: body.data, cited: body.meta.sources.map(({ id }) => id) };
      }),
    );
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has either a value, or null with its reason', () => {
    // Statistics and the last figure of an input are null as a whole where there is none.
    const isWhole = (one: Json): boolean => /^(?:period,)?value,text(?:,figures)?$/.test(Object.keys(one).join());
    const figures = bodies.flatMap(({ data }) => objectsOf(data).filter((one) => 'value' in one && !isWhole(one)));
    expect(figures.length).toBeGreaterThan(500);
    const odd = figures.filter(({ value, missing }) =>
      value === null
        ? !(COMPUTED_MISSING as readonly unknown[]).includes(missing)
        : missing !== null || !Number.isFinite(value) || Object.is(value, -0),
    );
    expect(odd).toEqual([]);
  });

  it('names a source that the same response attributes', () => {
    for (const { address, data, cited } of bodies) {
      const isList = address.startsWith('/api/v1/sources');
      const named = objectsOf(data).flatMap(({ id, source, origins, sources }) =>
        [isList ? id : source, origins, sources].flat().filter((id): id is string => typeof id === 'string'),
      );
      expect({ address, cited }).toEqual({ address, cited: [...new Set(named)].sort() });
    }
  });

  it('exists in every language, without an empty text', async () => {
    for (const locale of LOCALES) {
      const { body } = await service.get(`/api/v1/changes?limit=100&locale=${locale}`);
      const empty = [...membersOf(body.data)].filter(([, value]) => value === '');
      expect(empty).toEqual([]);
    }
  });
});

function objectsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(objectsOf)];
}
