// runs: in full only
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { readCatalogue } from '../../src/publish/catalogue/catalogue.js';
import { CodeBook } from '../../src/publish/catalogue/code-book.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { compareContent } from '../../src/publish/pipeline/steps/compare-content.js';
import { evaluateDelivery } from '../../src/publish/pipeline/steps/evaluate-delivery.js';
import { readDelivery } from '../../src/publish/pipeline/steps/read-delivery.js';
import { BadRows } from '../../src/publish/publication/bad-rows.js';
import { UnmappedCodes } from '../../src/publish/publication/unmapped-codes.js';
import { everyNth } from '../support/exhaustive.js';
import { speaking } from './audited.js';
import { CORRUPTIONS } from './corruptions.js';
import { deliveryOf, OWN, type Figures } from './deliveries.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const now = () => new Date('2026-09-15T10:00:00Z');
const STARTER = join(__dirname, '../../data/starter/observations.csv.gz');

/** Whose figures they are, by the beginning of the series' name. */
const PUBLISHERS: readonly (readonly [RegExp, string])[] = [
  [/^eur/, 'ecb'],
  [/^(brent|wti|henry-hub)/, 'eia'],
  [/^us-par/, 'us-treasury'],
  [/^us-treasury/, 'frb-h15'],
  [/^gold/, 'worldbank-pinksheet'],
  [/^consumer-price/, 'bls'],
  [/^/, 'worldbank'],
];
const ECONOMIES = /^[\w-]+ (AR|AU|BR|CN|DE|ES|FR|GB|ID|IN|IT|JP|KR|MX|NL|TR|US|ZA|CH)$/;

/** The newest figures of the starter set, by publisher. */
function readFigures(): Readonly<Record<string, Figures>> {
  const found: Record<string, Record<string, Record<string, string>>> = {};
  for (const line of gunzipSync(readFileSync(STARTER)).toString().split('\n').slice(1)) {
    const [indicator = '', region = '', period = '', , until, value = ''] = line.split(',');
    const series = region === '' ? indicator : `${indicator} ${region}`;
    const publisher = PUBLISHERS.find(([names]) => names.test(series))?.[1] ?? '';
    if (until !== '' || value === '' || (region !== '' && publisher === 'worldbank' && !ECONOMIES.test(series)))
      continue;
    ((found[publisher] ??= {})[series] ??= {})[period] = value;
  }
  return found;
}

const RIGHT = readFigures();
/** As it was before the newest period of each series. */
const STORED = Object.fromEntries(
  Object.entries(RIGHT).map(([publisher, figures]) => [
    publisher,
    Object.fromEntries(
      Object.entries(figures).map(([series, values]) => [
        series,
        Object.fromEntries(Object.entries(values).sort().slice(0, -1)),
      ]),
    ),
  ]),
);
const CASES = Object.entries(CORRUPTIONS).flatMap(([publisher, list]) =>
  list.map((corruption) => ({ publisher, ...corruption })),
);

describe('Of corruptions of real figures', () => {
  let scratch: ScratchDatabase;
  /** What the audit decides, without the steps of a publication after it. */
  const judged = async (publisher: string, figures: Figures) => {
    const runner = scratch.publisher.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    await client.query('BEGIN');
    try {
      const delivery = deliveryOf('2026-09-10', speaking(figures, STORED[publisher] ?? {}));
      const context = {
        client,
        delivery,
        codes: new CodeBook(readCatalogue(), [OWN.publisher]),
        bad: new BadRows(),
        unmapped: new UnmappedCodes(),
      };
      const allowed = { backfill: false, replace: false, onlyDifferences: false };
      const content = await readDelivery(context, { skipBadRows: false, onBytes: () => undefined });
      const compared = await compareContent(context, content, allowed, OWN.publisher);
      return await evaluateDelivery(context, content, compared, OWN.publisher, allowed, { now });
    } finally {
      await client.query('ROLLBACK');
      await runner.release();
    }
  };
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    const all = Object.assign({}, ...Object.values(STORED)) as Figures;
    const [report] = await importFiles(scratch.publisher, OWN, [deliveryOf('2026-08-20', { figures: all })], {
      now,
      accept: 'a test',
    });
    expect(report?.outcome).toBe('published');
  }, 300_000);
  afterAll(() => scratch.close());

  it.each(Object.keys(CORRUPTIONS))('%s: the right figures are published', async (publisher) => {
    const right = RIGHT[publisher] ?? {};
    const { isHeld, quarantine } = await judged(publisher, right);
    // Argentina's inflation of 2024 is unlike any before it.
    const most = Math.floor(Object.keys(right).length / 100);
    expect([isHeld, (quarantine?.series ?? []).slice(most)]).toEqual([false, []]);
  });

  it('at most one in twenty passes, each of which the documentation names', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(120);
    expect(CASES.filter(({ passes }) => passes !== undefined).length).toBeLessThanOrEqual(CASES.length / 20);
  });

  it.each(everyNth(CASES, 9))('$publisher: $what', async ({ publisher, spoil, passes }) => {
    const right = RIGHT[publisher] ?? {};
    const stored = STORED[publisher] ?? {};
    const wrong = spoil(right, stored);
    const { isHeld, quarantine } = await judged(publisher, wrong);
    const waiting = new Set((quarantine?.series ?? []).map(({ series }) => series));
    const escaped = Object.keys(right).filter(
      (series) => JSON.stringify(wrong[series]) !== JSON.stringify(right[series]) && !waiting.has(series),
    );
    expect([isHeld ? [] : escaped.slice(0, 5), passes]).toEqual(
      passes === undefined ? [[], undefined] : [expect.arrayContaining([expect.anything()]), passes],
    );
  });
});
