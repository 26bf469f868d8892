import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { LOOK_UP } from '../../src/access/key-ring.js';
import { oneStatement, pageStatement, type ChangeFilter } from '../../src/resources/changes/change-rows.js';
import { BOARD_LATEST_TWO, LATEST_TWO, WHOLE_SERIES } from '../../src/resources/macro/macro-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { grow } from './growth.js';
import { planOf, planText, type Statement } from './plan.js';

// `UPDATE_QUERIES=1` writes docs/queries.md anew.
const PAGE = join(__dirname, '../../docs/queries.md');
const CHANGES = 50_000;
/** Tables that grow with time or with users: none may be read from end to end to answer a request. */
const GROWING = [
  'changes',
  'change_regions',
  'change_coverage',
  'change_topics',
  'change_corrections',
  'observations',
  'series_vintages',
  'accounts',
  'api_keys',
];
/** A place in the list with a tenth of it left: far from the newest, and enough for a full page of most filters. */
const NEAR_THE_END = CHANGES / 10;

interface HotQuery extends Statement {
  readonly title: string;
  readonly where: string;
  readonly indexes: readonly string[];
}

const page = (filter: Partial<ChangeFilter>): Statement => pageStatement(filter, 20, 'en');

const PAGES: readonly (readonly [string, Partial<ChangeFilter>, readonly string[]])[] = [
  ['all changes', {}, ['changes_position_key']],
  ['changes of a topic', { topic: 'inflation' }, ['change_topics_pkey', 'changes_position_key']],
  ['changes of a country', { region: 'JP' }, ['change_regions_pkey', 'changes_position_key']],
  ['changes of a domain', { coverage: 'prices' }, ['change_coverage_pkey', 'changes_position_key']],
  ['changes of a rare kind', { kind: 'move' }, ['changes_kind']],
  [
    'changes of a topic in a country',
    { region: 'JP', topic: 'inflation' },
    ['change_regions_pkey', 'changes_position_key'],
  ],
];

const HOT: readonly HotQuery[] = [
  ...PAGES.map(([title, filter, indexes]) => ({
    title: `A page of ${title}`,
    where: '`src/resources/changes/change-rows.ts`',
    indexes,
    ...page(filter),
  })),
  {
    title: 'One change',
    where: '`src/resources/changes/change-rows.ts`',
    indexes: ['changes_pkey'],
    ...oneStatement(`chg_${createHash('md5').update('7').digest('hex')}`, 'en'),
  },
  {
    title: 'The whole series of a region',
    where: '`src/resources/macro/macro-rows.ts`',
    indexes: ['observations_pkey', 'series_indicator_region_key'],
    sql: WHOLE_SERIES,
    parameters: ['gdp-growth', '2026-11-21', '1500', '2499', 'JP'],
  },
  {
    title: 'The latest two periods of every region',
    where: '`src/resources/macro/macro-rows.ts`',
    // The series themselves are few: which of their indexes leads to them is the planner's business.
    indexes: ['observations_pkey'],
    sql: LATEST_TWO,
    parameters: ['gdp-growth', '2026-11-21', '1500', '2499'],
  },
  {
    title: 'The economy board',
    where: '`src/resources/macro/macro-rows.ts`',
    indexes: ['observations_pkey'],
    sql: BOARD_LATEST_TWO,
    parameters: [],
  },
  {
    title: 'Whose key it is',
    where: '`src/access/key-ring.ts`',
    indexes: ['accounts_pkey', 'api_keys_hash_key'],
    sql: LOOK_UP,
    parameters: [[createHash('sha256').update('7').digest()]],
  },
];

// Many answers a test, on a machine that may be busy.
jest.setTimeout(180_000);

describe('A hot query', () => {
  let database: TestDatabase;
  let reader: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const [owner, publisher] = await Promise.all([database.open('admin'), database.open('import')]);
    reader = await database.open('api');
    await grow(publisher, reader, owner, CHANGES);
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
