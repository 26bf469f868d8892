// runs: in full only
import { byYear, days, GDP, GROWTH, mapped, speaking, wave } from './audited.js';
import type { Figures } from './deliveries.js';
import { growth, usePublishing, type Settings } from './publishing.js';

const REGIONS = ['JP', 'DE', 'US', 'FR', 'IT', 'ES', 'GB', 'CH', 'CA'];
/** Twelve years of nine economies: more than a hundred figures, and none is zero. */
const CREDIT: Figures = Object.fromEntries(
  REGIONS.map((region, at) => [
    `private-credit-to-gdp ${region}`,
    byYear(
      2013,
      Array.from({ length: 12 }, (_, year) => (31.07 + at * 7.3 + year * 1.13).toFixed(3)),
    ),
  ]),
);
/** A rate that may be anything above −100 %. */
const INFLATION: Figures = Object.fromEntries(
  Object.entries(GROWTH).map(([series, values]) => [series.replace('gdp-growth', 'cpi-inflation'), values]),
);
const adding = (figures: Figures, series: string, year: string, value: string): Figures => ({
  ...figures,
  [series]: { ...figures[series], [year]: value },
});
const ofNobody = (value: string): Figures => adding(CREDIT, 'private-credit-to-gdp AU', '2024', value);

/** Yields of a month, and of one in which they reached zero. */
const BILLS: Figures = { 'us-par-yield-1m': days('2024-01-02', wave(20, 5.5, 0.05)) };
const OLDER_BILLS: Figures = {
  'us-par-yield-1m': {
    ...BILLS['us-par-yield-1m'],
    '2021-05-24': '0.02',
    '2021-05-25': '0.01',
    '2021-05-26': '0.00',
    '2021-05-27': '0.01',
  },
};
/** Weeks and days of a price near twenty dollars, then a week in which it fell to three. */
const OIL: Figures = {
  wti: days('2020-02-03', wave(55, 20.1, 0.4)),
  'wti-weekly-average': Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      at < 14 ? `2019-W${String(39 + at)}` : `2020-W${String(at - 13).padStart(2, '0')}`,
      (20 + (at % 5) * 0.31).toFixed(2),
    ]),
  ),
};
const CRASH = { '2020-04-20': '8.91', '2020-04-21': '3.10', '2020-04-22': '3.40', '2020-04-23': '8.20' };
const crash = (average: string): Figures => ({
  wti: { ...OIL['wti'], ...CRASH },
  'wti-weekly-average': { ...OIL['wti-weekly-average'], '2020-W17': average },
});

const { current, publish } = usePublishing();
const AUDITED = { accept: undefined } as unknown as Settings;
const checks = async (stored: Figures, given: Figures): Promise<readonly string[]> => {
  await publish('2026-01-01', { figures: stored });
  const before = await current();
  const { findings, heldDelivery } = await publish('2026-07-01', speaking(given, stored), AUDITED);
  expect(heldDelivery !== null).toBe(findings.length > 0);
  if (findings.length > 0) expect(await current()).toEqual(before);
  return findings.map(({ check }) => check);
};

describe('The audit', () => {
  it.each<readonly [string, string, Figures, Figures]>([
    ['a new zero of a level', 'zero', GDP, adding(GDP, 'gdp DE', '2025', '0')],
    ['a zero in the place of a stored level', 'zero', GDP, adding(GDP, 'gdp DE', '2021', '0')],
    [
      'a new zero of a share that was never small',
      'zero',
      CREDIT,
      adding(CREDIT, 'private-credit-to-gdp JP', '2025', '0'),
    ],
    ['the zero of a country without figures, where no other has one', 'zero', CREDIT, ofNobody('0')],
    [
      'a code in the place of a rate',
      'missing_code',
      INFLATION,
      mapped(INFLATION, (value, period, series) => (series.endsWith('US') && period === '2024' ? '-99' : value)),
    ],
    [
      'a code for two countries, which would be possible for one',
      'missing_code',
      GDP,
      Object.fromEntries(Object.entries(GDP).map(([series, values]) => [series, { ...values, '2025': '9999.0' }])),
    ],
  ])('holds %s', async (_, check, stored, given) => {
    expect(await checks(stored, given)).toContain(check);
  });

  it.each<readonly [string, Figures, Figures]>([
    ['a zero of a rate that was near it', GROWTH, adding(GROWTH, 'gdp-growth JP', '2025', '0')],
    ['the first figure of a country', CREDIT, ofNobody('28.9')],
    ['a level of 9999', GDP, adding(GDP, 'gdp AU', '2024', '9999')],
  ])('lets %s pass', async (_, stored, given) => {
    expect(await checks(stored, given)).toEqual([]);
  });

  it.each([
    ['lets the average of a crash pass that is that of its days', '5.90', []],
    ['holds one that is not', '2.32', ['jump', 'average']],
  ])('%s', async (_, average, held) => {
    await publish('2026-01-01', { figures: OIL });
    const { findings } = await publish('2026-07-01', speaking(crash(average), OIL), AUDITED);
    expect(findings.map(({ check }) => check)).toEqual(held);
  });

  it('finds no zero among hundredths, in a file of years before the stored ones', async () => {
    expect(await checks(BILLS, OLDER_BILLS)).not.toContain('zero');
    const alone = { ...BILLS['us-par-yield-1m'], '2024-01-30': '0.00' };
    expect(await checks(BILLS, { 'us-par-yield-1m': alone })).toContain('zero');
  });

  it('stores a negative zero as zero', async () => {
    await publish('2026-01-01', growth({ '2024': '-0.1', '2025': '-0.0' }));
    expect((await current()).at(-1)).toEqual({ period: '2025', value: '0.0' });
  });
});
