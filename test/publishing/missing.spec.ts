// runs: in full only
import { byYear, GDP, GROWTH, mapped, speaking } from './audited.js';
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
      mapped(INFLATION, (value, period, series) =>
        series.endsWith('US') && period === '2024' ? '-99' : value,
      ),
    ],
    [
      'a code for two countries, which would be possible for one',
      'missing_code',
      GDP,
      Object.fromEntries(
        Object.entries(GDP).map(([series, values]) => [series, { ...values, '2025': '9999.0' }]),
      ),
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

  it('stores a negative zero as zero', async () => {
    await publish('2026-01-01', growth({ '2024': '-0.1', '2025': '-0.0' }));
    expect((await current()).at(-1)).toEqual({ period: '2025', value: '0.0' });
  });
});
