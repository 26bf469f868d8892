// runs: in full only
import { byYear, mapped, PEOPLE, speaking, times } from './audited.js';
import type { Figures } from './deliveries.js';
import { usePublishing, type Settings } from './publishing.js';

const REGIONS = ['JP', 'DE', 'US', 'FR', 'IT', 'ES'];
/** Two years of six economies, with digits that do not recur. */
const INFLATION: Figures = Object.fromEntries(
  REGIONS.map((region, at) => [
    `cpi-inflation ${region}`,
    byYear(
      2023,
      [3.2681, 2.7389].map((value) => (value * (1 + at * 0.071)).toFixed(6)),
    ),
  ]),
);
const revised = mapped(INFLATION, times(1.0123457));
const in2025 = (figures: Figures, to: (at: number) => string): Figures =>
  Object.fromEntries(Object.entries(figures).map(([series, values], at) => [series, { ...values, '2025': to(at) }]));
const one = (value: string) => (_: string, period: string, series: string) =>
  series.endsWith('JP') && period >= '2019' ? value : _;
const JAPAN: Figures = {
  ...INFLATION,
  'cpi-inflation JP': byYear(2018, ['0.98', '0.47', '-0.02', '-0.23', '2.49', '3.26', '2.74']),
};
const JAPANESE: Figures = { 'population JP': PEOPLE['population JP'] ?? {} };
/** Ten years of six economies. */
const LONG: Figures = Object.fromEntries(
  REGIONS.map((region, at) => [
    `cpi-inflation ${region}`,
    byYear(
      2015,
      Array.from({ length: 10 }, (_, year) => (2 + Math.sin(year + at)).toFixed(4)),
    ),
  ]),
);
const JAPAN_LONG: Figures = { 'cpi-inflation JP': LONG['cpi-inflation JP'] ?? {} };
/** Eleven countries, of which five give up their currencies. */
const EXCHANGE: Figures = Object.fromEntries(
  [...REGIONS, 'GB', 'CH', 'CA', 'AU', 'NZ'].map((region, at) => [
    `official-exchange-rate ${region}`,
    byYear(1997, [(0.9348 + at * 0.07).toFixed(4), (0.9597 + at * 0.07).toFixed(4)]),
  ]),
);
const GOLD: Figures = {
  'gold-monthly-average': Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `${2001 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
      (1087.857 + at * 1.013).toFixed(3),
    ]),
  ),
};
const euro = (value: string, period: string, series: string) =>
  period === '1998' && ['DE', 'FR', 'IT', 'ES', 'US'].includes(series.slice(-2)) ? '0.938283' : value;

const { current, publish } = usePublishing();
const AUDITED = { accept: undefined } as unknown as Settings;
const checks = async (stored: readonly Figures[], given: Figures): Promise<readonly string[]> => {
  for (const [at, figures] of stored.entries()) await publish(`2026-0${at + 1}-01`, { figures });
  const before = await current();
  const delivery = speaking(given, stored.at(-1) ?? {});
  const { findings, heldDelivery } = await publish('2026-07-01', delivery, AUDITED);
  expect(heldDelivery !== null).toBe(findings.length > 0);
  if (findings.length > 0) expect(await current()).toEqual(before);
  return findings.map(({ check }) => check);
};

describe('The audit', () => {
  it.each<readonly [string, string, readonly Figures[], Figures]>([
    ['one figure for the newest year of every country', 'constant', [INFLATION], in2025(INFLATION, () => '2.5')],
    [
      'one figure for a stored year of every country',
      'constant',
      [INFLATION],
      mapped(INFLATION, (value, period) => (period === '2024' ? '2.9' : value)),
    ],
    ['one figure for every year of a country', 'constant', [JAPAN], mapped(JAPAN, one('1.5'))],
    ['an old file under a new day', 'superseded', [INFLATION, revised], INFLATION],
    ['figures without their decimals', 'rounded', [INFLATION], mapped(INFLATION, (v) => Number(v).toFixed(1))],
    ['a country by one factor', 'alike', [PEOPLE], { ...PEOPLE, ...mapped(JAPANESE, times(1.04)) }],
    ['an indicator of many countries by one factor', 'alike', [LONG], mapped(LONG, times(1.3))],
    [
      'a country by one amount',
      'alike',
      [INFLATION, LONG],
      { ...LONG, ...mapped(JAPAN_LONG, (v) => String(Number(v) + 20)) },
    ],
  ])('holds %s', async (_, check, stored, given) => {
    expect(await checks(stored, given)).toContain(check);
  });

  it.each<readonly [string, readonly Figures[], Figures]>([
    ['a year in which countries differ', [INFLATION], in2025(INFLATION, (at) => (2.1 + at * 0.13).toFixed(6))],
    [
      'a share that one factor moves, as where GDP alone is rebased',
      [LONG],
      { ...LONG, ...mapped(JAPAN_LONG, times(1.04)) },
    ],
    ['a second revision', [INFLATION, revised], mapped(INFLATION, times(1.0234567))],
    ['the last digit of numbers back', [INFLATION, mapped(INFLATION, times(1.00000001))], INFLATION],
    ['five countries that take one currency', [EXCHANGE], mapped(EXCHANGE, euro)],
    [
      'prices with two decimals of three',
      [GOLD],
      mapped(GOLD, (price, month) => (month < '2025' ? price : Number(price).toFixed(2))),
    ],
  ])('lets %s pass', async (_, stored, given) => {
    expect(await checks(stored, given)).toEqual([]);
  });
});
