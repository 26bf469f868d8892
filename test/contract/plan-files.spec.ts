import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOT } from './hot-statements.js';
import { planFile, PLANS } from './plan.js';

// `hot-queries.spec.ts` plans the statements on a large database, which takes a minute.
describe('The plan of a hot query', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(HOT)('is a file that names its indexes: $title', (query) => {
    const text = readFileSync(planFile(query), 'utf8');
    expect(text.split('\n', 1)).toEqual([query.title]);
    expect(query.indexes.filter((name) => !text.includes(name))).toEqual([]);
  });

  it('exists for every plan file', () => {
    expect(readdirSync(PLANS).sort()).toEqual(HOT.map((query) => basename(planFile(query))).sort());
  });

  it('names indexes of the database', async () => {
    const owner = await database.open('admin');
    const rows = await owner.query<{ name: string }[]>('SELECT indexname AS name FROM pg_indexes');
    const there = rows.map(({ name }) => name);
    const named = [...new Set(HOT.flatMap(({ indexes }) => indexes))];
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
  });
});
