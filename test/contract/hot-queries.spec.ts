import { writeFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import type { Statement } from '../../src/store/snapshots.js';
import { countedStatement, rankedStatement } from '../../src/serve/resources/changes/important-changes.rows.js';
import { growRegister } from './register-growth.js';
import { asAdmin, createTestDatabase, type TestDatabase } from '../support/database.js';
import { grow } from './growth.js';
import { planFile, planOf, planText } from './plan.js';
import { page, PAGES, RANKED } from './hot-pages.js';
import { HOT, type HotQuery } from './hot-statements.js';

const CHANGES = 50_000;
/** Tables that grow with time or with users: no request may scan one. */
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
  'change_documents',
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
/** Rows that a search of an index may read for nothing: a bound that the index does not know discards whole series. */
const MOST_DISCARDED = 1_000;
/** A position with a tenth of the list left: far from the newest, and enough for a full page with most filters. */
const NEAR_THE_END = CHANGES / 10;

describe('A hot query', () => {
  let database: TestDatabase;
  let reader: DataSource;
  let owner: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    // ANALYZE samples 300 rows per unit of this target, at random, also when the server runs it automatically. This
    // target covers every table completely, so that each run has the same plans.
    await asAdmin((client) => client.query(`ALTER DATABASE ${database.name} SET default_statistics_target = 1000`));
    const publisher = await database.open('import');
    owner = await database.open('admin');
    reader = await database.open('api');
    await grow(publisher, owner, CHANGES);
    await growRegister(publisher, owner, 20_000);
  });
  afterAll(() => database.drop());

  /** Who runs the statement; one that stands here too must be that of its function. */
  const sourceOf = async ({ byOwner, sql }: HotQuery): Promise<DataSource> => {
    if (byOwner === undefined) return reader;
    const [found] = await owner.query<{ text: string }[]>('SELECT prosrc AS text FROM pg_proc WHERE proname = $1', [
      byOwner,
    ]);
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    expect(words(found?.text ?? '').replace('(hashes)', '($1)')).toContain(words(sql));
    return owner;
  };

  it.each(HOT)('uses its indexes, scans no growing table and reads few rows for nothing: $title', async (query) => {
    const { indexes, scanned, discarded } = await planOf(await sourceOf(query), query);
    expect(indexes).toEqual(expect.arrayContaining([...query.indexes]));
    expect(scanned.filter((table) => GROWING.includes(table))).toEqual([]);
    expect(discarded).toBeLessThan(MOST_DISCARDED);
  });

  it.each(PAGES)('costs as much at the end of the list as at the start: a page of %s', async (_, filter) => {
    const start = await planOf(reader, page(filter));
    const end = await planOf(reader, page({ ...filter, below: NEAR_THE_END }));
    expect(end.blocks).toBeLessThanOrEqual(start.blocks * 1.5 + 20);
  });

  it.each(RANKED)('finds the most important changes %s in either way, at any place', async (_, filter) => {
    const idsOf = async ({ sql, parameters }: Statement) =>
      (await reader.query<{ id: string }[]>(sql, [...parameters])).map(({ id }) => id);
    const page = { filter, after: undefined, limit: 20, locale: 'en' } as const;
    const first = await idsOf(countedStatement(page));
    expect(first.length).toBeGreaterThan(10);
    expect(await idsOf(rankedStatement(page))).toEqual(first);
    const after = { ranking: 21_000, position: NEAR_THE_END };
    const later = await idsOf(countedStatement({ ...page, after }));
    expect(await idsOf(rankedStatement({ ...page, after }))).toEqual(later);
  });

  if (process.env['UPDATE_PLANS'] === '1') {
    it.each(HOT)('is written as a plan: $title', async (query) => {
      const plan = await planText(await sourceOf(query), query);
      writeFileSync(planFile(query), `${query.title}\nFrom ${query.where}.\n\n${plan}\n`);
    });
  }
});
