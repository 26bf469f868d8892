// runs: in full only
import type { Account } from '../../src/serve/access/accounts/account.entity.js';
import { Alerts, type NewAlert } from '../../src/serve/following/alerts.js';
import { enterScope } from '../../src/store/account-scope.js';
import { poolOf } from '../../src/store/snapshots.js';
import { FIRE } from '../../src/publish/read-models/alerts/change-alerts.js';
import { VALUE_ALERTS } from '../../src/publish/read-models/alerts/value-alerts.js';
import { createObservationStaging } from '../../src/publish/content/observations/staging-tables.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { untilWaiting } from '../support/until.js';
import { growth, NOW, usePublishing } from './publishing.js';

const EMAIL = 'ada@test.example';
const BEFORE = new Date('2026-07-01T00:00:00Z');
const SERIES = { type: 'series', key: 'gdp-growth@JP' } as const;

describe('An alert', () => {
  const { publish, publisher, reader, sql } = usePublishing();
  beforeEach(async () => {
    await sql('DELETE FROM accounts');
    await sql(`INSERT INTO accounts (id, email, plan, signed_up_at) VALUES ('acc_ada', $1, 'pro', '2026-01-01')`, [
      EMAIL,
    ]);
    await publish('2026-01-10', growth({ '2023': '1.0', '2024': '2.0' }));
  });

  const alerts = (now = BEFORE) => {
    const findAccount = async (email: string): Promise<Account> => {
      const [account] = await sql<Account>('SELECT * FROM accounts WHERE email = $1', [email]);
      if (account === undefined) throw new Error(`No account ${email}`);
      return account;
    };
    return new Alerts(reader(), { findAccount }, () => now);
  };
  const set = (wanted: NewAlert, now = BEFORE) => alerts(now).add(EMAIL, wanted);
  const above = (threshold: string, now = BEFORE) => set({ ...SERIES, metric: 'value_above', threshold }, now);
  const events = (id: string) =>
    sql<{ change: string | null; kind: string | null; headline: Record<string, string>; at: Date }>(
      `SELECT e.change_id AS change, c.kind, coalesce(e.headline, c.headline) AS headline, e.at
       FROM alert_events e LEFT JOIN changes c ON c.id = e.change_id WHERE alert_id = $1 ORDER BY e.position`,
      [id],
    );
  const stateOf = async (id: string) =>
    (await sql<{ state: string }>('SELECT state FROM alerts WHERE id = $1', [id]))[0]?.state;

  it('fires on any change of its target, with that change', async () => {
    const targets = [
      SERIES,
      { type: 'indicator', key: 'gdp-growth' },
      { type: 'country', key: 'jpn' },
      { type: 'coverage', key: 'growth' },
    ] as const;
    const made = [];
    for (const target of targets) made.push(await set({ ...target, metric: 'any_change' }));
    const other = await set({ type: 'country', key: 'US', metric: 'any_change' });
    await publish('2026-02-10', growth({ '2023': '1.5', '2024': '2.0', '2025': '2.4' }));
    for (const { id } of made) {
      const fired = await events(id);
      expect(fired.map(({ kind }) => kind).sort()).toEqual(['release', 'revision']);
      expect(fired[0]?.at).toEqual(NOW);
      expect(await stateOf(id)).toBe('armed');
    }
    expect(await events(other.id)).toEqual([]);
  });

  it.each([
    ['on any change', () => set({ ...SERIES, metric: 'any_change' })],
    ['on a value', () => above('2.2')],
  ] as const)('%s fires nothing, and stops no publication, if its owner removes it meanwhile', async (_what, make) => {
    const { id } = await make();
    let published: Promise<unknown> = Promise.resolve();
    await reader().transaction(async (manager) => {
      await enterScope(manager, 'account', 'acc_ada');
      await manager.query('DELETE FROM alerts');
      published = publish('2026-02-10', growth({ '2023': '1.0', '2024': '2.0', '2025': '2.5' }));
      await untilWaiting(sql);
    });
    await expect(published).resolves.toMatchObject({ outcome: 'published' });
    expect(await events(id)).toEqual([]);
  });

  it('keeps the first twenty changes in list order if a publication has more', async () => {
    const years = Array.from({ length: 30 }, (_, at) => String(1980 + at));
    const all = (value: string) => growth(Object.fromEntries(years.map((year) => [year, value])));
    await publish('2026-02-10', all('2.0'));
    const { id } = await set({ ...SERIES, metric: 'any_change' });
    await publish('2026-03-10', all('4.0'));
    const newest = await sql<{ id: string }>('SELECT id FROM changes ORDER BY position DESC LIMIT 20');
    expect((await events(id)).map(({ change }) => change)).toEqual(newest.map((one) => one.id).reverse());
  });

  it('fires on a value once per crossing, with the change behind the figure, and arms again', async () => {
    const { id } = await above('2.2');
    await publish('2026-02-10', growth({ '2023': '1.0', '2024': '2.0', '2025': '2.5' }));
    const [first, ...more] = await events(id);
    expect(more).toEqual([]);
    expect(first?.kind).toBe('release');
    expect(first?.headline).toEqual({
      en: 'Japan: real GDP growth 2.5% in 2025, above 2.2%',
      zh: '日本2025年实际GDP增长率为2.5%，高于2.2%',
      ja: '日本の2025年の実質GDP成長率は2.5%、2.2%を上回る',
    });
    expect(await stateOf(id)).toBe('triggered');
    await publish('2026-03-10', growth({ '2023': '1.0', '2024': '2.0', '2025': '2.5', '2026': '2.6' }));
    expect(await events(id)).toHaveLength(1);
    await publish('2026-04-10', growth({ '2026': '2.6', '2027': '2.1' }));
    expect([await stateOf(id), (await events(id)).length]).toEqual(['armed', 1]);
    await publish('2026-05-10', growth({ '2027': '2.1', '2028': '2.3' }));
    expect([await stateOf(id), (await events(id)).length]).toEqual(['triggered', 2]);
  });

  it('does not fire on a value for a condition that already held, a restated figure, or an older vintage', async () => {
    const held = await above('1.9');
    const raised = await above('2.2');
    await publish('2026-02-10', growth({ '2023': '1.0', '2024': '2.6' }));
    expect([await events(held.id), await events(raised.id)]).toEqual([[], []]);
    await publish('2025-12-01', growth({ '2022': '9.0', '2023': '1.0' }), { backfill: true });
    expect(await events(raised.id)).toEqual([]);
    // 2024 was below when it was evaluated: 2025 is the first figure published above.
    await publish('2026-03-10', growth({ '2024': '2.6', '2025': '2.7' }));
    expect([(await events(held.id)).length, (await events(raised.id)).length]).toEqual([0, 1]);
  });

  it('does not fire for a publication at the moment of its creation or pause, but for later ones', async () => {
    const late = await above('2.2', NOW);
    const resting = await above('2.2');
    const any = await set({ ...SERIES, metric: 'any_change' }, NOW);
    await alerts().pause(EMAIL, resting.id);
    await publish('2026-02-10', growth({ '2024': '2.0', '2025': '2.5' }));
    await alerts().resume(EMAIL, resting.id);
    await publish('2027-03-10', growth({ '2025': '2.5', '2026': '2.6' }), {
      now: () => new Date('2027-03-10T00:00:00Z'),
    });
    expect([await events(late.id), await events(resting.id)]).toEqual([[], []]);
    expect(await events(any.id)).toHaveLength(1);
  });

  it('does not fire for the first import of a series without figures', async () => {
    await publish('2026-01-10', { 'gdp-growth US': { '2024': '2.8' } });
    const country = await set({ type: 'country', key: 'US', metric: 'any_change' });
    const indicator = await set({ type: 'indicator', key: 'cpi-inflation', metric: 'any_change' });
    await publish('2026-02-10', { 'cpi-inflation US': { '2024': '2.9', '2025': '3.1' } });
    expect([await events(country.id), await events(indicator.id)]).toEqual([[], []]);
  });

  it('loses events and state of a series that is withheld with its source', async () => {
    const value = await above('2.2');
    const any = await set({ type: 'topic', key: 'gdp', metric: 'any_change' });
    await publish('2026-02-10', growth({ '2024': '2.0', '2025': '2.5' }));
    expect([(await events(value.id)).length, (await events(any.id)).length]).toEqual([1, 1]);
    await withholdSource(publisher(), 'worldbank-wdi', () => NOW);
    expect([await events(value.id), await events(any.id)]).toEqual([[], []]);
    expect(await sql('SELECT state, evaluated_period, met FROM alerts WHERE id = $1', [value.id])).toEqual([
      { state: 'armed', evaluated_period: null, met: null },
    ]);
    await sql(`UPDATE sources SET withheld = false WHERE id = 'worldbank-wdi'`);
  });

  it('does not fire for a withdrawal', async () => {
    const { id } = await set({ ...SERIES, metric: 'any_change' });
    await publish('2026-02-10', growth({ '2024': '2.0', '2025': '2.5' }));
    const [change] = await sql<{ id: string }>('SELECT id FROM changes');
    await withdrawChange(publisher(), change?.id ?? '', 'misprint', () => NOW);
    expect(await events(id)).toHaveLength(1);
  });

  it('is refused for an impossible target or condition', async () => {
    const refusals: readonly (readonly [NewAlert, RegExp])[] = [
      [{ type: 'topic', key: 'inflatoin', metric: 'any_change' }, /no topic 'inflatoin'. Did you mean inflation\?/],
      [{ type: 'series', key: 'gdp-growth@XX', metric: 'any_change' }, /no series .*Did you mean gdp-growth@JP/],
      [{ type: 'topic', key: 'gdp', metric: 'value_above', threshold: '1' }, /needs one series of figures/],
      [{ ...SERIES, metric: 'value_above' }, /needs a threshold/],
      [{ ...SERIES, metric: 'value_above', threshold: '1,5' }, /needs a threshold/],
      [{ ...SERIES, metric: 'any_change', threshold: '1' }, /takes no threshold/],
      [{ ...SERIES, metric: 'move_percent', threshold: '5' }, /percentage of a percentage/],
      [{ ...SERIES, metric: 'any_change', name: '\u001b[31m' }, /printable/],
    ];
    for (const [wanted, message] of refusals) await expect(set(wanted)).rejects.toThrow(message);
    expect(await alerts().list(EMAIL)).toEqual([]);
  });

  it('costs a publication only for affected series, however many alerts exist', async () => {
    await sql(
      `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, threshold, created_at)
       SELECT 'alr_' || n, 'acc_ada', 'x', 'series', 'gdp-growth@X' || n % 5000,
         CASE n % 2 WHEN 0 THEN 'any_change' ELSE 'value_above' END, CASE n % 2 WHEN 1 THEN 1 END, now()
       FROM generate_series(1, 50000) n`,
    );
    await sql('ANALYZE alerts');
    const client = await poolOf(publisher()).connect();
    try {
      await client.query('BEGIN');
      await createObservationStaging(client);
      await client.query(
        `INSERT INTO affected_changes SELECT 'chg_x', 1, 'release', id, NULL, now(), '2026-02-10', 'made' FROM series`,
      );
      await client.query(`INSERT INTO declared_coverage SELECT id, '2024', '2025', false, false, 1 FROM series`);
      for (const [statement, parameters] of [
        [FIRE, [NOW]],
        [VALUE_ALERTS, [NOW]],
      ] as const) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`, [...parameters]);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain('alerts_target');
        expect(plan).not.toContain('Seq Scan on alerts');
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
