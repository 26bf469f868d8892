// runs: in full only
import type { Delivery } from '../../src/publish/batches/importer.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { deliveryOf, type Figures } from './deliveries.js';
import { growth, NOW, usePublishing } from './publishing.js';

const { changes, publish, publisher, revisions, run, sql } = usePublishing();

describe('A vintage older than the newest stored one', () => {
  beforeEach(async () => {
    await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    await publish('2026-03-10', growth({ 2023: '1.5', 2024: '0.4' }));
  });

  it('is refused without --backfill', async () => {
    await expect(publish('2026-02-10', growth({ 2024: '0.2' }))).rejects.toThrow(
      'older than a stored one (2026-03-10) for 1 of its 1 series. With --backfill',
    );
  });

  it('completes the history with --backfill, and derives nothing', async () => {
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

describe('A vintage that covered series before their first figure', () => {
  const whole = (vintage: string, figures: Figures): Delivery => {
    const plain = deliveryOf(vintage, { figures });
    const extents = [{ indicator: 'gdp-growth', region: null, first: '2022', last: '2025' }];
    return {
      ...plain,
      async *read(onBytes) {
        yield { kind: 'extents', rows: extents };
        yield* plain.read(onBytes);
      },
    };
  };
  beforeEach(async () => {
    await run(whole('2026-01-10', growth({ 2024: '1' })));
    await run(whole('2026-02-10', { ...growth({ 2024: '1' }), 'gdp-growth IS': { 2024: '3' } }));
  });

  it('counts for them once they exist', async () => {
    expect(await run(whole('2026-01-10', growth({ 2024: '1' })))).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('closes the figures that an older vintage gave them', async () => {
    await run(whole('2026-03-10', growth({ 2024: '1' })));
    await run(whole('2026-01-20', { ...growth({ 2024: '1' }), 'gdp-growth DE': { 2024: '2' } }), { backfill: true });
    expect(
      await sql(`SELECT valid_from AS "from", valid_to AS "to" FROM observations o
                 JOIN series s ON s.id = o.series_id WHERE s.region = 'DE'`),
    ).toEqual([{ from: '2026-01-20', to: '2026-02-10' }]);
  });

  it('needs --replace to give them figures later', async () => {
    const late = whole('2026-02-10', {
      ...growth({ 2024: '1' }),
      'gdp-growth IS': { 2024: '3' },
      'gdp-growth DE': { 2024: '2' },
    });
    await expect(run(late)).rejects.toThrow('1 figures differ from it');
    expect(await run(late, { replace: true })).toMatchObject([{ kind: 'replace' }]);
  });
});

describe('A vintage in which an indicator ends years before the others', () => {
  const both = (growthOf: Readonly<Record<string, string>>, people: Readonly<Record<string, string>>): Figures => ({
    ...Object.fromEntries(['gdp-growth JP', ...OTHERS].map((key) => [key, growthOf])),
    'population JP': people,
  });
  const changed = async (indicator: string): Promise<string[]> =>
    (
      await sql<{ period: string }>(
        `SELECT c.period FROM changes c JOIN series s ON s.id = c.series_id WHERE s.indicator = '${indicator}' ORDER BY 1`,
      )
    ).map(({ period }) => period);
  /** With fewer than five indicators, no copy is called stale. */
  const OTHERS = ['cpi-inflation JP', 'unemployment-rate JP', 'current-account-balance JP'];
  beforeEach(async () => {
    await publish('2026-01-10', both({ 2023: '1.5', 2024: '0.1' }, { 2016: '127000000', 2017: '126800000' }));
    await publish(
      '2026-03-10',
      both({ 2023: '1.6', 2024: '0.1' }, { 2016: '126900000', 2017: '126700000', 2024: '124000000' }),
    );
  });

  it('is partial: nothing is derived across it', async () => {
    expect(
      await sql(`SELECT s.indicator, v.day FROM series_vintages v JOIN series s ON s.id = v.series_id WHERE v.partial`),
    ).toEqual([{ indicator: 'population', day: '2026-01-10' }]);
    expect(await changed('population')).toEqual([]);
    expect(await changed('gdp-growth')).toEqual(['2023']);
  });

  it('is not called so beside fewer than four others', async () => {
    const two = (period: string): Figures => ({
      'gdp-growth DE': { 2024: '0.1' },
      'population DE': { [period]: '83000000' },
    });
    await publish('2026-01-11', two('2016'));
    await publish('2026-03-11', two('2024'));
    expect(await changed('population')).toEqual(['2024']);
  });

  it('hinders nothing after the next one', async () => {
    await publish('2026-05-10', both({ 2023: '1.6', 2024: '0.1' }, { 2024: '124000000', 2025: '123400000' }));
    expect(await changed('population')).toContain('2025');
  });
});

describe('A different file for a stored vintage', () => {
  beforeEach(async () => {
    await publish('2026-01-10', growth({ 2022: '3', 2023: '1.5', 2024: '0.1' }));
    await publish('2026-02-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1' }));
  });
  const REPLACEMENT = growth({ 2022: '3.3', 2023: '1.5', 2024: '0.5', 2025: '1.2' });

  it('is refused without --replace, with the number of differences and an example', async () => {
    await expect(publish('2026-02-10', REPLACEMENT)).rejects.toThrow(
      /3 figures differ from it, for example gdp-growth JP 2025: held 1, given 1.2 in line 5. With --replace/,
    );
    expect(await revisions()).toBe(2);
  });

  it('corrects, withdraws and adds changes with --replace, at their positions', async () => {
    const before = await sql<{ id: string; position: number; period: string }>(
      'SELECT id, position, period FROM changes ORDER BY period',
    );
    const report = await publish('2026-02-10', REPLACEMENT, { replace: true });
    expect(report.counts).toMatchObject({ corrected: 1, withdrawn: 1, revisions: 1, releases: 0 });
    const after = await sql<{ id: string; position: number; period: string; status: string; actual: string }>(
      'SELECT id, position, period, status, actual_value AS actual FROM changes ORDER BY period',
    );
    expect(after.filter(({ period }) => period !== '2024').map(({ id, position }) => ({ id, position }))).toEqual(
      before.map(({ id, position }) => ({ id, position })),
    );
    expect(after.map(({ period, status, actual }) => [period, status, actual])).toEqual([
      ['2022', 'verified', '3.3'],
      ['2023', 'withdrawn', '1.6'],
      ['2024', 'verified', '0.5'],
      ['2025', 'corrected', '1.2'],
    ]);
    expect(await sql('SELECT actual_value AS actual, data_version FROM change_corrections')).toEqual([
      { actual: '1', data_version: 3 },
    ]);
  });

  it('restores a withdrawn change when its figures return', async () => {
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    await publish('2026-02-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1' }), { replace: true });
    expect((await changes()).map(({ period, status }) => [period, status]).sort()).toEqual([
      ['2022', 'verified'],
      ['2023', 'corrected'],
      ['2024', 'withdrawn'],
      ['2025', 'corrected'],
    ]);
  });

  it('never restores a change that an operator has withdrawn', async () => {
    const [change] = await sql<{ id: string }>("SELECT id FROM changes WHERE period = '2025'");
    const publication = await withdrawChange(publisher(), change?.id ?? '', 'misprint', () => NOW);
    expect(publication?.dataVersion).toBe(3);
    expect(await withdrawChange(publisher(), change?.id ?? '', 'again', () => NOW)).toBeNull();
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    const [row] = await sql("SELECT status, withdrawal_reason FROM changes WHERE period = '2025'");
    expect(row).toEqual({ status: 'withdrawn', withdrawal_reason: 'misprint' });
  });

  it('derives the later vintages of the series again', async () => {
    await publish('2026-03-10', growth({ 2022: '3.3', 2023: '1.6', 2024: '0.1', 2025: '1.5' }));
    await publish('2026-02-10', REPLACEMENT, { replace: true });
    const [later] = await sql(
      `SELECT status, previous_value AS previous FROM changes WHERE vintage_day = '2026-03-10' AND period = '2025'`,
    );
    expect(later).toEqual({ status: 'corrected', previous: '1.2' });
  });
});
