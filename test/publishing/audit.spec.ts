import type { CheckName } from '../../src/publish/publication/finding.js';
import { exhaustively } from '../support/exhaustive.js';
import type { Figures } from './deliveries.js';
import { byYear, GDP, GROWTH, mapped, PEOPLE, pricesOf, RATES, speaking, times, wave, YIELDS } from './audited.js';
import { usePublishing, type Settings } from './publishing.js';

interface Case {
  readonly stored: Figures;
  readonly wrong: Figures;
  readonly fails: CheckName;
}

const whole = (factor: number, stored: Figures): Figures => mapped(stored, times(factor));
const DOLLARS = wave(200, 1.17, 0.01);
const [LIGHT, HEAVY] = [wave(200, 75.1234, 1), wave(200, 81.4321, 1)];
/** A week after the last one. */
const WEEK = 5;
const CASES: Readonly<Record<string, Case>> = {
  'a price that stands still': {
    stored: { eurusd: pricesOf(DOLLARS) },
    wrong: { eurusd: pricesOf([...DOLLARS, ...Array.from({ length: WEEK }, () => DOLLARS.at(-1) ?? '')]) },
    fails: 'still',
  },
  'a week of another price': {
    stored: { wti: pricesOf(LIGHT), brent: pricesOf(HEAVY) },
    wrong: { wti: pricesOf([...LIGHT, ...LIGHT.slice(0, WEEK)]), brent: pricesOf([...HEAVY, ...LIGHT.slice(0, WEEK)]) },
    fails: 'swapped',
  },
  'a country that is gone from all files': {
    stored: { ...GROWTH, ...PEOPLE, ...GDP },
    wrong: Object.fromEntries(
      Object.entries({ ...GROWTH, ...PEOPLE, ...GDP }).filter(([series]) => !series.endsWith(' DE')),
    ),
    fails: 'gone',
  },
  'one stored figure in thousands': {
    stored: GDP,
    wrong: { ...GDP, 'gdp JP': { ...GDP['gdp JP'], '2022': '4256410760.724' } },
    fails: 'scale',
  },
  'a file that was cut at the end of a line': {
    stored: GROWTH,
    wrong: { 'gdp-growth JP': GROWTH['gdp-growth JP'] ?? {} },
    fails: 'closed',
  },
  'a file whose cells are all blank': { stored: GROWTH, wrong: {}, fails: 'closed' },
  'a file that lost its older half': {
    stored: GROWTH,
    wrong: mapped(GROWTH, (value, period) => (period < '2022' ? null : value)),
    fails: 'closed',
  },
  'two prices as a history': {
    stored: RATES,
    wrong: mapped(RATES, (value, period) => (period === '2026-01-05' || period === '2026-03-27' ? value : null)),
    fails: 'closed',
  },
  'population in thousands': { stored: PEOPLE, wrong: whole(0.001, PEOPLE), fails: 'scale' },
  'population in units of a hundred': { stored: PEOPLE, wrong: whole(0.01, PEOPLE), fails: 'scale' },
  'one country of two in millions': {
    stored: GDP,
    wrong: mapped(GDP, (value, _, series) => (series === 'gdp JP' ? times(1e-6)(value) : value)),
    fails: 'scale',
  },
  'growth as a fraction': { stored: GROWTH, wrong: whole(0.01, GROWTH), fails: 'scale' },
  'growth with its sign turned': { stored: GROWTH, wrong: whole(-1, GROWTH), fails: 'scale' },
  'growth in basis points': { stored: GROWTH, wrong: whole(100, GROWTH), fails: 'bounds' },
  'zeros for figures': { stored: GROWTH, wrong: mapped(GROWTH, () => '0'), fails: 'restated_by_half' },
  'a negative population': { stored: PEOPLE, wrong: whole(-1, PEOPLE), fails: 'bounds' },
  'money of thirteen thousand percent of GDP': {
    stored: { 'broad-money-to-gdp JP': byYear(2019, ['250', '280', '285']) },
    wrong: { 'broad-money-to-gdp JP': byYear(2019, ['250', '280', '13309']) },
    fails: 'bounds',
  },
  'a ratio to GDP that is twelve times what it was': {
    stored: { 'broad-money-to-gdp LIC': byYear(2019, ['29.1', '29.9', '30.7', '31']) },
    wrong: { 'broad-money-to-gdp LIC': byYear(2019, ['29.1', '29.9', '375.93', '31']) },
    fails: 'jump',
  },
  'a new figure in the wrong unit': {
    stored: PEOPLE,
    wrong: { ...PEOPLE, 'population JP': { ...PEOPLE['population JP'], '2025': '123400' } },
    fails: 'jump',
  },
  'a figure for 2035': {
    stored: GROWTH,
    wrong: { ...GROWTH, 'gdp-growth JP': { ...GROWTH['gdp-growth JP'], '2035': '1.0' } },
    fails: 'future_period',
  },
  'a figure for the running year': {
    stored: GROWTH,
    wrong: { ...GROWTH, 'gdp-growth JP': { ...GROWTH['gdp-growth JP'], '2026': '1.0' } },
    fails: 'future_period',
  },
  'two files that were swapped': {
    stored: { ...GROWTH, 'population-growth JP': byYear(2019, ['-0.2', '-0.3', '-0.5', '-0.4', '-0.5', '-0.4']) },
    wrong: {
      ...GROWTH,
      'gdp-growth JP': byYear(2019, ['-0.2', '-0.3', '-0.5', '-0.4', '-0.5', '-0.4']),
      'population-growth JP': GROWTH['gdp-growth JP'] ?? {},
    },
    fails: 'swapped',
  },
  'two countries that were swapped': {
    stored: GROWTH,
    wrong: {
      ...GROWTH,
      'gdp-growth JP': GROWTH['gdp-growth DE'] ?? {},
      'gdp-growth DE': GROWTH['gdp-growth JP'] ?? {},
    },
    fails: 'swapped',
  },
  'a series under the code of another': {
    stored: GROWTH,
    wrong: {
      'gdp-growth FR': GROWTH['gdp-growth DE'] ?? {},
      'gdp-growth JP': GROWTH['gdp-growth JP'] ?? {},
      'gdp-growth US': GROWTH['gdp-growth US'] ?? {},
    },
    fails: 'swapped',
  },
  'a code that was renamed': {
    stored: GROWTH,
    wrong: {
      'gdp-growth GER': GROWTH['gdp-growth DE'] ?? {},
      'gdp-growth JP': GROWTH['gdp-growth JP'] ?? {},
      'gdp-growth US': GROWTH['gdp-growth US'] ?? {},
    },
    fails: 'vanished_code',
  },
  'an exchange rate divided by a hundred': {
    stored: RATES,
    wrong: mapped(RATES, (value, _, series) => (series === 'eurjpy' ? times(0.01)(value) : value)),
    fails: 'scale',
  },
  'an exchange rate that was inverted': {
    stored: RATES,
    wrong: mapped(RATES, (value, _, series) => (series === 'eurusd' ? (1 / Number(value)).toFixed(4) : value)),
    fails: 'restated',
  },
  'one new price divided by a hundred': {
    stored: RATES,
    wrong: { ...RATES, eurjpy: { ...RATES['eurjpy'], '2026-03-30': '1.82' } },
    fails: 'jump',
  },
  'a yield as a fraction': {
    stored: YIELDS,
    wrong: { 'us-par-yield-10y': { ...YIELDS['us-par-yield-10y'], '2026-03-30': '0.0441' } },
    fails: 'jump',
  },
  'a yield in basis points': {
    stored: YIELDS,
    wrong: { 'us-par-yield-10y': { ...YIELDS['us-par-yield-10y'], '2026-03-30': '441' } },
    fails: 'bounds',
  },
  'one older figure of another country': {
    stored: GDP,
    wrong: { ...GDP, 'gdp JP': { ...GDP['gdp JP'], '2022': GDP['gdp DE']?.['2022'] ?? '' } },
    fails: 'swapped',
  },
  'a price on a Saturday': {
    stored: RATES,
    wrong: { ...RATES, eurusd: { ...RATES['eurusd'], '2026-03-28': '1.17' } },
    fails: 'weekend',
  },
  'a price of tomorrow': {
    stored: RATES,
    wrong: { ...RATES, eurusd: { ...RATES['eurusd'], '2026-07-10': '1.17' } },
    fails: 'future_period',
  },
};

const { sql, publish, current, revisions } = usePublishing();
const JUDGED = { accept: undefined } as unknown as Settings;
const observations = () =>
  sql('SELECT series_id, period, valid_from, valid_to, trim_scale(value) AS value FROM observations ORDER BY 1, 2, 3');

/** Quiet weekdays of more than a year, up to 11 January 2024. */
const GAS = Object.fromEntries(
  Array.from({ length: 420 }, (_, at) => new Date(Date.UTC(2024, 0, 11 - at)))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day) => [day.toISOString().slice(0, 10), day.getUTCDay() % 2 === 0 ? '3.15' : '3.25']),
);

describe('The audit of a delivery', () => {
  const cases = Object.entries(CASES);
  const oneOfEachCheck = cases.filter(([, { fails }], at) => cases.findIndex(([, one]) => one.fails === fails) === at);
  it.each(exhaustively(cases, oneOfEachCheck))(
    'holds %s, publishes none of its figures, and lets the right file pass',
    async (_, { stored, wrong, fails }) => {
      await publish('2026-06-01', stored, JUDGED);
      const before = await observations();
      const held = await publish('2026-07-01', speaking(wrong, stored), JUDGED);
      expect(held.heldDelivery).toEqual(expect.any(Number));
      expect(held.findings.map(({ check }) => check)).toContain(fails);
      // A wait that begins is a data version of its own.
      expect(await revisions()).toBe(held.quarantined.length > 0 ? 2 : 1);
      expect(await observations()).toEqual(before);
      const right = await publish('2026-07-01', speaking(stored, stored), JUDGED);
      expect(right).toMatchObject({ outcome: 'published', counts: { changed: 0, closed: 0 } });
    },
  );

  it('lists the figures concerned, with what is stored, what was given, and where', async () => {
    await publish('2026-06-01', PEOPLE, JUDGED);
    const { findings } = await publish('2026-07-01', whole(-1, PEOPLE), JUDGED);
    const bounds = findings.find(({ check }) => check === 'bounds');
    expect(bounds).toMatchObject({ subject: 'population', count: 12 });
    expect(bounds?.cells[0]).toMatchObject({ period: '2024', held: '83511000', value: '-83511000' });
    expect(bounds?.cells[0]?.file).not.toBeNull();
  });

  it.each(['released', 'updated', 'retrieved'] as const)('holds a vintage that was %s', async (basis) => {
    const held = await publish('2026-07-01', { figures: { 'population JP': { '2024': '-5' } }, basis }, JUDGED);
    expect(held.heldDelivery).not.toBeNull();
  });

  it('checks the first delivery of a series by what is possible', async () => {
    for (const [figures, fails] of [
      [{ 'population JP': { '2024': '-5' } }, 'bounds'],
      [{ 'gdp-growth JP': { '2035': '1' } }, 'future_period'],
      [{ eurusd: { '2026-03-28': '1.17' } }, 'weekend'],
      [{ eurusd: { '2025-09-10': '1.17', '2026-03-27': '1.16' } }, 'gaps'],
      [{ 'current-account-balance EMU': { '2024': '442259242099709000' } }, 'bounds'],
      [{ 'total-reserves JP': byYear(2021, ['1400000000000', '1200000000', '1300000000000']) }, 'jump'],
      [{ 'population JP': byYear(2021, ['125700000', '125100', '124500000']) }, 'jump'],
    ] as const) {
      const { outcome, findings } = await publish('2026-07-01', figures, JUDGED);
      expect([outcome, findings.map(({ check }) => check)]).toEqual(['held', [fails]]);
    }
    expect(await observations()).toEqual([]);
  });

  it('lets a first delivery with steps pass that history had', async () => {
    const steps = {
      'total-reserves KE': byYear(1992, ['79549253', '437000000']),
      'gdp NG': byYear(1998, ['54604', '200102']),
    };
    expect(await publish('2026-07-01', steps, JUDGED)).toMatchObject({ outcome: 'published', findings: [] });
  });

  it.each<readonly [string, Figures, Figures]>([
    ['every figure restated a little', GROWTH, mapped(GROWTH, (value) => (Number(value) * 1.1).toFixed(3))],
    [
      'one figure withdrawn',
      GROWTH,
      mapped(GROWTH, (value, period, series) => (period === '2019' && series === 'gdp-growth DE' ? null : value)),
    ],
    ['a crash', RATES, { ...RATES, eurusd: { ...RATES['eurusd'], '2026-03-30': '0.99' } }],
    [
      'the price of a day of frost',
      { 'henry-hub': GAS },
      { 'henry-hub': { ...GAS, '2024-01-12': '13.20', '2024-01-16': '3.25' } },
    ],
    [
      'the correction of a unit error',
      {
        'current-account-balance EMU': byYear(
          2019,
          ['4.1e17', '3.1e17', '2.1e17', '1.1e17'].map((v) => String(BigInt(Number(v)))),
        ),
      },
      { 'current-account-balance EMU': byYear(2019, ['410000000000', '310000000000', '210000000000', '110000000000']) },
    ],
    [
      'an unemployment rate by another definition',
      { 'unemployment-rate PK': byYear(2019, ['7.82', '8.27', '5.85', '4.98', '5.1', '5.0', '4.9']) },
      { 'unemployment-rate PK': byYear(2019, ['7.82', '0.612', '5.85', '4.98', '5.1', '5.0', '4.9']) },
    ],
  ])('lets %s pass', async (_, stored, given) => {
    await publish('2026-06-01', stored);
    const { outcome, findings } = await publish('2026-07-01', speaking(given, stored), JUDGED);
    expect([outcome, findings]).toEqual(['published', []]);
  });

  it('shows the same judgement in a dry run, with the figures that would change, and holds nothing', async () => {
    await publish('2026-06-01', PEOPLE);
    const rehearsed = await publish('2026-07-01', whole(0.001, PEOPLE), { ...JUDGED, dryRun: true });
    expect(rehearsed).toMatchObject({ outcome: 'held', heldDelivery: null });
    expect(rehearsed.differences).toHaveLength(12);
    expect(rehearsed.differences[0]).toMatchObject({ held: '83511000', value: '83511' });
    expect(await sql('SELECT FROM held_deliveries')).toEqual([]);
  });

  it('publishes what is accepted, and records who accepted it and why', async () => {
    await publish('2026-06-01', PEOPLE);
    const report = await publish('2026-07-01', whole(0.001, PEOPLE), { accept: 'ada: a new unit' });
    expect(report.outcome).toBe('published');
    expect(report.findings.map(({ check }) => check)).toContain('scale');
    const [{ description } = { description: '' }] = await sql<{ description: string }>(
      'SELECT description FROM publications WHERE data_version = 2',
    );
    expect(description).toMatch(/^starter: vintage of 2026-07-01; accepted despite .*scale.*: ada: a new unit$/);
  });

  it('leaves the series alone that an operator names', async () => {
    await publish('2026-06-01', GDP);
    const wrong = mapped(GDP, (value, period, series) =>
      times(series === 'gdp JP' ? 1e-6 : Number(period) / 2000)(value),
    );
    const report = await publish('2026-07-01', wrong, { ...JUDGED, without: ['gdp JP'] });
    expect(report).toMatchObject({ outcome: 'published', counts: { changed: 6 } });
    expect((await current()).filter(({ value }) => Number(value) < 1e9)).toEqual([]);
    await expect(publish('2026-07-02', wrong, { ...JUDGED, without: ['gdp XX'] })).rejects.toThrow(
      "no series 'gdp XX'",
    );
  });
});
