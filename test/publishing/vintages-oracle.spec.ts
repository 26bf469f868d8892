// runs: in full only
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

/** Codes of the indicators that end years before the others in the first copy. */
const staleIndicators = (): string[] =>
  readdirSync(sharedData('worldbank-wdi-vintages', DAYS[0] ?? '')).flatMap((file) => {
    const years = linesOf('worldbank-wdi-vintages', DAYS[0] ?? '', file).map((line) => lastFields(line, 3)[1] ?? '');
    return Math.max(...years.map(Number)) <= 2021 ? [file.replace('.csv', '')] : [];
  });

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
    expect(texts.length).toBeGreaterThan(9_000);
    expect(brokenIn(texts.map(({ text }) => text))).toEqual([]);
  });

  it('yield every revision that an independent computation found, and no change across a stale copy', async () => {
    const stale = staleIndicators();
    expect(stale).toHaveLength(12);
    expect(
      await scratch.sql(
        `SELECT c.id FROM changes c JOIN series s ON s.id = c.series_id JOIN indicators i ON i.slug = s.indicator
         WHERE i.provider_code = ANY ($1) AND c.vintage_day = $2`,
        [stale, DAYS[1]],
      ),
    ).toEqual([]);
    // A re-basing stands for every restated period up to its own.
    const derived = await scratch.sql<Record<string, string>>(
      `SELECT i.provider_code AS indicator, coalesce(r.alpha3, r.code) AS region, n.period,
              c.vintage_day AS day, o.value AS old, n.value AS new
       FROM changes c JOIN series s ON s.id = c.series_id JOIN indicators i ON i.slug = s.indicator
         JOIN regions r ON r.code = s.region
         JOIN observations n ON n.series_id = c.series_id AND n.valid_from = c.vintage_day
           AND n.period BETWEEN coalesce(c.revision ->> 'since', c.period) AND c.period
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
      if (day === DAYS[1] && stale.includes(indicator)) return false;
      return found.get([indicator, region, year, day].join(',')) !== `${Number(old)} ${Number(fresh)}`;
    });
    expect(rows).toHaveLength(5_176);
    expect(missing).toEqual([]);
  });

  it('yield a change for every figure that a vintage withdrew or gave again, but for a stale copy', async () => {
    const [row] = await scratch.sql<Record<string, string>>(
      `WITH gaps AS (
         SELECT valid_to AS gone, i.provider_code = ANY ($1) AND valid_to = $2 AS stale,
                lead(valid_from) OVER (PARTITION BY series_id, period ORDER BY valid_from) AS back
         FROM observations o JOIN series s ON s.id = o.series_id JOIN indicators i ON i.slug = s.indicator
       ), told AS (
         SELECT series_id, vintage_day AS day, revision ->> 'way' AS way, (revision ->> 'periods')::integer AS periods
         FROM changes WHERE kind = 'revision')
       SELECT (SELECT count(*) FROM gaps WHERE NOT stale AND gone IS DISTINCT FROM back) AS withdrawn,
              (SELECT count(*) FROM gaps WHERE back > gone) AS returned,
              (SELECT sum(periods) FROM told WHERE way = 'withdrawn') AS "withdrawnInChanges",
              (SELECT sum(periods) FROM told WHERE way = 'returned') AS "returnedInChanges",
              (SELECT count(*) FROM told WHERE way <> 'restated') AS changes`,
      [staleIndicators(), DAYS[1]],
    );
    expect([row?.['withdrawnInChanges'], row?.['returnedInChanges']]).toEqual([row?.['withdrawn'], row?.['returned']]);
    expect(Number(row?.['returned'])).toBeGreaterThan(400);
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
    const byCell = (pairs: (readonly [string, number])[]) => new Map(pairs.sort((a, b) => (a[0] < b[0] ? -1 : 1)));
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
