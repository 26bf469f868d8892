import type { RevisionFacts } from '../../src/publish/derive/revision-facts.rule.js';
import type { Figures } from './deliveries.js';
import { usePublishing } from './publishing.js';

const { sql, publish, changes } = usePublishing();

const FIRST: Figures = {
  'cpi-inflation JP': { 2022: '2.5', 2023: '3.3', 2024: '2.7' },
  'cpi-inflation US': { 2022: '8.0', 2023: '4.1', 2024: '2.9' },
  'gdp JP': { 2023: '4200000000000', 2024: '4000000000000' },
};
/** Japan lacks two years and the United States one; GDP of a year moves by 0.05 %, that of another by 1 %. */
const GONE: Figures = {
  'cpi-inflation JP': { 2022: '2.5' },
  'cpi-inflation US': { 2022: '8.0', 2023: '4.1' },
  'gdp JP': { 2023: '4202100000000', 2024: '4040000000000' },
};
/** The files of all days speak of all three years. */
const WHOLE = { 'cpi-inflation JP': ['2022', '2024'], 'cpi-inflation US': ['2022', '2024'] } as const;
const BACK: Figures = { ...FIRST, 'cpi-inflation JP': { 2022: '2.5', 2023: '3.2', 2024: '2.7' } };

interface Stored {
  readonly region: string;
  readonly period: string;
  readonly actual: string | null;
  readonly previous: string;
  readonly headline: string;
  readonly summary: string;
  readonly revision: RevisionFacts;
}

const revisionsOf = (day: string) =>
  sql<Stored>(
    `SELECT s.region, c.period, trim_scale(c.actual_value)::text AS actual, trim_scale(c.previous_value)::text AS previous,
       c.headline ->> 'en' AS headline, c.summary ->> 'en' AS summary, c.revision
     FROM changes c JOIN series s ON s.id = c.series_id
     WHERE c.vintage_day = '${day}' AND c.kind = 'revision' ORDER BY s.indicator, s.region`,
  );

const vintages = async () => {
  await publish('2026-01-10', FIRST, { accept: 'a test' });
  await publish('2026-02-10', { figures: GONE, speaks: WHOLE }, { accept: 'a test' });
  await publish('2026-03-10', BACK, { accept: 'a test' });
};

describe('A figure that its source withdraws', () => {
  it('is one change a series, without a value, that names the newest', async () => {
    await vintages();
    const found = await revisionsOf('2026-02-10');
    const [japan, states, gdp] = found;
    expect(found).toHaveLength(3);
    expect(japan).toMatchObject({ region: 'JP', period: '2024', actual: null, previous: '2.7' });
    expect(japan?.revision).toMatchObject({ way: 'withdrawn', periods: 2, since: '2023' });
    expect(states?.headline).toBe(
      'United States: 2024 figure for annual average CPI inflation withdrawn by the source; it was 2.9%',
    );
    expect(gdp?.revision).toMatchObject({ way: 'restated', smaller: 1 });
    expect(gdp?.summary).toContain('In addition, one figure of the series was revised by at most 0.1% of its value.');
  });

  it('is a change again when it returns, with what it was before and since when it was gone', async () => {
    await vintages();
    const [japan, states] = await revisionsOf('2026-03-10');
    expect(japan?.revision).toEqual({
      way: 'returned',
      periods: 2,
      since: '2023',
      smaller: 0,
      earlier: [
        { value: '2.7', knownSince: '2026-01-10' },
        { value: null, knownSince: '2026-02-10' },
      ],
    });
    expect(states).toMatchObject({ actual: '2.9', previous: '2.9' });
    expect(states?.summary).toContain('2.9% (10 January 2026), withdrawn (10 February 2026)');
  });

  it('is told in the brief of its day for all economies at once, with the number of smaller restatements', async () => {
    await vintages();
    const [brief] = await sql<{ headlines: string[]; summary: string }>(
      `SELECT b.summary ->> 'en' AS summary,
         ARRAY(SELECT i.headline ->> 'en' FROM brief_items i WHERE i.day = b.day ORDER BY rank) AS headlines
       FROM briefs b WHERE day = '2026-02-10'`,
    );
    expect(brief?.headlines).toContain(
      'Figures for annual average CPI inflation of two economies withdrawn by the source',
    );
    expect(brief?.summary).toContain('In addition, one figure was revised by at most 0.1% of its value.');
  });

  it('has no change once the vintage without it is replaced by one with it', async () => {
    await publish('2026-01-10', FIRST, { accept: 'a test' });
    await publish('2026-02-10', { figures: GONE, speaks: WHOLE }, { accept: 'a test' });
    await publish('2026-02-10', FIRST, { accept: 'a test', replace: true });
    expect((await changes()).filter(({ status }) => status !== 'withdrawn')).toEqual([]);
  });
});
