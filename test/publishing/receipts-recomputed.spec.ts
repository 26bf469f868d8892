// runs: in full only
import { join } from 'node:path';
import type { Importer } from '../../src/publish/batches/importer.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { eia } from '../../src/publish/publishers/eia.js';
import { usTreasury } from '../../src/publish/publishers/us-treasury.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exactDelta, exactPercent, isSameNumber } from '../support/exact-numbers.js';
import { exchange } from '../support/exchange.js';
import { PublisherFiles, type PublisherFolders } from '../support/publisher-files.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';

const SEED = Number(process.env['TIDEMARK_RECEIPT_SEED'] ?? '20261122');
/** The earlier prices that the rule of a move reads: docs/explanation/moves.md. */
const PRICES_OF_A_MOVE = 252;
const now = () => new Date('2026-08-23T00:00:00Z');
const FIXTURES = join(__dirname, '../fixtures');

interface Input {
  readonly role: string;
  readonly series: string;
  readonly providerCode: string;
  readonly period: string;
  readonly value: number;
  readonly printed: string;
  readonly knownSince: string;
  readonly knownUntil: string | null;
}

interface Context {
  readonly kind: 'record' | 'since' | 'streak' | 'mean' | 'swing' | 'distance';
  readonly of: 'level' | 'amount' | 'year' | 'step' | 'exchange' | null;
  readonly side: 'high' | 'low' | null;
  readonly since: string;
  readonly reference: number;
}

interface Receipt {
  readonly context: Context | null;
  readonly rule: { readonly name: string };
  readonly unit: { readonly dimension: string };
  readonly inputs: readonly Input[];
  readonly results: { readonly delta: number | null; readonly deltaPercent: number | null };
}

const SHARED: PublisherFolders = {
  vintages: sharedData('worldbank-wdi-vintages'),
  ecb: sharedData('ecb-eurofxref', 'eurofxref-hist-2015.csv'),
  eia: sharedData('eia-energy'),
  treasury: sharedData('us-treasury-par-yields'),
};
const SMALL: PublisherFolders = {
  vintages: join(FIXTURES, 'vintages'),
  ecb: join(FIXTURES, 'markets/ecb/eurofxref-hist.csv'),
  eia: join(FIXTURES, 'markets/eia/2026-08-22'),
  treasury: join(FIXTURES, 'markets/us-treasury'),
};

/** What is wrong with a receipt, by the publishers' own files; a figure that was withdrawn has none to show. */
function mistakesOf(
  { rule, unit, inputs, results, context }: Receipt,
  files: PublisherFiles,
  isWithdrawn: boolean,
): string[] {
  const wrong = inputs.flatMap((input) => mistakesOfInput(input, files));
  const of = (role: string) => inputs.filter((input) => input.role === role);
  const [[actual], [previous]] = [of('actual'), of('previous')];
  if (of('actual').length !== (isWithdrawn ? 0 : 1) || of('previous').length > 1)
    wrong.push('has not one figure of each role');
  if (rule.name === 'move') wrong.push(...mistakesOfPrices(inputs, files));
  if (context !== null) wrong.push(...mistakesOfContext(context, inputs, rule.name));
  const hasBoth = actual !== undefined && previous !== undefined;
  const delta = hasBoth ? exactDelta(actual.printed, previous.printed) : null;
  const percent = hasBoth && unit.dimension !== 'ratio' ? exactPercent(actual.printed, previous.printed) : null;
  if (results.delta !== delta) wrong.push(`delta ${String(results.delta)} instead of ${String(delta)}`);
  if (results.deltaPercent !== percent)
    wrong.push(`deltaPercent ${String(results.deltaPercent)} instead of ${String(percent)}`);
  return wrong;
}

function mistakesOfInput(input: Input, files: PublisherFiles): string[] {
  const { series, providerCode, period, printed, knownSince, knownUntil, value } = input;
  const name = `${series} ${period} as of ${knownSince}`;
  if (value !== Number(printed)) return [`${name}: ${String(value)} is not ${printed}`];
  if (!series.includes('@')) {
    const found = files.prices(series).get(period);
    return found !== undefined && isSameNumber(found, printed) ? [] : [`${name}: ${String(found)}, not ${printed}`];
  }
  // Each vintage prints the figure, exactly from the first day to the last.
  return files.days().flatMap((day) => {
    const found = files.economy(day, providerCode, series).get(period);
    const isThere = found !== undefined && isSameNumber(found, printed);
    const isKnown = day >= knownSince && (knownUntil === null || day < knownUntil);
    const isNeighbour = day === knownUntil || day === files.days().findLast((one) => one < knownSince);
    return isThere === isKnown || (!isKnown && !isNeighbour) ? [] : [`${name}: ${day} prints ${String(found)}`];
  });
}

/** A move reads the prices before its own, without a gap. */
function mistakesOfPrices(inputs: readonly Input[], files: PublisherFiles): string[] {
  const [first] = inputs;
  const last = inputs.at(-1)?.period ?? '';
  const periods = [...files.prices(first?.series ?? '').keys()].filter((period) => period <= last).sort();
  const expected = periods.slice(-PRICES_OF_A_MOVE);
  // Those of its context are older.
  const read = inputs.map(({ period }) => period).slice(-PRICES_OF_A_MOVE);
  return JSON.stringify(read) === JSON.stringify(expected) ? [] : [`reads other prices than the ${read.length} before`];
}

/** Recomputes the context with doubles from the figures that the receipt shows. */
function mistakesOfContext(context: Context, inputs: readonly Input[], rule: string): string[] {
  const { kind, of, side, since, reference: value } = context;
  const sorted = [...inputs].sort((a, b) => (a.period < b.period ? -1 : 1));
  const plain = sorted.map(({ period, value: number }) => ({ period, value: number }));
  const newest = plain.at(-1);
  const below = (newest?.value ?? 0) < 0 ? -1 : 1;
  const before = (at: number) => plain[at - 1]?.value ?? Number.NaN;
  const relative = of !== 'step' || rule !== 'move' || sorted.every((one) => !one.series.includes('par-yield'));
  const compared = plain.map((one, at) => {
    if (of === 'amount') return { ...one, value: one.value * below };
    if (of !== 'step') return one;
    return { ...one, value: relative ? (100 * (one.value - before(at))) / before(at) : one.value - before(at) };
  });
  const now = compared.at(-1)?.value ?? 0;
  const sign = of === 'step' && kind !== 'mean' ? Math.sign(now) : side === 'low' ? -1 : 1;
  const from = compared.findIndex(({ period }) => period === since);
  const span = compared.slice(from, -1).map((one) => one.value);
  const close = (a: number) => Math.abs(a - value) <= 1e-5 * Math.max(1, Math.abs(a));
  const [first = Number.NaN, ...rest] = span;
  if (from < 0) return [`has no figure of ${since}`];
  if (kind === 'mean') return close(span.reduce((a, b) => a + b, 0) / span.length) ? [] : ['another mean'];
  if (kind === 'streak') {
    const steps = plain.slice(from + 1).map((one, at) => Math.sign(one.value - before(from + 1 + at)));
    return steps.length === value && new Set(steps).size === 1 ? [] : ['another run'];
  }
  if (kind === 'swing') return first * now < 0 && close(first) ? [] : ['no swing'];
  if (kind === 'distance') return close(first) && (first - now) * (side === 'high' ? 1 : -1) > 0 ? [] : ['no distance'];
  if (of === 'year') return [];
  if (kind === 'since' && !(close(first) || close(-first))) return ['another value at `since`'];
  if (kind === 'since' && first * sign < now * sign) return ['was never as high or low'];
  // Of a move, the receipt has its window and the price of the context only.
  return rest.slice(rule === 'move' ? 1 : 0).some((one) => one * sign >= now * sign)
    ? ['was as high or low later']
    : [];
}

/** A sequence that depends on the seed only (mulberry32). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Imports the files, and recomputes so many receipts of each kind. */
function defineSuite(folders: PublisherFolders, wanted: Readonly<Record<string, number>>): void {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    const publisher = await database.open('import');
    const files: readonly (readonly [Importer, string, string | null])[] = [
      [worldbank, folders.vintages, null],
      [ecb, folders.ecb, null],
      [eia, folders.eia, '2026-08-22'],
      [usTreasury, folders.treasury, null],
    ];
    for (const [importer, path, vintage] of files) {
      await importFiles(publisher, importer, await importer.open([path], vintage), { accept: 'a test', now });
    }
    service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it(`agree with the publishers' files (seed ${String(SEED)}; TIDEMARK_RECEIPT_SEED sets another)`, async () => {
    const source = await database.open('admin');
    const rows = await source.query<{ id: string; kind: string; isWithdrawn: boolean }[]>(
      `SELECT id, kind, coalesce(revision->>'way' = 'withdrawn', false) AS "isWithdrawn" FROM changes
       WHERE status <> 'withdrawn' ORDER BY id`,
    );
    const chosen = Object.entries(wanted).flatMap(([kind, count]) =>
      shuffled(
        rows.filter((row) => row.kind === kind),
        SEED,
      ).slice(0, count),
    );
    expect(chosen).toHaveLength(Object.values(wanted).reduce((sum, count) => sum + count, 0));
    const files = new PublisherFiles(folders);
    const wrong: unknown[] = [];
    for (const [number, { id, kind, isWithdrawn }] of chosen.entries()) {
      const headers = { 'x-forwarded-for': `10.3.0.${String(number)}` };
      const { status, bytes } = await exchange(service.url, `/changes/${id}/receipt.json`, { headers });
      expect([id, status]).toEqual([id, 200]);
      const receipt = (JSON.parse(bytes.toString()) as { data: Receipt }).data;
      const mistakes = mistakesOf(receipt, files, isWithdrawn);
      if (receipt.rule.name !== kind) mistakes.push(`is a ${receipt.rule.name}`);
      if (mistakes.length > 0) wrong.push([id, kind, ...mistakes.slice(0, 3)]);
    }
    expect(wrong).toEqual([]);
  });
}

describe('Receipts of twenty changes of the fixtures', () => {
  defineSuite(SMALL, { release: 10, revision: 10 });
});

describeWithAllSharedData("Receipts of a hundred changes of the publishers' own files", () => {
  defineSuite(SHARED, { release: 40, revision: 30, move: 30 });
});
