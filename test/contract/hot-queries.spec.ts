import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { growRegister } from './register-growth.js';
import { asAdmin, createTestDatabase, type TestDatabase } from '../support/database.js';
import { grow } from './growth.js';
import { planOf, planText } from './plan.js';
import { HOT, page, PAGES } from './hot-statements.js';

const PAGE = join(__dirname, '../../docs/queries.md');
const CHANGES = 50_000;
/** Tables that grow with time or with users: none may be read from end to end to answer a request. */
const GROWING = [
  'calendar_events',
  'calendar_event_history',
  'briefs',
  'brief_sections',
  'brief_items',
  'brief_item_changes',
  'changes',
  'change_regions',
  'change_coverage',
  'change_topics',
  'change_corrections',
  'change_words',
  'search_documents',
  'search_texts',
  'search_names',
  'search_words',
  'observations',
  'series_vintages',
  'entities',
  'relations',
  'companies',
  'company_words',
  'accounts',
  'api_keys',
  'follows',
  'alerts',
  'alert_events',
  'signals',
  'signal_changes',
  'signal_topics',
  'heat_days',
];
/** A place in the list with a tenth of it left: far from the newest, and enough for a full page of most filters. */
const NEAR_THE_END = CHANGES / 10;

// Many answers a test, on a machine that may be busy.
jest.setTimeout(180_000);

describe('A hot query', () => {
  let database: TestDatabase;
  let reader: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    // ANALYZE looks at so many times 300 rows of a table, drawn anew each time, also when the server does it by itself:
    // at all of every table here, so that each run has the same plans.
    await asAdmin((client) =>
      client.query(`ALTER DATABASE ${database.name} SET default_statistics_target = 1000`),
    );
    const [owner, publisher] = await Promise.all([database.open('admin'), database.open('import')]);
    reader = await database.open('api');
    await grow(publisher, reader, owner, CHANGES);
    await growRegister(publisher, owner, 20_000);
  });
  afterAll(() => database.drop());

  it.each(HOT)('uses its indexes and reads no growing table whole: $title', async (query) => {
    const { indexes, scanned } = await planOf(reader, query);
    expect(indexes).toEqual(expect.arrayContaining([...query.indexes]));
    expect(scanned.filter((table) => GROWING.includes(table))).toEqual([]);
  });

  it.each(PAGES)(
    'costs at the end of the list what it costs at the start: a page of %s',
    async (_, filter) => {
      const start = await planOf(reader, page(filter));
      const end = await planOf(reader, page({ ...filter, below: NEAR_THE_END }));
      expect(end.blocks).toBeLessThanOrEqual(start.blocks * 1.5 + 20);
    },
  );

  it('is explained in docs/queries.md', async () => {
    if (process.env['UPDATE_QUERIES'] === '1') writeFileSync(PAGE, await explained(reader));
    const sections = readFileSync(PAGE, 'utf8').split(/^## /m).slice(1);
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(HOT.map(({ title }) => title));
    for (const [index, { indexes }] of HOT.entries()) {
      expect(indexes.filter((name) => !sections[index]?.includes(name))).toEqual([]);
    }
  });
});

async function explained(reader: DataSource): Promise<string> {
  const sections = await Promise.all(
    HOT.map(
      async (query) =>
        `## ${query.title}\n\nFrom ${query.where}.\n\n\`\`\`text\n${await planText(reader, query)}\n\`\`\`\n`,
    ),
  );
  return `# Hot queries\n\nThe plans of the reads that most requests cost, as the role of the API gets them with 50,000 changes, 200,000 observations and 17,000 keys held. \`test/contract/hot-queries.spec.ts\` grows a database to that size on each engine and fails when a query stops using its indexes, reads a growing table from end to end, or when a page costs more at the end of a list than at its start. The policies of row-level security (\`NOT withheld\`) stand in the plans as filters.\n\n${sections.join('\n')}`;
}
