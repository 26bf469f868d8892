// runs: in full only
import { usePublishing } from './publishing.js';

const tide = usePublishing();

const growth = (values: readonly number[]) => ({
  'gdp-growth JP': Object.fromEntries(values.map((value, index) => [String(2015 + index), String(value)])),
});
const held = () =>
  tide.sql<{ period: string; status: string; rebasing: object | null; en: string }>(
    `SELECT period, status, rebasing, headline ->> 'en' AS en FROM changes ORDER BY period`,
  );

describe('A re-basing', () => {
  beforeEach(async () => {
    await tide.publish('2026-01-10', growth([1, 2, 3, 4, 5, 6]));
    await tide.publish('2026-02-10', growth([2, 3, 4, 5, 6, 7]));
  });

  it('is one change, with the figures of its newest period', async () => {
    expect(await held()).toEqual([
      {
        period: '2020',
        status: 'verified',
        rebasing: { periods: 6, since: '2015', median: '1', medianPercent: '29.1666666666' },
        en: 'Japan: real GDP growth restated, 2020 from 6% to 7%; the 6 years from 2015 to 2020 revised',
      },
    ]);
  });

  it('is found by each of its years', async () => {
    const [found] = await tide.sql<{ years: string }>(
      `SELECT string_agg(split_part(w, ':', 2), ' ' ORDER BY w) AS years
       FROM change_words c, unnest(tsvector_to_array(c.words)) AS w WHERE w ~ ':20\\d\\d$'`,
    );
    expect(found?.years).toBe('2015 2016 2017 2018 2019 2020');
  });

  it('is corrected when its vintage is replaced by one that restates other periods', async () => {
    await tide.publish('2026-02-10', growth([1, 3, 4, 5, 6, 7]), { replace: true });
    expect(await held()).toMatchObject([
      { period: '2020', status: 'corrected', rebasing: { periods: 5, since: '2016' } },
    ]);
    await tide.publish('2026-02-10', growth([1, 2, 3, 4, 6, 7]), { replace: true });
    expect(await held()).toMatchObject([
      { period: '2019', status: 'verified', rebasing: null },
      { period: '2020', status: 'corrected', rebasing: null },
    ]);
  });

  it('is withdrawn when its vintage is replaced by one that restates nothing, and returns', async () => {
    await tide.publish('2026-02-10', growth([1, 2, 3, 4, 5, 6]), { replace: true });
    expect(await held()).toMatchObject([{ period: '2020', status: 'withdrawn' }]);
    await tide.publish('2026-02-10', growth([2, 3, 4, 5, 6, 7]), { replace: true });
    expect(await held()).toMatchObject([{ period: '2020', status: 'corrected', rebasing: { periods: 6 } }]);
  });
});
