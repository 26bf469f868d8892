import { readFileSync, readdirSync } from 'node:fs';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';
import type { Localized } from '../../src/domain/locale/locale.js';
import { brokenIn, STORED_TEXTS } from '../support/text-rules.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const DAYS = ['2025-12-17', '2026-04-01', '2026-05-01', '2026-07-01'];
const now = () => new Date('2026-08-01T00:00:00Z');

/** The last fields of a line whose first field may be quoted. */
const lastFields = (line: string, count: number): string[] => line.split(',').slice(-count);

const linesOf = (...path: string[]): string[] =>
  readFileSync(sharedData(...path), 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '');

describeWithAllSharedData('Four vintages of the World Development Indicators', () => {
  let scratch: ScratchDatabase;
  let reports: ImportReport[];
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    const deliveries = await worldbank.open([sharedData('worldbank-wdi-vintages')], null);
    reports = await importFiles(scratch.publisher, worldbank, deliveries, { accept: 'a test', now });
  }, 300_000);
  afterAll(() => scratch.close());

  it('make one data version each, and use only codes of the catalogue', () => {
    expect(reports.map(({ vintage, dataVersion }) => [vintage, dataVersion])).toEqual(
      DAYS.map((day, index) => [day, index + 1]),
    );
    expect(reports.flatMap(({ unnamed }) => unnamed)).toEqual([]);
  });

  it('contain no text that breaks the style sheet', async () => {
    const texts = await scratch.sql<{ text: Localized }>(STORED_TEXTS);
    expect(texts.length).toBeGreaterThan(10_000);
    expect(brokenIn(texts.map(({ text }) => text))).toEqual([]);
  });

  it('yield every revision that an independent computation found', async () => {
    // A re-basing stands for every restated period up to its own.
    const derived = await scratch.sql<Record<string, string>>(
      `SELECT i.provider_code AS indicator, coalesce(r.alpha3, r.code) AS region, n.period,
              c.vintage_day AS day, o.value AS old, n.value AS new
       FROM changes c JOIN series s ON s.id = c.series_id JOIN indicators i ON i.slug = s.indicator
         JOIN regions r ON r.code = s.region
         JOIN observations n ON n.series_id = c.series_id AND n.valid_from = c.vintage_day
           AND n.period BETWEEN coalesce(c.rebasing ->> 'since', c.period) AND c.period
         CROSS JOIN LATERAL (
           SELECT value FROM observations o
           WHERE o.series_id = n.series_id AND o.period = n.period AND o.valid_from < n.valid_from
           ORDER BY o.valid_from DESC LIMIT 1) o
       WHERE c.kind = 'revision' AND c.previous_known_since < c.vintage_day`,
    );
    const found = new Map<string, string>(
      derived.map((row) => [
        [row['indicator'], row['region'], row['period'], row['day']].join(','),
        `${Number(row['old'])} ${Number(row['new'])}`,
      ]),
    );
    const rows = linesOf('worldbank-wdi-revisions', 'revised.csv');
    const missing = rows.filter((line) => {
      const [region, year, old, fresh, , day] = lastFields(line, 8);
      const indicator = line.slice(0, line.indexOf(','));
      return found.get([indicator, region, year, day].join(',')) !== `${Number(old)} ${Number(fresh)}`;
    });
    expect(rows).toHaveLength(5_176);
    expect(missing).toEqual([]);
  });

  it.each(DAYS)('contain on %s exactly the figures of that day', async (day) => {
    const held = await scratch.sql<{ cell: string; value: string }>(
      `SELECT concat_ws(',', i.provider_code, coalesce(r.alpha3, r.code), o.period) AS cell, o.value
       FROM observations o JOIN series s ON s.id = o.series_id JOIN indicators i ON i.slug = s.indicator
         JOIN regions r ON r.code = s.region
       WHERE o.valid_from <= $1 AND (o.valid_to IS NULL OR o.valid_to > $1)`,
      [day],
    );
    const printed = readdirSync(sharedData('worldbank-wdi-vintages', day)).flatMap((file) =>
      linesOf('worldbank-wdi-vintages', day, file).map((line) => {
        const [region, year, value] = lastFields(line, 3);
        return [[file.replace('.csv', ''), region, year].join(','), Number(value)] as const;
      }),
    );
    const byCell = (pairs: (readonly [string, number])[]) =>
      new Map(pairs.sort((a, b) => (a[0] < b[0] ? -1 : 1)));
    expect(byCell(held.map((row) => [row.cell, Number(row.value)]))).toEqual(byCell(printed));
  });

  it('equal the wide file of the newest day', async () => {
    const deliveries = await worldbank.open([sharedData('worldbank-wdi', 'WDICSV-subset.csv')], '2026-07-01');
    const [report] = await importFiles(scratch.publisher, worldbank, deliveries, { accept: 'a test', now });
    expect(report).toMatchObject({ outcome: 'unchanged', dataVersion: null });
  });

  it('leave the same figures when they are imported in another order', async () => {
    const other = await openScratchDatabase();
    try {
      const deliveries = await worldbank.open([sharedData('worldbank-wdi-vintages')], null);
      const [first, second, third, fourth] = deliveries;
      for (const delivery of [third, first, fourth, second]) {
        await importFiles(other.publisher, worldbank, delivery ? [delivery] : [], {
          accept: 'a test',
          now,
          backfill: true,
        });
      }
      const fingerprint = `
        SELECT count(*), md5(string_agg(concat_ws(',', s.indicator, s.region, o.period, o.valid_from, o.valid_to,
                 trim_scale(o.value)), ';' ORDER BY s.indicator, s.region, o.period, o.valid_from)) AS sum
        FROM observations o JOIN series s ON s.id = o.series_id`;
      expect(await other.sql(fingerprint)).toEqual(await scratch.sql(fingerprint));
    } finally {
      await other.close();
    }
  }, 300_000);
});
