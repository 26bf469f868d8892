import fc from 'fast-check';
import { LOCALES, type Locale } from '../../../src/domain/locale/locale.js';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>> & { readonly locale: Locale };
}

/** Names that the stored figures have, for calls of one item. */
export interface Known {
  readonly changes: readonly string[];
  readonly companies: readonly string[];
}

/** In half of the calls. */
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** In a fifth of them. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const one = <Value>(...values: Value[]) => fc.constantFrom(...values);

const INDICATORS = [
  'gdp',
  'GDP growth',
  'cpi-inflation',
  '失业率',
  'population',
  'gdp-per-capita',
  'exports',
  '政策金利',
  'consumer-price-index',
  'nominal-gdp-annual-rate',
  'policy-rate-upper',
  'current-account-balance',
  'official-exchange-rate',
  'life-expectancy',
  'imports',
  'gross-savings',
  'gdp-per-capita-ppp',
  'reserves',
];
const COUNTRIES = ['JP', 'US', 'China', '德国', 'フランス', 'US, JP', 'G7', 'EMU', 'GB, IN, BR, ZA', 'WLD', 'AR', 'XX'];
const INSTRUMENTS = [
  'eurusd',
  'eurjpy',
  'eurhuf',
  'brent',
  'wti',
  'henry-hub',
  'gold',
  '金价',
  'us-par-yield-10y',
  'ドル円',
  'us-par-yield-2y',
  'eurgbp',
  'eurchf',
  'US dollar',
  'eurcny',
  'copper',
  'eurkrw',
];
const PERIODS = ['1960', '2000', '2010', '2019-Q3', '2020', '2023-03', '2024', '2025-12-17', '2026', '2026-03', '2040'];
const DAYS = ['2000-02-25', '2024-09-19', '2025-12-17', '2026-04-01', '2026-05-01', '2026-07-01', '2026-07-28'];

const locale = one(...LOCALES);
const country = optional(one(...COUNTRIES));
const coverage = optional(one('prices', 'growth', 'labour', 'markets', 'trade'));
const topic = optional(one('inflation', 'gdp', 'unemployment', 'energy', 'monetary-policy', 'exchange-rates'));
const from = optional(one(...PERIODS));
const to = optional(one(...PERIODS));
const day = optional(one(...DAYS));
const limit = (most: number) => optional(fc.integer({ min: 1, max: most }));

const SERIES = [
  'usdjpy',
  'EUR/USD',
  'brent',
  'us-par-yield-10y',
  'eurhuf; eurusd',
  'gdp-growth@JP',
  'cpi-inflation@US; gdp@CN',
  'Unemployment in Japan',
  'consumer-price-index@US',
  'policy-rate-upper@US',
  'gbpchf',
  'wti; brent',
  'population',
  'gdp@US',
  'gdp-per-capita@DE; gdp-per-capita@FR',
  'gdp-growth@CN',
  'eurjpy; usdjpy',
  'nominal-gdp-annual-rate@US',
];

/** Calls of each tool, more of those whose arguments are many. */
function arbitraries({ changes, companies }: Known): readonly (readonly [weight: number, fc.Arbitrary<Call>])[] {
  const call = <Args extends Call['args']>(tool: string, args: fc.Arbitrary<Args>): fc.Arbitrary<Call> =>
    args.map((sent) => ({ tool, args: JSON.parse(JSON.stringify(sent)) as Args }));
  return [
    [
      5,
      call(
        'latest_changes',
        fc.record({
          locale,
          country,
          coverage,
          topic,
          since: day,
          until: day,
          limit: limit(12),
          kind: optional(one('release', 'revision', 'move', 'decision', 'structure', 'move,decision')),
          minImportance: optional(one(20, 50, 70)),
          status: seldom(one('corrected')),
          order: optional(one('newest', 'importance')),
        }),
      ),
    ],
    [
      3,
      call(
        'latest_changes',
        fc.record({
          locale,
          limit: limit(6),
          order: optional(one('newest', 'importance')),
          query: one(
            'unemployment',
            'gdp japan',
            '失业率',
            '消費者物価',
            'brent',
            'oil fell',
            'policy rate',
            'nothing',
          ),
        }),
      ),
    ],
    [4, call('get_change', fc.record({ locale, id: one(...changes, 'chg_unknown') }))],
    [
      3,
      call(
        'country_heat',
        fc.record({
          locale,
          coverage,
          until: day,
          limit: limit(25),
          country: optional(one('JP', 'US', '德国', 'AR')),
          days: optional(one(1, 7, 30, 90)),
        }),
      ),
    ],
    [
      3,
      call(
        'release_calendar',
        fc.record({
          locale,
          country: optional(one('US', 'JP')),
          coverage,
          limit: limit(20),
          from: optional(one('1999-12-01', '2000-06-01', '2025-10-01', '2026-01-05', '2026-11-01', '2027-05-05')),
          importance: optional(one('low', 'medium', 'high')),
        }),
      ),
    ],
    [
      3,
      call(
        'company',
        fc
          .tuple(locale, one(...companies, 'no-such'), one('slug', 'query'), optional(one('DE', 'FR')))
          .map(([language, name, by, within]) => ({ locale: language, [by]: name, country: within })),
      ),
    ],
    [1, call('latest_brief', fc.record({ locale }))],
    [
      9,
      call(
        'figures',
        fc.record({
          locale,
          from,
          to,
          asOf: seldom(one(...DAYS)),
          indicator: one(...INDICATORS),
          country: one(...COUNTRIES),
        }),
      ),
    ],
    [
      4,
      call(
        'figures',
        fc.record({
          locale,
          indicator: one(...INDICATORS),
          limit: limit(12),
          rank: optional(one('highest', 'lowest')),
        }),
      ),
    ],
    [
      7,
      call(
        'quotes',
        fc.record({
          locale,
          from,
          to,
          limit: limit(40),
          instrument: one(...INSTRUMENTS),
          asOf: seldom(one(...DAYS)),
          timeframe: seldom(one('D1', 'W1', 'MN')),
        }),
      ),
    ],
    [2, call('quotes', fc.record({ locale, kind: one('fx', 'commodity', 'rate'), from, limit: limit(4) }))],
    [
      10,
      call(
        'series',
        fc.record({
          locale,
          series: one(...SERIES),
          country: seldom(one('JP', 'US', 'DE, FR')),
          from,
          to,
          minus: seldom(one('us-par-yield-2y', 'wti', 'eurgbp')),
          per: seldom(one('eurusd', 'population@JP')),
          frequency: seldom(one('M', 'Q', 'A')),
          transform: seldom(one('yoy', 'pop', 'change')),
          asOf: seldom(one(...DAYS)),
          level: optional(one(0, 2, 100, -5, 1.1)),
          limit: limit(20),
        }),
      ),
    ],
    [
      2,
      call('search', fc.record({ locale, query: one('japan inflation', 'EUR/USD', '失业率', 'brent', 'ドイツ GDP') })),
    ],
    [
      3,
      call(
        'series',
        fc.record({
          locale,
          series: one(...SERIES),
          from,
          limit: limit(8),
          frequency: one('M', 'Q', 'A'),
          aggregate: optional(one('mean', 'last', 'high', 'low')),
        }),
      ),
    ],
    [
      2,
      call(
        'fetch',
        fc.record({
          locale,
          id: one('tidemark://indicators/cpi-inflation?country=JP', 'tidemark://indicators/gdp', ...changes),
        }),
      ),
    ],
  ];
}

/** So many different calls, the same with the same seed. */
export function callsOf(known: Known, count: number): Call[] {
  const weighted = arbitraries(known).map(([weight, arbitrary]) => ({ weight, arbitrary }));
  const calls = new Map<string, Call>();
  const { seed = 1 } = fc.readConfigureGlobal();
  for (const call of fc.sample(fc.oneof(...weighted), { numRuns: count * 4, seed })) {
    if (calls.size < count) calls.set(JSON.stringify(call), call);
  }
  return [...calls.values()];
}
