import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { everyNth } from '../support/exhaustive.js';
import type { Figures } from './deliveries.js';
import { NOW, usePublishing } from './publishing.js';

const { sql, publish, publisher } = usePublishing();
const years = (values: readonly (string | null)[], first = 2021): Record<string, string> =>
  Object.fromEntries(
    values.flatMap((value, index) => (value === null ? [] : [[String(first + index), value] as const])),
  );
const growth = (...values: (string | null)[]): Figures => ({ 'gdp-growth JP': years(values) });

/** What a reader can see of the figures and their changes, without the numbers of data versions. */
const state = async () => ({
  observations: await sql(
    `SELECT s.indicator, s.region, s.instrument, o.period, o.valid_from, o.valid_to, trim_scale(o.value) AS value
     FROM observations o JOIN series s ON s.id = o.series_id ORDER BY 1, 2, 3, 4, 5`,
  ),
  series: await sql(
    'SELECT indicator, region, instrument, baseline_day FROM series ORDER BY indicator, region, instrument',
  ),
  strayedSpans: await sql(
    `SELECT s.id FROM series s LEFT JOIN observations o ON o.series_id = s.id AND o.valid_to IS NULL GROUP BY s.id
     HAVING (s.oldest_period, s.newest_period) IS DISTINCT FROM (min(o.period), max(o.period))`,
  ),
  vintages: await sql(
    `SELECT s.indicator, s.region, s.instrument, v.day, v.first_period, v.last_period
     FROM series_vintages v JOIN series s ON s.id = v.series_id ORDER BY 1, 2, 3, 4`,
  ),
  changes: await sql(
    `SELECT kind, period, vintage_day, actual_value, previous_value, delta, headline, summary FROM changes
     WHERE status <> 'withdrawn' ORDER BY kind, vintage_day, period, id`,
  ),
  topics: await sql('SELECT slug, changes_total FROM topics ORDER BY slug'),
});
type Step = readonly [vintage: string, figures: Figures];

const EMPTIED = `TRUNCATE series, publications CASCADE;
  UPDATE topics SET changes_7 = 0, changes_30 = 0, changes_total = 0, latest_change_at = NULL;
  UPDATE coverage_domains SET changes_7 = 0, changes_30 = 0, changes_total = 0, latest_change_at = NULL;`;

const BASE: Step = ['2026-01-10', growth('2.7', '0.9', '1.5')];
const RIGHT: Step = ['2026-03-10', growth('2.7', '1.0', '1.5', '0.1')];
const rates = (last: string): Figures => ({
  eurusd: {
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, day) => [`2026-01-${String(day + 1).padStart(2, '0')}`, '1.17']),
    ),
    '2026-02-02': last,
  },
});

describe('tidemark versions retract', () => {
  const cases: Readonly<Record<string, { wrong: Step; before?: Step[]; after: Step[] }>> = {
    'figures in the wrong unit': {
      before: [BASE],
      wrong: ['2026-02-10', growth('0.027', '0.009', '0.015', '0.001')],
      after: [RIGHT],
    },
    'a figure for 2035': {
      before: [BASE],
      wrong: ['2026-02-10', growth('2.7', '0.9', '1.5', ...Array<null>(11).fill(null), '1.0')],
      after: [RIGHT],
    },
    'figures that were closed': {
      before: [BASE],
      wrong: ['2026-02-10', { 'gdp-growth JP': { '2021': '2.7' }, 'gdp-growth DE': { '2021': '3.2' } }],
      after: [RIGHT],
    },
    'a first delivery': {
      wrong: ['2026-02-10', growth('27', '9')],
      after: [RIGHT, ['2026-04-10', growth('2.7', '1.1', '1.5', '0.1', '0.7')]],
    },
    'a market move': {
      before: [['2026-01-31', rates('1.17')]],
      wrong: ['2026-02-03', rates('1.60')],
      after: [['2026-02-04', rates('1.18')]],
    },
  };

  it.each(everyNth(Object.entries(cases), 3))(
    'takes back %s, as if the delivery had not been, whether later ones came before or after',
    async (_, { before = [], wrong, after }) => {
      for (const step of [...before, ...after]) await publish(...step);
      const oracle = await state();
      expect(oracle.strayedSpans).toEqual([]);
      const number = before.length + 1;
      const retract = () => retractVersion(publisher(), number, 'a wrong file', () => NOW);

      await sql(EMPTIED);
      for (const step of [...before, wrong]) await publish(...step);
      expect((await retract()).publication.dataVersion).toBe(number + 1);
      for (const step of after) await publish(...step);
      expect(await state()).toEqual(oracle);

      await sql(EMPTIED);
      for (const step of [...before, wrong, ...after]) await publish(...step);
      await retract();
      expect(await state()).toEqual(oracle);
    },
  );

  it('refuses what is no import, what is gone already, and what does not exist', async () => {
    await publish(...BASE);
    await retractVersion(publisher(), 1, 'a wrong file', () => NOW);
    await expect(retractVersion(publisher(), 1, 'x', () => NOW)).rejects.toThrow('Nothing is left of data version 1');
    await expect(retractVersion(publisher(), 2, 'x', () => NOW)).rejects.toThrow('Data version 2 is no import');
    await expect(retractVersion(publisher(), 7, 'x', () => NOW)).rejects.toThrow('There is no data version 7');
  });
});

describe('A replacement', () => {
  it.each<[string, Figures]>([
    ['a figure for 2035', growth('2.7', '1.0', '1.5', '0.1', ...Array<null>(10).fill(null), '1.0')],
    ['another unit', growth('0.027', '0.01', '0.015', '0.001')],
    ['another history', growth('2.5', '0.4', '1.1', '7.1')],
  ])('heals a vintage with %s wholly', async (_, wrong) => {
    for (const step of [BASE, RIGHT]) await publish(...step);
    const oracle = await state();
    await sql(EMPTIED);
    await publish(...BASE);
    await publish(RIGHT[0], wrong);
    await publish(...RIGHT, { replace: true });
    expect(await state()).toEqual(oracle);
  });

  it('is judged by the vintage before, not by the one that it corrects', async () => {
    const people = (factor: number): Figures => ({
      'population JP': years([125682, 125125, 124517, 123975].map((value) => String(value * factor))),
    });
    await publish('2026-01-10', people(1_000));
    await publish('2026-02-10', people(1));
    const healed = await publish('2026-02-10', people(1_000), { replace: true, accept: undefined } as never);
    expect(healed).toMatchObject({ outcome: 'published', findings: [] });
  });
});

describe('A figure of a period that has not ended', () => {
  it('is no release, and hides none', async () => {
    await publish(...BASE);
    await publish('2026-02-10', growth('2.7', '0.9', '1.5', ...Array<null>(11).fill(null), '1.0'));
    expect(await sql("SELECT FROM changes WHERE kind = 'release'")).toEqual([]);
    await publish('2026-03-10', growth('2.7', '0.9', '1.5', '0.1', ...Array<null>(10).fill(null), '1.0'));
    expect(await sql("SELECT period FROM changes WHERE kind = 'release'")).toEqual([{ period: '2024' }]);
  });
});
