import type { DataSource } from 'typeorm';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { ImportOptions } from '../../src/publish/publication/import-options.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import type { Delivery } from '../../src/publish/batches/importer.js';
import { deliveryOf, OWN, type DeliveryTraits, type Figures } from './deliveries.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export const NOW = new Date('2026-08-01T10:00:00Z');

const COUNTS = 'changes_7 = 0, changes_30 = 0, changes_total = 0, latest_change_at = NULL';
/**
 * As if nothing had been published, except the catalogue. Deletes from the tables with rows that refer to series or
 * publications, the last ones first: to truncate all of them takes a hundred times as long as the few rows of a test.
 */
const EMPTIED = `
  DO $$
  DECLARE
    name regclass;
  BEGIN
    FOR name IN
      WITH RECURSIVE referring (name, depth) AS (
        SELECT oid, 0 FROM pg_class WHERE oid IN ('series'::regclass, 'publications'::regclass)
        UNION
        SELECT c.conrelid, depth + 1 FROM pg_constraint c JOIN referring r ON r.name = c.confrelid
        WHERE c.contype = 'f' AND c.conrelid <> c.confrelid AND depth < 12)
      SELECT r.name FROM referring r GROUP BY r.name HAVING pg_relation_size(r.name) > 0 ORDER BY max(depth) DESC
    LOOP
      EXECUTE format('DELETE FROM %s', name);
    END LOOP;
  END $$;
  UPDATE topics SET ${COUNTS};
  UPDATE coverage_domains SET ${COUNTS};`;

export type Settings = Partial<ImportOptions>;

export const growth = (values: Readonly<Record<string, string>>): Figures => ({ 'gdp-growth JP': values });

/** A scratch database for a spec file, emptied before each test, with the queries that the tests need. */
export function usePublishing() {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await openScratchDatabase();
  });
  afterAll(() => scratch.close());
  beforeEach(() => scratch.sql(EMPTIED));

  const sql = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> => scratch.sql(text, parameters);

  const run = (delivery: Delivery, settings: Settings = {}): Promise<ImportReport[]> =>
    importFiles(scratch.publisher, OWN, [delivery], { accept: 'a test', now: () => NOW, ...settings });

  const publish = async (
    vintage: string,
    given: Figures | DeliveryTraits,
    settings: Settings = {},
  ): Promise<ImportReport> => {
    const traits = ('figures' in given ? given : { figures: given }) as DeliveryTraits;
    const [report] = await run(deliveryOf(vintage, traits), settings);
    if (report === undefined) throw new Error('no report');
    return report;
  };

  return {
    sql,
    run,
    publisher: (): DataSource => scratch.publisher,
    reader: (): DataSource => scratch.reader,
    publish,
    changes: () =>
      sql<Record<string, string>>(
        `SELECT kind, status, period, actual_value AS actual, previous_value AS previous, vintage_day AS day,
                previous_missing AS missing FROM changes ORDER BY position`,
      ),
    current: () =>
      sql<{ period: string; value: string }>(
        'SELECT period, value FROM observations WHERE valid_to IS NULL ORDER BY period',
      ),
    revisions: async (): Promise<number> =>
      (await sql<{ count: number }>('SELECT count(*) FROM publications'))[0]?.count ?? -1,
  };
}
