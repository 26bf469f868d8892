// runs: in full only
import { isHoliday } from '../../src/domain/figures/holidays.js';
import type { CheckName } from '../../src/publish/publication/finding.js';
import type { Importer } from '../../src/publish/batches/importer.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { eia } from '../../src/publish/publishers/eia.js';
import { usTreasury } from '../../src/publish/publishers/us-treasury.js';
import { days, wave } from './audited.js';
import { usePriceFiles } from './price-files.js';
import { NOW, usePublishing } from './publishing.js';

/** The rows of a publisher's table, by day. */
type Table = Readonly<Record<string, readonly string[]>>;

/** Sixty days to Friday 27 March 2026, one column for each level. */
function tableOf(levels: readonly number[], digits: number): Table {
  const columns = levels.map((level) => days('2026-01-05', wave(60, level, level / 200)));
  return Object.fromEntries(
    Object.keys(columns[0] ?? {}).map((day) => [day, columns.map((own) => Number(own[day]).toFixed(digits))]),
  );
}
const lines = (header: string, table: Table, end = ''): string =>
  [
    header,
    ...Object.entries(table)
      .sort()
      .reverse()
      .map(([day, cells]) => [day, ...cells].join(',') + end),
    '',
  ].join('\n');

const last = (table: Table): readonly string[] => Object.entries(table).sort().at(-1)?.[1] ?? [];
const adding = (table: Table, day: string, to: (value: number, at: number) => string): Table => ({
  ...table,
  [day]: last(table).map((value, at) => to(Number(value), at)),
});

const put = (table: Table, on: readonly string[], column: number, cell: string): Table => ({
  ...table,
  ...Object.fromEntries(on.map((day) => [day, (table[day] ?? []).map((own, at) => (at === column ? cell : own))])),
});

const MONDAY = '2026-03-30';
const RATES = tableOf([1.17, 182, 0.87, 0.93, 1.62, 11.1], 4);
const CODES = 'Date,USD,JPY,GBP,CHF,CAD,SEK,';
const rates = (table: Table, header = CODES): string => lines(header, table, ',');
const NEW_RATES = adding(RATES, MONDAY, (value) => (value * 1.002).toFixed(4));

/** Eighteen days of trade after Easter. */
const APRIL: Table = Object.fromEntries(
  Object.keys(days('2026-04-07', wave(18, 1, 0))).map((day, at) => [
    day,
    last(RATES).map((rate) => (Number(rate) * (1 + at * 0.001 + 0.001)).toFixed(4)),
  ]),
);
const APRIL_RATES: Table = { ...RATES, ...APRIL };

const TENORS = 'Date,1 Mo,3 Mo,6 Mo,1 Yr,2 Yr,5 Yr,10 Yr,30 Yr';
/** Without the holidays of the Treasury. */
const yields = (levels: readonly number[]): Table =>
  Object.fromEntries(Object.entries(tableOf(levels, 2)).filter(([day]) => !isHoliday('us-federal', day)));
const YIELDS = yields([0.05, 0.06, 0.07, 0.1, 0.2, 0.8, 1.5, 1.9]);
const NEW_YIELDS = adding(YIELDS, MONDAY, (value) => (value + 0.01).toFixed(2));

const OIL = tableOf([78.1], 2);
const NEW_OIL = adding(OIL, MONDAY, (value) => (value + 0.6).toFixed(2));

interface Publisher {
  readonly importer: Importer;
  readonly name: string;
  readonly vintage: string | null;
  readonly stored: string;
  readonly right: string;
}
const ECB: Publisher = {
  importer: ecb,
  name: 'eurofxref-hist.csv',
  vintage: null,
  stored: rates(RATES),
  right: rates(NEW_RATES),
};
const TREASURY: Publisher = {
  importer: usTreasury,
  name: '2026-daily-treasury-rates.csv',
  vintage: null,
  stored: lines(TENORS, YIELDS),
  right: lines(TENORS, NEW_YIELDS),
};
const EIA: Publisher = {
  importer: eia,
  name: 'brent-daily.csv',
  vintage: '2026-04-01',
  stored: lines('Date,Price', OIL),
  right: lines('Date,Price', NEW_OIL),
};

type Case = readonly [what: string, of: Publisher, wrong: string, fails: CheckName | RegExp];
const CASES: Case[] = [
  [
    'rates on Good Friday',
    ECB,
    rates({
      ...NEW_RATES,
      '2026-03-31': last(NEW_RATES),
      '2026-04-03': last(NEW_RATES).map((v) => (Number(v) * 1.003).toFixed(4)),
    }),
    'weekend',
  ],
  ['rates on the first of May', ECB, rates({ ...NEW_RATES, '2026-05-01': last(RATES) }), 'weekend'],
  ['yields on a federal holiday', TREASURY, lines(TENORS, { ...NEW_YIELDS, '2026-02-16': last(YIELDS) }), 'weekend'],
  ['a day whose decimal points moved', ECB, rates(adding(RATES, MONDAY, (v) => (v * 10).toFixed(3))), 'jump'],
  ['dollars under the name of yen', ECB, rates(NEW_RATES, 'Date,JPY,USD,GBP,CHF,CAD,SEK,'), 'swapped'],
  [
    'pounds and francs that changed places on one day',
    ECB,
    rates(adding(RATES, MONDAY, (v, at) => last(RATES)[at === 2 ? 3 : at === 3 ? 2 : at] ?? String(v))),
    'swapped_new',
  ],
  ['a day of inverted rates', ECB, rates(adding(RATES, MONDAY, (v) => (1 / v).toFixed(4))), 'jump'],
  [
    'one inverted rate near one',
    ECB,
    rates(adding(RATES, MONDAY, (v, at) => (at === 3 ? 1 / v : v * 1.002).toFixed(4))),
    'inverted',
  ],
  ['the rates of Friday again as those of Monday', ECB, rates(adding(RATES, MONDAY, (v) => v.toFixed(4))), 'repeated'],
  ['a day twice, with other rates', ECB, rates(NEW_RATES).replace('2026-03-26', MONDAY), /bad rows/],
  ['a cut last line', ECB, rates(NEW_RATES).slice(0, -20), /bad row/],
  [
    'semicolons, a byte order mark and CRLF',
    ECB,
    `\ufeff${rates(NEW_RATES)
      .replaceAll('.', ',')
      .replace(/,(?=\d{1,3},|[A-Z\n])/g, ';')
      .replaceAll('\n', '\r\n')}`,
    /no column|bad row|not known/,
  ],
  ['a column of rates that nobody gave', ECB, rates(adding(RATES, MONDAY, () => '0')), /bad rows|bounds/],
  ['an old rate that is off by 1 %', ECB, rates(put(NEW_RATES, ['2026-02-05'], 0, '1.1817')), 'final'],
  [
    'a currency without a week of stored days',
    ECB,
    rates(put(NEW_RATES, ['2026-02-02', '2026-02-03', '2026-02-04', '2026-02-05', '2026-02-06'], 0, 'N/A')),
    'missing_days',
  ],
  [
    'a currency without sixteen of eighteen new days',
    ECB,
    rates(put(APRIL_RATES, Object.keys(APRIL).slice(0, 16), 2, 'N/A')),
    'missing_days',
  ],
  ['a long yield of zero', TREASURY, lines(TENORS, put(NEW_YIELDS, [MONDAY], 7, '0.00')), 'zero'],
  ['a price of zero', EIA, lines('Date,Price', put(NEW_OIL, [MONDAY], 0, '0.00')), 'zero'],
  ['a price that is a code', EIA, lines('Date,Price', put(NEW_OIL, [MONDAY], 0, '-99')), 'missing_code'],
  [
    'yields as fractions',
    TREASURY,
    lines(
      TENORS,
      adding(YIELDS, MONDAY, (v) => (v / 100).toFixed(4)),
    ),
    'sudden_scale',
  ],
  [
    'half of the maturities',
    TREASURY,
    lines(
      TENORS,
      adding(YIELDS, MONDAY, (v, at) => (at < 4 ? '' : (v + 0.01).toFixed(2))),
    ),
    'partial',
  ],
  [
    'maturities that moved by a column',
    TREASURY,
    lines(
      TENORS,
      adding(YIELDS, MONDAY, (v, at) => last(YIELDS)[(at + 7) % 8] ?? String(v)),
    ),
    'swapped_new',
  ],
  [
    'American dates in the order of Europe',
    TREASURY,
    lines(TENORS, NEW_YIELDS).replace(MONDAY, '30/03/2026'),
    /bad row/,
  ],
  [
    'a price without its decimal point',
    EIA,
    lines(
      'Date,Price',
      adding(OIL, MONDAY, (v) => (v * 100).toFixed(0)),
    ),
    /bad row/,
  ],
  [
    'a price in another unit',
    EIA,
    lines(
      'Date,Price',
      adding(OIL, MONDAY, (v) => (v / 7.33).toFixed(2)),
    ),
    'jump',
  ],
  [
    'the weekend filled in',
    EIA,
    lines('Date,Price', { ...NEW_OIL, '2026-03-28': last(OIL), '2026-03-29': last(OIL) }),
    'weekend',
  ],
];

const { publisher, revisions, sql } = usePublishing();
const files = usePriceFiles(ecb);

async function given({ importer, name, vintage }: Publisher, text: string, day = vintage): Promise<ImportReport> {
  const deliveries = await importer.open([await files.file(name, text)], day);
  const [report] = await importFiles(publisher(), importer, deliveries, { now: () => NOW });
  if (report === undefined) throw new Error('no report');
  return report;
}

const observations = () =>
  sql<{ instrument: string }>(
    `SELECT s.instrument, o.period, o.valid_from, o.valid_to, trim_scale(o.value) AS value
     FROM observations o JOIN series s ON s.id = o.series_id ORDER BY 1, 2, 3`,
  );

describe('A file of daily prices with', () => {
  it.each(CASES)('%s is held or refused, and the right one then published', async (_, of, wrong, fails) => {
    const first = await given(of, of.stored, of.vintage === null ? null : '2026-03-28');
    expect(first.outcome).toBe('published');
    const before = await observations();
    if (fails instanceof RegExp) await expect(given(of, wrong)).rejects.toThrow(fails);
    else {
      const { outcome, findings, quarantined } = await given(of, wrong);
      expect(findings.map(({ check }) => check)).toContain(fails);
      const waiting = quarantined.map(({ series }) => series);
      expect(outcome === 'held' || waiting.length > 0).toBe(true);
      const without = (rows: Awaited<ReturnType<typeof observations>>) =>
        rows.filter(({ instrument }) => outcome === 'held' || waiting.includes(instrument));
      expect(without(await observations())).toEqual(without(before));
      if (outcome === 'published') return;
    }
    const healed = await given(of, of.right);
    expect([healed.outcome, healed.findings]).toEqual(['published', []]);
    expect((await observations()).length).toBe(
      before.length + last(of.importer === ecb ? RATES : of.importer === eia ? OIL : YIELDS).length,
    );
  });

  it('nothing new publishes nothing', async () => {
    await given(ECB, ECB.right);
    expect(await given(ECB, ECB.right)).toMatchObject({ outcome: 'unchanged' });
    expect(await revisions()).toBe(1);
  });
});

describe('A short yield', () => {
  it('is published when it crosses the one beside it', async () => {
    const near = yields([4.2, 4.4, 4.52]);
    const header = 'Date,1 Mo,1.5 Mo,2 Mo';
    const calm = (table: Table): Table =>
      Object.fromEntries(Object.keys(table).map((day, at) => [day, ['4.20', `4.4${at % 2}`, `4.5${2 + (at % 2)}`]]));
    const stored = { ...calm(near), '2026-03-27': ['4.20', '4.40', '4.52'] };
    await given(TREASURY, lines(header, stored));
    const crossed = lines(header, { ...stored, [MONDAY]: ['4.21', '4.53', '4.44'] });
    expect(await given(TREASURY, crossed)).toMatchObject({ outcome: 'published', findings: [] });
  });

  it('is published when it reaches zero', async () => {
    await given(TREASURY, TREASURY.stored);
    const zero = lines(TENORS, put(NEW_YIELDS, [MONDAY], 0, '0.00'));
    expect(await given(TREASURY, zero)).toMatchObject({ outcome: 'published', findings: [] });
  });
});
