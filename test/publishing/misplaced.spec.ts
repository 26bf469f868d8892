// runs: in full only
import type { CheckName } from '../../src/publish/publication/finding.js';
import { byYear, days, GROWTH, mapped, PEOPLE, RATES, speaking, wave, type Values } from './audited.js';
import type { Figures } from './deliveries.js';
import { usePublishing, type Settings } from './publishing.js';

const later = (values: Values): Values => {
  const periods = Object.keys(values).sort();
  return Object.fromEntries(
    periods.map((period, index) => [period, values[periods[Math.max(0, index - 1)] ?? ''] ?? '']),
  );
};
const adding = (stored: Figures, period: string, values: Values): Figures =>
  Object.fromEntries(
    Object.entries(stored).map(([series, own]) => [series, { ...own, [period]: values[series] ?? '' }]),
  );
const newest = (values: Values | undefined): string =>
  Object.entries(values ?? {})
    .sort()
    .at(-1)?.[1] ?? '';

const MONTHS = Array.from({ length: 24 }, (_, index) => {
  const month = String((index % 12) + 1).padStart(2, '0');
  return [`${2024 + Math.floor(index / 12)}-${month}`, (308 + index * 0.7).toFixed(3)] as const;
});
const INDEX: Figures = { 'consumer-price-index US': Object.fromEntries(MONTHS) };
const index = (to: (value: number) => string): Figures => mapped(INDEX, (value) => to(Number(value)));
/** In the order of the file: Germany, Japan, the United States. */
const SORTED: Figures = {
  'population DE': PEOPLE['population DE'] ?? {},
  'population JP': PEOPLE['population JP'] ?? {},
  'population US': byYear(2019, ['330226227', '331526933', '332048977', '333271411', '334914895', '335000000']),
};
const CURRENCIES: Figures = Object.fromEntries(
  ['eurusd', 'eurgbp', 'eurchf', 'eurcad', 'euraud'].map((key, at) => [
    key,
    days('2026-01-05', wave(60, 0.87 + at * 0.15, 0.002)),
  ]),
);
/** New Zealand's life expectancy: 2010 was given the figure of 2009, and all after it that of the year before. */
const LIVES = ['80.5512195121951', '80.7024390243902', '80.9048780487805', '81.1560975609756', '81.4073170731707'];
const TWICE: Figures = { 'life-expectancy NZ': byYear(2008, [...LIVES.slice(0, 2), ...LIVES.slice(1)]) };
const ONCE: Figures = { 'life-expectancy NZ': byYear(2008, [...LIVES, '81.4048780487805']) };
const same = Object.fromEntries(Object.entries(CURRENCIES).map(([key, values]) => [key, newest(values)]));
const moved = (by: Values): Values =>
  Object.fromEntries(Object.entries(same).map(([key, value]) => [key, by[key] ?? String(Number(value) + 0.001)]));
const COUNTRIES: Figures = Object.fromEntries(
  ['JP', 'DE', 'US', 'FR', 'IT'].map((region, at) => [
    `cpi-inflation ${region}`,
    byYear(
      2019,
      [1, 2, 3, 4, 5, 6].map((year) => (year * 0.61 + at * 0.17).toFixed(2)),
    ),
  ]),
);

interface Case {
  readonly stored: Figures;
  readonly wrong: Figures;
  readonly fails: CheckName;
  /** Only these series wait. */
  readonly waits?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  'a file that lost its last line': {
    stored: SORTED,
    wrong: mapped(SORTED, (value, period, series) => (series === 'population US' && period === '2024' ? null : value)),
    fails: 'cut',
  },
  'a file that lost two of its countries': {
    stored: SORTED,
    wrong: { 'population DE': SORTED['population DE'] ?? {} },
    fails: 'gone',
  },
  'a file that lost one of its countries': {
    stored: GROWTH,
    wrong: { 'gdp-growth DE': GROWTH['gdp-growth DE'] ?? {}, 'gdp-growth US': GROWTH['gdp-growth US'] ?? {} },
    fails: 'gone',
    waits: ['gdp-growth JP'],
  },
  'one country whose rows moved by a year': {
    stored: SORTED,
    wrong: { ...SORTED, 'population JP': later(SORTED['population JP'] ?? {}) },
    fails: 'moved',
  },
  'a year that repeats the one before it': {
    stored: COUNTRIES,
    wrong: mapped(COUNTRIES, (value, period, series) =>
      period === '2024' ? (COUNTRIES[series]?.['2023'] ?? '') : value,
    ),
    fails: 'moved',
  },
  'a new year that repeats the one before it': {
    stored: COUNTRIES,
    wrong: adding(
      COUNTRIES,
      '2025',
      Object.fromEntries(Object.entries(COUNTRIES).map(([series, values]) => [series, newest(values)])),
    ),
    fails: 'repeated',
  },
  'the rates of yesterday under the date of today': {
    stored: CURRENCIES,
    wrong: adding(CURRENCIES, '2026-03-30', same),
    fails: 'repeated',
  },
  'two currencies in the columns of each other': {
    stored: CURRENCIES,
    wrong: adding(CURRENCIES, '2026-03-30', moved({ eurusd: same['eurgbp'] ?? '', eurgbp: same['eurusd'] ?? '' })),
    fails: 'swapped_new',
    waits: ['eurgbp', 'eurusd'],
  },
  'the rates of today against the dollar': {
    stored: CURRENCIES,
    wrong: adding(CURRENCIES, '2026-03-30', mapped({ same }, (rate) => String(Number(rate) / 1.17))['same'] ?? {}),
    fails: 'other_base',
  },
  'a rate of Christmas Day': {
    stored: RATES,
    wrong: { ...RATES, eurusd: { ...RATES['eurusd'], '2025-12-25': '1.17' } },
    fails: 'weekend',
  },
  'an index that was rebased': { stored: INDEX, wrong: index((value) => (value * 0.4219).toFixed(3)), fails: 'final' },
  'an index that was rebased a little': {
    stored: INDEX,
    wrong: index((value) => (value * 0.97).toFixed(3)),
    fails: 'final',
  },
  'a new month of a rebased index': {
    stored: INDEX,
    wrong: adding(INDEX, '2026-01', { 'consumer-price-index US': '137.1' }),
    fails: 'jump',
  },
  'a percent change in place of an index': {
    stored: INDEX,
    wrong: adding(INDEX, '2026-01', { 'consumer-price-index US': '2.9' }),
    fails: 'jump',
  },
  'an index whose months moved by one': {
    stored: INDEX,
    wrong: { 'consumer-price-index US': later(INDEX['consumer-price-index US'] ?? {}) },
    fails: 'moved',
  },
};

const { sql, publish } = usePublishing();
const AUDITED = { accept: undefined } as unknown as Settings;
const observations = () =>
  sql(
    `SELECT concat_ws(' ', s.instrument, s.indicator, s.region) AS series, o.period, o.valid_from, o.valid_to,
            trim_scale(o.value) AS value
     FROM observations o JOIN series s ON s.id = o.series_id ORDER BY 1, 2, 3`,
  );

describe('The audit finds figures in a wrong place and', () => {
  it.each(Object.entries(CASES))(
    'holds %s until the right file heals it',
    async (_, { stored, wrong, fails, waits }) => {
      await publish('2026-06-01', stored, AUDITED);
      const before = await observations();
      const held = await publish('2026-07-01', speaking(wrong, stored), AUDITED);
      expect(held.findings.map(({ check }) => check)).toContain(fails);
      expect(held.heldDelivery).not.toBeNull();
      if (waits !== undefined) {
        expect(held.quarantined.map(({ series }) => series)).toEqual(waits);
        return;
      }
      expect(await observations()).toEqual(before);
      await publish('2026-07-01', speaking(wrong, stored));
      expect(await observations()).not.toEqual(before);
      const healed = await publish('2026-07-01', speaking(stored, stored), { ...AUDITED, replace: true });
      expect([healed.outcome, healed.findings]).toEqual(['published', []]);
      expect(await observations()).toEqual(before);
    },
  );

  it.each<readonly [string, Figures, Figures]>([
    [
      'days of one currency that the others have already',
      { ...CURRENCIES, eurusd: days('2026-01-05', wave(57, 0.87, 0.002)) },
      CURRENCIES,
    ],
    ['a new day of small moves', CURRENCIES, adding(CURRENCIES, '2026-03-30', moved({}))],
    [
      'two neighbours that changed places within their usual steps',
      { eurusd: days('2026-01-05', wave(60, 1.17, 0.01)), eurchf: days('2026-01-05', wave(60, 1.171, 0.01)) },
      {
        eurusd: { ...days('2026-01-05', wave(60, 1.17, 0.01)), '2026-03-30': '1.1764' },
        eurchf: { ...days('2026-01-05', wave(60, 1.171, 0.01)), '2026-03-30': '1.1754' },
      },
    ],
    ['a series from which a year is removed that was given twice', TWICE, ONCE],
    ['a new month of an index', INDEX, adding(INDEX, '2026-01', { 'consumer-price-index US': '324.9' })],
  ])('lets %s pass', async (_, stored, given) => {
    await publish('2026-06-01', stored);
    const { outcome, findings } = await publish('2026-07-01', { figures: given }, AUDITED);
    expect([outcome, findings]).toEqual(['published', []]);
  });
});
