// Ways in which publishers' files were wrong, or may be: each spoils the right figures of the next delivery.
import type { Figures } from './deliveries.js';

type Series = Record<string, string>;
type Mutable = Record<string, Series>;

export interface Corruption {
  readonly what: string;
  /** @returns the delivery, of the series of one publisher */
  readonly spoil: (right: Figures, stored: Figures) => Figures;
  /** Why it is published: docs/explanation/audit.md names it. */
  readonly passes?: string;
}

const copyOf = (figures: Figures): Mutable =>
  Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, { ...values }]));
const newest = (values: Readonly<Series>, back = 0): string =>
  Object.keys(values)
    .sort()
    .at(-1 - back) ?? '';
const named = (name: string, pattern: string): boolean =>
  pattern === '' || name === pattern || name.startsWith(`${pattern} `) || name.endsWith(` ${pattern}`);
const changed = (
  pattern: string,
  to: (values: Series, name: string, all: Mutable, stored: Figures) => void,
): Corruption['spoil'] => {
  return (right, stored) => {
    const all = copyOf(right);
    for (const [name, values] of Object.entries(all)) if (named(name, pattern)) to(values, name, all, stored);
    return all;
  };
};
const by = (value: string | undefined, factor: number): string =>
  Number((Number(value) * factor).toPrecision(12)).toLocaleString('en', {
    useGrouping: false,
    maximumFractionDigits: 14,
  });
const mapped = (values: Series, to: (value: string) => string): void => {
  for (const period of Object.keys(values)) values[period] = to(values[period] ?? '');
};

/** The newest figure of a series, or of all series of an indicator, a region or the publisher. */
const one = (pattern: string, factor: number): Corruption => ({
  what: `the newest of ${pattern || 'all'} × ${factor}`,
  spoil: changed(pattern, (values) => (values[newest(values)] = by(values[newest(values)], factor))),
});
const whole = (pattern: string, factor: number): Corruption => ({
  what: `all of ${pattern || 'all'} × ${factor}`,
  spoil: changed(pattern, (values) => mapped(values, (value) => by(value, factor))),
});
const more = (pattern: string, amount: number): Corruption => ({
  what: `all of ${pattern} + ${amount}`,
  spoil: changed(pattern, (values) => mapped(values, (value) => String(Number(value) + amount))),
});
const set = (pattern: string, value: string, back = 0): Corruption => ({
  what: `${value} for figure ${back} of ${pattern}`,
  spoil: changed(pattern, (values) => (values[newest(values, back)] = value)),
});
const copied = (pattern: string): Corruption => ({
  what: `the newest of ${pattern || 'all'} copied from the one before`,
  spoil: changed(pattern, (values) => (values[newest(values)] = values[newest(values, 1)] ?? '')),
});
const shifted = (pattern: string, by: 1 | -1): Corruption => ({
  what: `${pattern} a period ${by > 0 ? 'late' : 'early'}`,
  spoil: changed(pattern, (values) => {
    const periods = Object.keys(values).sort();
    const given = periods.map((period) => values[period] ?? '');
    periods.forEach((period, at) => (values[period] = given[at - by] ?? given[at] ?? ''));
  }),
});
/** One indicator, region or series under the name of another. */
const pasted = (from: string, onto: string): Corruption => ({
  what: `${from} under the name of ${onto}`,
  spoil: changed(onto, (values, name, all) => {
    const other = all[name.replace(onto, from)];
    for (const period of Object.keys(values)) values[period] = other?.[period] ?? values[period] ?? '';
  }),
});
const swapped = (a: string, b: string, onlyNewest = false): Corruption => ({
  what: `${a} and ${b} changed places${onlyNewest ? ' in the newest period' : ''}`,
  spoil: changed(a, (values, name, all) => {
    const other = all[name.replace(a, b)] ?? {};
    for (const period of onlyNewest ? [newest(values)] : Object.keys(values))
      if (values[period] !== undefined && other[period] !== undefined)
        [values[period], other[period]] = [other[period], values[period]];
  }),
});
const lost = (what: string, pattern: string, keep: (period: string, name: string) => boolean): Corruption => ({
  what,
  spoil: changed(pattern, (values, name) => {
    for (const period of Object.keys(values)) if (!keep(period, name)) Reflect.deleteProperty(values, period);
  }),
});
const rounded = (pattern: string): Corruption => ({
  what: `${pattern} without decimals`,
  spoil: changed(pattern, (values) => mapped(values, (value) => String(Math.round(Number(value))))),
});
const renamed = ({ spoil }: Corruption, what: string, passes?: string): Corruption => ({
  what,
  spoil,
  ...(passes === undefined ? {} : { passes }),
});
const added = (pattern: string, period: string): Corruption => ({
  what: `a figure of ${period} for ${pattern || 'all'}`,
  spoil: changed(pattern, (values) => (values[period] = by(values[newest(values)], 1.003))),
});
const inverted = (pattern: string): Corruption => ({
  what: `the newest of ${pattern} inverted`,
  spoil: changed(pattern, (values) => {
    values[newest(values)] = (1 / Number(values[newest(values)])).toFixed(6);
  }),
});

/** The newest figures of one indicator under the name of another. */
const columnOf = (from: string, onto: string): Corruption => ({
  what: `the newest of ${from} under the name of ${onto}`,
  spoil: changed(onto, (values, name, all) => {
    const period = newest(values);
    values[period] = all[name.replace(onto, from)]?.[period] ?? values[period] ?? '';
  }),
});
/** The newest figures of an indicator, each in the row of the next country. */
const rowsMoved = (pattern: string): Corruption => ({
  what: `the newest of ${pattern} one row too low`,
  spoil: (right) => {
    const rows = Object.keys(right).filter((name) => named(name, pattern));
    const all = copyOf(right);
    rows.forEach((name, at) => {
      const [values, above] = [all[name] ?? {}, right[rows[at - 1] ?? rows.at(-1) ?? ''] ?? {}];
      values[newest(values)] = above[newest(above)] ?? '';
    });
    return all;
  },
});
const filled = (pattern: string, rows: readonly string[]): Corruption => ({
  what: `the newest of ${pattern} filled down`,
  spoil: (right) => {
    const all = copyOf(right);
    const [first = {}, ...others] = rows.map((row) => all[`${pattern} ${row}`] ?? {});
    for (const values of others) values[newest(values)] = first[newest(first)] ?? '';
    return all;
  },
});
const shortened = (pattern: string, digits: number): Corruption => ({
  what: `the newest of ${pattern || 'all'} with ${digits} digits`,
  spoil: changed(pattern, (values) => {
    const rounded = Number(Number(values[newest(values)]).toPrecision(digits));
    values[newest(values)] = by(String(rounded), 1);
  }),
});
const olderDay = (pattern: string, back: number): Corruption => ({
  what: `the newest of ${pattern || 'all'} as ${back} periods before`,
  spoil: changed(
    pattern,
    (values) => (values[newest(values)] = values[newest(values, back)] ?? values[newest(values)] ?? ''),
  ),
});

const LEVELS = [
  'gdp JP',
  'gdp-per-capita DE',
  'population BR',
  'gni-per-capita US',
  'gdp-per-capita-ppp FR',
  'total-reserves CN',
  'official-exchange-rate ID',
  'gdp TR',
  'life-expectancy IT',
  'gdp KR',
  'population US',
  'gdp-per-capita-ppp JP',
  'gdp-per-capita CH',
  'life-expectancy MX',
];
const SHARES = ['exports-to-gdp DE', 'imports-to-gdp US', 'tax-revenue-to-gdp GB', 'broad-money-to-gdp JP'];
const SMALL = 'a rate so near zero that its multiples are usual';
const REAL = 'a step that the series made before';
const STEPPED: Readonly<Record<string, string>> = { 'the newest of total-reserves CN × 2': REAL };

export const CORRUPTIONS: Readonly<Record<string, readonly Corruption[]>> = {
  worldbank: [
    ...LEVELS.flatMap((series) => [one(series, 10), one(series, 2), one(series, 0.001)]).map((made) =>
      renamed(made, made.what, STEPPED[made.what]),
    ),
    ...SHARES.flatMap((series) => [one(series, 10), one(series, 2)]),
    ...[
      'gdp FR',
      'gdp US',
      'population-growth FR',
      'gdp-growth BR',
      'population ZA',
      'cpi-inflation DE',
      'unemployment-rate US',
      'exports-to-gdp KR',
    ].map(copied),
    ...['gdp', 'gdp-growth', 'ES', ''].map(copied),
    ...['gdp JP', 'gdp-growth FR', 'population IN', 'cpi-inflation', 'total-reserves', 'JP'].flatMap((what) => [
      shifted(what, 1),
      shifted(what, -1),
    ]),
    pasted('exports-to-gdp', 'imports-to-gdp'),
    pasted('gni-per-capita', 'gdp-per-capita'),
    pasted('gdp-per-capita-ppp', 'gdp-per-capita'),
    pasted('population', 'gdp'),
    pasted('exports-to-gdp DE', 'imports-to-gdp DE'),
    pasted('gdp FR', 'gdp GB'),
    pasted('cpi-inflation IT', 'cpi-inflation ES'),
    swapped('JP', 'KR'),
    swapped('gdp-growth', 'cpi-inflation'),
    swapped('unemployment-rate FR', 'unemployment-rate JP', true),
    swapped('gdp US', 'gdp CN', true),
    ...['current-account-balance', 'fiscal-balance-to-gdp'].map((what) =>
      renamed(one(what, -1), `the sign of the newest ${what} turned`),
    ),
    whole('current-account-balance', -1),
    whole('current-account-balance DE', -1),
    renamed(
      one('gdp-growth DE', -1),
      'the sign of the newest growth of one country turned',
      'no exchange rate of the country',
    ),
    renamed(one('current-account-balance DE', -1), 'the sign of the newest current account of one country turned'),
    renamed(
      one('current-account-balance US', -1),
      'the sign of the newest current account of the United States turned',
    ),
    ...['official-exchange-rate TR', 'official-exchange-rate MX', 'official-exchange-rate CH'].flatMap((series) => [
      one(series, 1.5),
      one(series, 0.5),
    ]),
    one('gdp-growth JP', -1),
    one('gdp-deflator-inflation US', 12),
    one('gdp-deflator-inflation JP', 0.01),
    one('gross-savings-to-gdp JP', 1.3),
    one('gross-capital-formation-to-gdp KR', 0.7),
    one('gdp IT', 1.1),
    one('gdp US', 0.94),
    {
      what: 'growth in dollars as growth of Japan',
      spoil: changed('gdp-growth JP', (values, _, all) => {
        const gdp = all['gdp JP'] ?? {};
        values[newest(values)] = by(String(Number(gdp[newest(gdp)]) / Number(gdp[newest(gdp, 1)]) - 1), 100);
      }),
    },
    set('gdp-growth US', '7.9'),
    ...['gdp IT', 'gdp', 'population', 'JP'].map((what) => whole(what, 1000)),
    whole('cpi-inflation', 0.01),
    whole('unemployment-rate', 0.01),
    one('cpi-inflation', 0.01),
    one('gdp-growth', 100),
    one('unemployment-rate', 0.01),
    renamed(one('cpi-inflation US', 0.01), 'one inflation as a fraction', SMALL),
    renamed(whole('official-exchange-rate CH', 150), 'all of an exchange rate × 150'),
    whole('gdp IT', 1.04),
    whole('unemployment-rate', 1.3),
    whole('gdp', 0.909),
    more('tax-revenue-to-gdp', 20),
    lost('all of life-expectancy IT', 'life-expectancy IT', () => false),
    whole('gdp CH', 150),
    one('gdp', 0.92),
    one('gdp AU', 0.92),
    one('official-exchange-rate TR', 1000),
    one('lending-rate BR', 10),
    one('population-growth IN', 10),
    one('real-interest-rate ZA', -10),
    one('fdi-net-inflows US', 100),
    set('gdp-growth ES', '-99'),
    set('unemployment-rate MX', '0'),
    set('gdp AR', '0'),
    set('population ID', '9999999', 3),
    rounded('gdp-per-capita'),
    rounded('exports-to-gdp'),
    lost('a file cut in its middle', 'gdp', (_, name) => name < 'gdp ID'),
    lost('files without their newer half', '', (period) => period < '2012'),
    lost('a country missing in all files', 'ZA', () => false),
    lost('three countries missing in one file', 'gdp', (_, name) => !/ (US|CN|DE)$/.test(name)),
    added('gdp', '2027'),
    added('population JP', '2031'),
    columnOf('tax-revenue-to-gdp', 'government-revenue-to-gdp'),
    columnOf('gdp-per-capita', 'gdp-per-capita-ppp'),
    columnOf('broad-money-to-gdp', 'private-credit-to-gdp'),
    columnOf('gdp-deflator-inflation', 'cpi-inflation'),
    rowsMoved('life-expectancy'),
    swapped('AU', 'AR', true),
    filled('industry-value-added-to-gdp', ['ID', 'IN', 'IT', 'JP', 'KR']),
    shortened('gdp', 2),
    shortened('gdp-growth', 1),
    set('cpi-inflation JP', '0'),
    {
      what: 'the newest current account without brackets for a minus',
      spoil: changed('current-account-balance', (values) => {
        values[newest(values)] = values[newest(values)]?.replace('-', '') ?? '';
      }),
    },
    inverted('official-exchange-rate GB'),
    lost('a year that is missing in one file', 'gdp', (period) => period !== '2015'),
    one('unemployment-rate', 2.2),
    set('gdp-per-capita GB', '5285', 2),
    set('gdp MX', '185312000000', 4),
  ],
  ecb: [
    ...[10, 0.01, 1.5, -1].map((factor) => one('', factor)),
    ...['eurusd', 'eurjpy', 'euridr', 'eurgbp'].flatMap((pair) => [one(pair, 10), one(pair, 0.1), one(pair, 1.4)]),
    ...['eurchf', 'eurgbp', 'eurdkk'].map((pair) => one(pair, 1.06)),
    one('eurcny', 1.15),
    one('euraud', 0.86),
    one('eurzar', 0.85),
    copied(''),
    ...['eurgbp', 'eurusd', 'eurjpy'].map(inverted),
    swapped('eurgbp', 'eurchf', true),
    swapped('eurusd', 'eurjpy'),
    added('', '2026-04-18'),
    added('', '2026-05-01'),
    added('', '2026-12-24'),
    shortened('', 2),
    olderDay('', 250),
    one('eursek', 0),
    set('eurnok', '-99'),
    set('eurnok', '11.9', 40),
    lost('half of the currencies', '', (period, name) => period < '2026-04-13' || name > 'eurmxn'),
    whole('eurdkk', 0.1),
    whole('', 1.17),
  ],
  eia: [
    ...[10, 100, 0.01, 0.1364].map((factor) => one('brent', factor)),
    one('brent', -1),
    ...[10, -1, 0.575].map((factor) => one('wti', factor)),
    one('henry-hub', 28.3),
    set('brent', '0'),
    set('wti', '999.99'),
    added('brent', '2026-08-22'),
    whole('wti', 0.42),
    swapped('brent', 'henry-hub'),
    pasted('brent', 'wti'),
    one('brent-weekly-average', 1.03),
    one('wti-monthly-average', 0.95),
    copied('brent-monthly-average'),
    renamed(one('brent', 1.03), 'one price off by 3 %', REAL),
  ],
  'us-treasury': [
    ...[2, 0.01, 100].map((factor) => one('', factor)),
    ...['us-par-yield-10y', 'us-par-yield-2y', 'us-par-yield-3m'].flatMap((tenor) => [
      one(tenor, 10),
      one(tenor, 0.01),
      one(tenor, 1.5),
    ]),
    copied(''),
    olderDay('', 240),
    set('us-par-yield-30y', '0.00'),
    set('us-par-yield-10y', '3.24'),
    swapped('us-par-yield-1m', 'us-par-yield-30y'),
    added('', '2026-07-04'),
    lost('half of the maturities', '', (period, name) => period < '2025-12-31' || name.length < 16),
    set('us-par-yield-10y', '4.81'),
  ],
  bls: [
    ...[1.03, 10, 0.1, 0.335].map((factor) => one('consumer-price-index', factor)),
    copied('consumer-price-index'),
    whole('consumer-price-index', 0.335),
    renamed(set('consumer-price-index', '300.2', 5), 'a stored index restated'),
    shifted('consumer-price-index', 1),
  ],
  'frb-h15': [
    one('us-treasury-10y-monthly-average', 10),
    one('us-treasury-10y-monthly-average', 0.01),
    one('us-treasury-10y-monthly-average', 1.5),
  ],
  'worldbank-pinksheet': [
    one('gold-monthly-average', 10),
    one('gold-monthly-average', 2),
    one('gold-monthly-average', 1.4),
    one('gold-monthly-average', 0.0322),
    renamed(copied('gold-monthly-average'), 'a month of gold given twice', 'a price that stood still'),
  ],
};
