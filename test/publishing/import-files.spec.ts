import { importFiles, type ImportOptions } from '../../src/publishing/import-files.js';
import type { ImportReport } from '../../src/publishing/import-report.js';
import { withdrawChange } from '../../src/publishing/revisions/withdraw-change.js';
import { BadRowsError } from '../../src/publishing/store/bad-rows.js';
import { deliveryOf, OWN, type DeliveryTraits, type Figures } from './deliveries.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const GROWTH = 'gdp-growth JP';
const NOW = new Date('2026-08-01T10:00:00Z');

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await openScratchDatabase();
});
afterAll(() => scratch.close());
beforeEach(() => scratch.owner.query('TRUNCATE series, revisions CASCADE'));

type Settings = Partial<ImportOptions>;

async function publish(
  vintage: string,
  given: Figures | DeliveryTraits,
  settings: Settings = {},
): Promise<ImportReport> {
  const traits = ('figures' in given ? given : { figures: given }) as DeliveryTraits;
  const [report] = await importFiles(scratch.publisher, OWN, [deliveryOf(vintage, traits)], {
    now: () => NOW,
    ...settings,
  });
  if (report === undefined) throw new Error('no report');
  return report;
}

const growth = (values: Readonly<Record<string, string>>): Figures => ({ [GROWTH]: values });

const sql = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
  scratch.owner.query(text, parameters);

const changes = () =>
  sql<Record<string, string>>(
    `SELECT kind, status, period, actual_value AS actual, previous_value AS previous, vintage_day AS day,
            previous_missing AS missing FROM changes ORDER BY position`,
  );

const current = () =>
  sql<{ period: string; value: string }>(
    'SELECT period, value FROM observations WHERE valid_to IS NULL ORDER BY period',
  );

const revisions = async (): Promise<number> =>
  (await sql<{ count: number }>('SELECT count(*) FROM revisions'))[0]?.count ?? -1;

describe('an import', () => {
  it('makes a baseline of which no change comes', async () => {
    const report = await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    expect(report).toMatchObject({ outcome: 'published', kind: 'import', revision: 1 });
    expect(report.counts).toMatchObject({ rows: 2, series: 1, seriesCreated: 1, changed: 2, releases: 0 });
    expect(await changes()).toEqual([]);
  });

  it('derives a release, a revision and nothing of backfill or a vanished figure', async () => {
    await publish('2026-01-10', growth({ 2021: '2.5', 2023: '1.5', 2024: '0.1' }));
    const report = await publish(
      '2026-02-10',
      growth({ 2020: '-4.2', 2021: '2.5', 2024: '0.3', 2025: '1.4' }),
    );
    expect(report.counts).toMatchObject({ releases: 1, revisions: 1, closed: 1 });
    expect(await changes()).toEqual([
      expect.objectContaining({ kind: 'revision', period: '2024', actual: '0.3', previous: '0.1' }),
      expect.objectContaining({ kind: 'release', period: '2025', actual: '1.4', previous: '0.3' }),
    ]);
  });

  it('numbers its changes by the clock of the data, then importance', async () => {
    await publish('2026-01-10', { ...growth({ 2023: '1.5', 2024: '0.1' }), 'gdp-growth IS': { 2024: '1' } });
    await publish('2026-02-10', {
      ...growth({ 2023: '1.6', 2025: '1.4' }),
      'gdp-growth IS': { 2025: '1.1' },
    });
    const rows = await sql<{ position: number; importance: number }>(
      'SELECT position, importance FROM changes ORDER BY position',
    );
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(rows.map(({ importance }) => importance)).toEqual(
      rows.map(({ importance }) => importance).sort((a, b) => a - b),
    );
  });

  it('writes texts in three languages', async () => {
    await publish('2026-01-10', growth({ 2024: '0.084' }));
    await publish('2026-07-01', growth({ 2024: '0.084', 2025: '1.35039785076631' }));
    const [change] = await sql<{ headline: object; summary: object }>(
      'SELECT headline, summary FROM changes',
    );
    expect(change?.headline).toEqual({
      en: 'Japan: GDP growth 1.35% in 2025 (2024: 0.08%)',
      zh: '日本2025年GDP增长率为1.35%（2024年为0.08%）',
      ja: '日本の2025年の実質GDP成長率は1.35%（2024年は0.08%）',
    });
    expect(change?.summary).toEqual({
      en: 'Japan: GDP growth came to 1.35% in 2025, up 1.27 percentage points from 0.08% in 2024. Source: World Bank, as retrieved on 1 July 2026.',
      zh: '日本2025年GDP增长率为1.35%，比2024年的0.08%上升1.27个百分点。数据来源：世界银行，2026年7月1日获取。',
      ja: '日本の2025年の実質GDP成長率は1.35%で、2024年の0.08%から1.27ポイント上昇した。出所：世界銀行（2026年7月1日取得）。',
    });
  });

  it('counts coverage and topics as of the newest data day', async () => {
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    await publish('2026-02-10', growth({ 2024: '0.1', 2025: '1.4' }));
    await publish('2026-03-01', growth({ 2024: '0.2', 2025: '1.4' }));
    const [counts] = await sql(
      `SELECT changes_7, changes_30, changes_total, latest_change_at FROM coverage_domains WHERE key = 'growth'`,
    );
    expect(counts).toEqual({
      changes_7: 1,
      changes_30: 2,
      changes_total: 2,
      latest_change_at: new Date('2026-03-01T00:00:00Z'),
    });
  });

  it('changes nothing and makes no revision when the same figures come again', async () => {
    await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    const report = await publish('2026-01-10', growth({ 2023: '1.50', 2024: '0.1' }));
    expect(report).toMatchObject({ outcome: 'unchanged', revision: null });
    expect(await revisions()).toBe(1);
  });

  it('takes everything back on a dry run', async () => {
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    const report = await publish('2026-02-10', growth({ 2024: '0.2', 2025: '1' }), { dryRun: true });
    expect(report).toMatchObject({ outcome: 'rehearsed', revision: null, publishedAt: null });
    expect(report.counts).toMatchObject({ releases: 1, revisions: 1 });
    expect(await current()).toEqual([{ period: '2024', value: '0.1' }]);
    expect(await revisions()).toBe(1);
  });

  it('refuses a vintage day in the future before it touches anything', async () => {
    await expect(publish('2026-08-02', growth({ 2024: '0.1' }))).rejects.toThrow(
      'the vintage day 2026-08-02 lies in the future (today is 2026-08-01 in UTC)',
    );
    expect(await revisions()).toBe(0);
  });

  it('lists what the catalogue does not name, with the file to add it to', async () => {
    const report = await publish('2026-01-10', {
      ...growth({ 2024: '1' }),
      'no-such JP': { 2024: '1', 2023: '2' },
    });
    expect(report.unnamed).toEqual([
      { kind: 'indicator', code: 'no-such', rows: 2, file: 'src/publishing/catalogue/indicators.json' },
    ]);
  });

  it('never publishes at an earlier time than the revision before', async () => {
    await publish('2026-01-10', growth({ 2024: '1' }));
    const earlier = new Date('2026-07-01T00:00:00Z');
    const report = await publish('2026-02-10', growth({ 2024: '2' }), { now: () => earlier });
    expect(report.publishedAt).toBe(NOW.toISOString());
  });
});

describe('a vintage older than the newest held', () => {
  beforeEach(async () => {
    await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    await publish('2026-03-10', growth({ 2023: '1.5', 2024: '0.4' }));
  });

  it('is refused without --backfill', async () => {
    await expect(publish('2026-02-10', growth({ 2024: '0.2' }))).rejects.toThrow(
      'older than one already held (2026-03-10) for 1 of its 1 series. With --backfill',
    );
  });

  it('fills the past and derives nothing with --backfill', async () => {
    const before = await changes();
    const report = await publish('2026-02-10', growth({ 2024: '0.2' }), { backfill: true });
    expect(report.kind).toBe('backfill');
    expect(await changes()).toEqual(before);
    expect(
      await sql(`SELECT valid_from AS "from", valid_to AS "to", value FROM observations
                 WHERE period = '2024' ORDER BY valid_from`),
    ).toEqual([
      { from: '2026-01-10', to: '2026-02-10', value: '0.1' },
      { from: '2026-02-10', to: '2026-03-10', value: '0.2' },
      { from: '2026-03-10', to: null, value: '0.4' },
    ]);
  });
});

describe('a vintage that spoke of series not held', () => {
  const whole = (vintage: string, figures: Figures): ReturnType<typeof deliveryOf> => {
    const plain = deliveryOf(vintage, { figures });
    const extents = [{ indicator: 'gdp-growth', region: null, first: '2022', last: '2025' }];
    return {
      ...plain,
      async *read(onBytes) {
        yield { kind: 'extents', extents };
        yield* plain.read(onBytes);
      },
    };
  };
  const run = (delivery: ReturnType<typeof deliveryOf>, settings: Settings = {}) =>
    importFiles(scratch.publisher, OWN, [delivery], { now: () => NOW, ...settings });

  beforeEach(async () => {
    await run(whole('2026-01-10', growth({ 2024: '1' })));
    await run(whole('2026-02-10', { ...growth({ 2024: '1' }), 'gdp-growth IS': { 2024: '3' } }));
  });

  it('is held of them once they are met', async () => {
    expect(await run(whole('2026-01-10', growth({ 2024: '1' })))).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('closes what an older vintage gave of them', async () => {
    await run(whole('2026-03-10', growth({ 2024: '1' })));
    await run(whole('2026-01-20', { ...growth({ 2024: '1' }), 'gdp-growth DE': { 2024: '2' } }), {
      backfill: true,
    });
    expect(
      await sql(`SELECT valid_from AS "from", valid_to AS "to" FROM observations o
                 JOIN series s ON s.id = o.series_id WHERE s.region = 'DE'`),
    ).toEqual([{ from: '2026-01-20', to: '2026-02-10' }]);
  });

  it('needs --replace to give figures of them after all', async () => {
    const late = whole('2026-02-10', {
      ...growth({ 2024: '1' }),
      'gdp-growth IS': { 2024: '3' },
      'gdp-growth DE': { 2024: '2' },
    });
    await expect(run(late)).rejects.toThrow('1 figures differ from it');
    expect(await run(late, { replace: true })).toMatchObject([{ kind: 'replace' }]);
  });
});

describe('other figures for a vintage that is held', () => {
  beforeEach(async () => {
    await publish('2026-01-10', growth({ 2022: '3', 2023: '1.5', 2024: '0.1' }));
    await publish('2026-02-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1' }));
  });
  const REPLACEMENT = growth({ 2022: '3.3', 2023: '1.5', 2024: '0.5', 2025: '1.2' });

  it('are refused without --replace, with how many and an example', async () => {
    await expect(publish('2026-02-10', REPLACEMENT)).rejects.toThrow(
      /3 figures differ from it, for example gdp-growth JP 2025: held 1, given 1.2 in line 5. With --replace/,
    );
    expect(await revisions()).toBe(2);
  });

  it('correct, withdraw and add changes with --replace, in their places', async () => {
    const before = await sql<{ id: string; position: number; period: string }>(
      'SELECT id, position, period FROM changes ORDER BY period',
    );
    const report = await publish('2026-02-10', REPLACEMENT, { replace: true });
    expect(report.counts).toMatchObject({ corrected: 1, withdrawn: 1, revisions: 1, releases: 0 });
    const after = await sql<{ id: string; position: number; period: string; status: string; actual: string }>(
      'SELECT id, position, period, status, actual_value AS actual FROM changes ORDER BY period',
    );
    expect(
      after.filter(({ period }) => period !== '2024').map(({ id, position }) => ({ id, position })),
    ).toEqual(before.map(({ id, position }) => ({ id, position })));
    expect(after.map(({ period, status, actual }) => [period, status, actual])).toEqual([
      ['2022', 'verified', '3.3'],
      ['2023', 'withdrawn', '1.6'],
      ['2024', 'verified', '0.5'],
      ['2025', 'corrected', '1.2'],
    ]);
    expect(await sql('SELECT actual_value AS actual, revision_id FROM change_corrections')).toEqual([
      { actual: '1', revision_id: 3 },
    ]);
  });

  it('bring a withdrawn change back when its figures return', async () => {
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    await publish('2026-02-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1' }), {
      replace: true,
    });
    expect((await changes()).map(({ period, status }) => [period, status]).sort()).toEqual([
      ['2022', 'verified'],
      ['2023', 'corrected'],
      ['2024', 'withdrawn'],
      ['2025', 'corrected'],
    ]);
  });

  it('never bring back what an operator has withdrawn', async () => {
    const [change] = await sql<{ id: string }>("SELECT id FROM changes WHERE period = '2025'");
    const revision = await withdrawChange(scratch.publisher, change?.id ?? '', 'misprint', NOW);
    expect(revision?.id).toBe(3);
    expect(await withdrawChange(scratch.publisher, change?.id ?? '', 'again', NOW)).toBeNull();
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    const [row] = await sql("SELECT status, withdrawal_reason FROM changes WHERE period = '2025'");
    expect(row).toEqual({ status: 'withdrawn', withdrawal_reason: 'misprint' });
  });

  it('re-derive the later vintages of the series', async () => {
    await publish('2026-03-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1.5' }));
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    const [later] = await sql(
      `SELECT status, previous_value AS previous FROM changes WHERE vintage_day = '2026-03-10' AND period = '2025'`,
    );
    expect(later).toEqual({ status: 'corrected', previous: '1.2' });
  });
});

describe('bad rows', () => {
  const place = { file: 'figures.csv', line: 7, column: 'Value' };
  const bad = [
    {
      place,
      reason: '"n/a" is not a number',
      cell: { indicator: 'gdp-growth', region: 'JP', period: '2024' },
    },
  ];
  const given: DeliveryTraits = {
    figures: growth({ 2023: '1.7' }),
    speaks: { [GROWTH]: ['2022', '2024'] },
    bad,
  };
  beforeEach(() => publish('2026-01-10', growth({ 2022: '3', 2023: '1.5', 2024: '0.1' })));

  it('leave the revision before in service', async () => {
    const refused = await publish('2026-02-10', given).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadRowsError);
    expect(refused).toMatchObject({ count: 1, listed: bad });
    expect((await current()).map(({ value }) => value)).toEqual(['3', '1.5', '0.1']);
    expect(await revisions()).toBe(1);
  });

  it('are left out and listed with --skip-bad-rows, and close no figure', async () => {
    const report = await publish('2026-02-10', given, { skipBadRows: true });
    expect(report.leftOut).toEqual(bad);
    expect(await current()).toEqual([
      { period: '2023', value: '1.7' },
      { period: '2024', value: '0.1' },
    ]);
  });

  it('of an unknown figure keep the whole delivery from closing anything', async () => {
    const unknown = [{ place, reason: 'the line is cut' }];
    await publish('2026-02-10', { ...given, bad: unknown }, { skipBadRows: true });
    expect((await current()).map(({ value }) => value)).toEqual(['3', '1.7', '0.1']);
  });

  it('include figures that are given twice, with both places', async () => {
    const twice = deliveryOf('2026-02-10', { figures: growth({ 2024: '0.2' }) });
    const again = { ...deliveryOf('2026-02-10', { figures: growth({ 2024: '0.3' }) }) };
    const both = {
      ...twice,
      async *read(onBytes: (count: number) => void) {
        yield* twice.read(onBytes);
        yield* again.read(onBytes);
      },
    };
    const error = await importFiles(scratch.publisher, OWN, [both], { now: () => NOW }).catch(
      (failure: unknown) => failure as BadRowsError,
    );
    expect(error).toMatchObject({
      count: 1,
      listed: [
        {
          place: { file: 'figures.csv', line: 2, column: '2024' },
          reason: 'gdp-growth JP 2024 is given twice: 0.3 here, 0.2 in figures.csv:2, 2024',
        },
      ],
    });
  });
});

describe('a publication', () => {
  it('that loses its connection leaves the revision before', async () => {
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    const cut = async (): Promise<void> => {
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'spec-import' AND state = 'idle in transaction'
           AND datname = current_database()`,
      );
    };
    await expect(
      publish('2026-02-10', { figures: growth({ 2024: '0.2' }), beforeEnd: cut }),
    ).rejects.toThrow();
    expect(await current()).toEqual([{ period: '2024', value: '0.1' }]);
    expect(await publish('2026-02-10', growth({ 2024: '0.2' }))).toMatchObject({ revision: 2 });
  });

  it('waits for the one before it, and says so', async () => {
    let release = (): void => undefined;
    let reached = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const inside = new Promise<void>((resolve) => (reached = resolve));
    const first = publish('2026-01-10', {
      figures: growth({ 2024: '0.1' }),
      beforeEnd: () => {
        reached();
        return gate;
      },
    });
    await inside;
    const second = publish('2026-02-10', growth({ 2024: '0.2' }), {
      onProgress: (_, phase) => {
        if (phase === 'waiting') release();
      },
    });
    const reports = await Promise.all([first, second]);
    expect(reports.map(({ revision }) => revision)).toEqual([1, 2]);
  });
});
