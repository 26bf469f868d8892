import { growth, NOW, usePublishing } from './publishing.js';

const { changes, current, publish, revisions, sql } = usePublishing();

describe('An import', () => {
  it('makes a baseline without changes', async () => {
    const report = await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    expect(report).toMatchObject({ outcome: 'published', kind: 'import', dataVersion: 1 });
    expect(report.counts).toMatchObject({ rows: 2, series: 1, seriesCreated: 1, changed: 2, releases: 0 });
    expect(await changes()).toEqual([]);
  });

  it('derives a release, a revision and a withdrawal, and nothing from backfill', async () => {
    await publish('2026-01-10', growth({ 2021: '2.5', 2023: '1.5', 2024: '0.1' }));
    const report = await publish('2026-02-10', growth({ 2020: '-4.2', 2021: '2.5', 2024: '0.3', 2025: '1.4' }));
    expect(report.counts).toMatchObject({ releases: 1, revisions: 2, closed: 1 });
    expect(await changes()).toEqual([
      expect.objectContaining({ kind: 'revision', period: '2023', actual: null, previous: '1.5' }),
      expect.objectContaining({ kind: 'revision', period: '2024', actual: '0.3', previous: '0.1' }),
      expect.objectContaining({ kind: 'release', period: '2025', actual: '1.4', previous: '0.3' }),
    ]);
  });

  it('numbers its changes by the data’s clock, then by importance', async () => {
    await publish('2026-01-10', { ...growth({ 2023: '1.5', 2024: '0.1' }), 'gdp-growth IS': { 2024: '1' } });
    await publish('2026-02-10', { ...growth({ 2023: '1.6', 2025: '1.4' }), 'gdp-growth IS': { 2025: '1.1' } });
    const rows = await sql<{ position: number; importance: number }>(
      'SELECT position, importance FROM changes ORDER BY position',
    );
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ importance }) => importance)).toEqual(
      rows.map(({ importance }) => importance).sort((a, b) => a - b),
    );
  });

  it('writes texts in three languages', async () => {
    await publish('2026-01-10', growth({ 2024: '0.084' }));
    await publish('2026-07-01', growth({ 2024: '0.084', 2025: '1.35039785076631' }));
    const [change] = await sql<{ headline: object; summary: object }>('SELECT headline, summary FROM changes');
    expect(change?.headline).toEqual({
      en: 'Japan: real GDP growth picked up to 1.4% in 2025 from 0.1% in 2024',
      zh: '日本2025年实际GDP增速为1.4%，较2024年的0.1%加快',
      ja: '日本の実質GDP成長率、2025年は1.4%に上昇（2024年は0.1%）',
    });
    expect(change?.summary).toEqual({
      en: 'Japan: real GDP growth picked up by 1.3 percentage points to 1.4% in 2025, from 0.1% in 2024. Source: World Bank, as retrieved on 1 July 2026; not in the copy of 10 January 2026.',
      zh: '日本2025年实际GDP增速为1.4%，比2024年（0.1%）加快1.3个百分点。数据来源：世界银行，2026年7月1日获取（2026年1月10日获取的版本中尚无此数据）。',
      ja: '日本の2025年の実質GDP成長率は1.4%で、2024年の0.1%から1.3ポイント上昇した。出典：世界銀行、2026年7月1日取得（2026年1月10日取得分には未掲載）。',
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

  it('changes nothing and makes no data version for the same figures', async () => {
    await publish('2026-01-10', growth({ 2023: '1.5', 2024: '0.1' }));
    const report = await publish('2026-01-10', growth({ 2023: '1.50', 2024: '0.1' }));
    expect(report).toMatchObject({ outcome: 'unchanged', dataVersion: null });
    expect(await revisions()).toBe(1);
  });

  it('rolls everything back on a dry run', async () => {
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    const report = await publish('2026-02-10', growth({ 2024: '0.2', 2025: '1' }), { dryRun: true });
    expect(report).toMatchObject({ outcome: 'rehearsed', dataVersion: null, publishedAt: null });
    expect(report.counts).toMatchObject({ releases: 1, revisions: 1 });
    expect(await current()).toEqual([{ period: '2024', value: '0.1' }]);
    expect(await revisions()).toBe(1);
  });

  it('refuses a vintage day in the future before it reads the files', async () => {
    await expect(publish('2026-08-02', growth({ 2024: '0.1' }))).rejects.toThrow(
      'the vintage day 2026-08-02 lies in the future (today is 2026-08-01 in UTC)',
    );
    expect(await revisions()).toBe(0);
  });

  it('lists codes that the catalogue does not name, with the file to extend', async () => {
    const report = await publish('2026-01-10', { ...growth({ 2024: '1' }), 'no-such JP': { 2024: '1', 2023: '2' } });
    expect(report.unnamed).toEqual([
      { kind: 'indicator', code: 'no-such', rows: 2, file: 'data/catalogue/indicators.json' },
    ]);
  });

  it('never publishes at an earlier time than the previous data version', async () => {
    await publish('2026-01-10', growth({ 2024: '1' }));
    const earlier = new Date('2026-07-01T00:00:00Z');
    const report = await publish('2026-02-10', growth({ 2024: '2' }), { now: () => earlier });
    expect(report.publishedAt).toBe(NOW.toISOString());
  });
});

describe('A publication', () => {
  it('leaves the previous data version in place if it loses its connection', async () => {
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    const cut = async (): Promise<void> => {
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'test-import' AND state = 'idle in transaction'
           AND datname = current_database()`,
      );
    };
    await expect(publish('2026-02-10', { figures: growth({ 2024: '0.2' }), beforeEnd: cut })).rejects.toThrow();
    expect(await current()).toEqual([{ period: '2024', value: '0.1' }]);
    expect(await publish('2026-02-10', growth({ 2024: '0.2' }))).toMatchObject({ dataVersion: 2 });
  });

  it('waits for a running publication, and reports it', async () => {
    let release = (): void => undefined;
    let reached = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const inside = new Promise<void>((resolve) => (reached = resolve));
    const first = publish('2026-01-10', {
      figures: growth({ 2024: '0.1' }),
      beforeEnd: () => {
        reached();
        return released;
      },
    });
    await inside;
    const second = publish('2026-02-10', growth({ 2024: '0.2' }), {
      onProgress: (_, phase) => {
        if (phase === 'waiting') release();
      },
    });
    const reports = await Promise.all([first, second]);
    expect(reports.map(({ dataVersion }) => dataVersion)).toEqual([1, 2]);
  });
});
