import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import type { Figures } from './deliveries.js';
import { NOW, usePublishing } from './publishing.js';

const tide = usePublishing();

interface Row {
  readonly id: string;
  readonly rule: string;
  readonly subject: string;
  readonly starts: string;
  readonly title: Readonly<Record<'en' | 'zh' | 'ja', string>>;
  readonly summary: Readonly<Record<'en' | 'zh' | 'ja', string>>;
  readonly status: string;
  readonly first: string;
  readonly last: string;
  readonly total: number;
  readonly independent: number;
  readonly changes: readonly string[];
  readonly topics: readonly string[];
}

/** The stored content of the signals, without parts that depend on the time of publication. */
const SIGNALS = `
  SELECT id, rule, subject, starts, title, summary, status, stage, first_seen_on AS first, last_seen_on AS last,
         evidence_total AS total, evidence_independent AS independent, evidence_levels AS levels,
         ARRAY(SELECT c.kind || ' ' || c.period FROM signal_changes l JOIN changes c USING (position)
               WHERE l.signal = g.id ORDER BY 1) AS changes,
         ARRAY(SELECT t.topic FROM signal_topics t WHERE t.signal = g.id ORDER BY 1) AS topics
  FROM signals g ORDER BY rule, subject, starts`;

const signals = () => tide.sql<Row>(SIGNALS);
const found = async () => (await signals()).map(({ rule, subject, starts, status }) => [rule, subject, starts, status]);

/** Ten years of ups and downs, then the given values for the years from 2020 on. */
const growth = (...values: readonly string[]): Figures => ({ 'gdp-growth JP': years(values) });
const years = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    ['1', '2', '1', '2', '1', '2', '1', '2', '1', '5', ...values].map((value, at) => [String(2010 + at), value]),
  );

const ECONOMIES = ['JP', 'US', 'DE', 'FR', 'BR', 'IN'];
/** The same years in several economies, each with its own last figure. */
const everywhere = (last: readonly string[], ...before: readonly string[]): Figures =>
  Object.fromEntries(
    ECONOMIES.map((region, at) => [
      `cpi-inflation ${region}`,
      Object.fromEntries(
        [...before, ...(last[at] === undefined ? [] : [last[at]])].map((value, year) => [String(2022 + year), value]),
      ),
    ]),
  );

describe('A streak', () => {
  it('emerges with the figure that makes it long enough, and is active once it continues', async () => {
    await tide.publish('2024-01-10', growth('4', '3', '2'));
    expect(await found()).toEqual([]);
    await tide.publish('2025-01-10', growth('4', '3', '2', '1'));
    expect(await found()).toEqual([['streak', 'gdp-growth@JP', '2019', 'emerging']]);
    await tide.publish('2026-01-10', growth('4', '3', '2', '1', '0.5'));
    const [streak] = await signals();
    expect(streak).toMatchObject({
      status: 'active',
      first: '2025-01-10',
      last: '2026-01-10',
      total: 6,
      independent: 6,
      changes: ['release 2023', 'release 2024'],
      topics: ['gdp'],
    });
    expect(streak?.title).toEqual({
      en: 'Japan: real GDP growth slowed five years in a row through 2024',
      zh: '日本实际GDP增速截至2024年连续5年放缓',
      ja: '日本の実質GDP成長率、2024年まで5年連続で低下',
    });
    expect(streak?.summary.en).toBe(
      'Japan: real GDP growth slowed five years in a row, from 5.0% in 2019 to 0.5% in 2024. ' +
        'Source: World Bank, as retrieved on 10 January 2026.',
    );
  });

  it('is none of months that are not adjusted for the season', async () => {
    const months = (...values: readonly number[]): Figures => ({
      'consumer-price-index US': Object.fromEntries(
        [...Array.from({ length: 20 }, (_, at) => 300 + (at % 2)), ...values].map((value, at) => [
          `${String(2022 + Math.floor(at / 12))}-${String((at % 12) + 1).padStart(2, '0')}`,
          String(value),
        ]),
      ),
    });
    await tide.publish('2023-12-10', months(302, 303));
    await tide.publish('2024-03-10', months(302, 303, 304, 305, 306));
    expect(await found()).toEqual([]);
  });

  it('is closed by a figure in the other direction, and keeps its id', async () => {
    await tide.publish('2024-01-10', growth('4', '3', '2'));
    await tide.publish('2025-01-10', growth('4', '3', '2', '1'));
    const [before] = await signals();
    await tide.publish('2026-01-10', growth('4', '3', '2', '1', '3'));
    const [after] = await signals();
    expect(after).toMatchObject({ id: before?.id, status: 'closed', last: '2025-01-10' });
    expect(after?.title.en).toBe(
      'Japan: real GDP growth picked up to 3% in 2024 after four years of slowdowns in a row',
    );
  });

  it('needs a release, because a first import brings history', async () => {
    await tide.publish('2026-01-10', growth('4', '3', '2', '1', '0.5'));
    expect(await signals()).toEqual([]);
  });

  it('disappears with its figures, even if they change too little for a revision', async () => {
    await tide.publish('2024-01-10', growth('4', '3', '2'));
    await tide.publish('2025-01-10', growth('4', '3', '2.0001', '2'));
    expect(await found()).toEqual([['streak', 'gdp-growth@JP', '2019', 'emerging']]);
    await tide.publish('2025-01-10', growth('4', '3', '2', '2'), { replace: true });
    expect(await signals()).toEqual([]);
  });

  it('disappears with its release', async () => {
    await tide.publish('2024-01-10', growth('4', '3', '2'));
    await tide.publish('2025-01-10', growth('4', '3', '2', '1'));
    const [change] = await tide.sql<{ id: string }>(`SELECT id FROM changes`);
    await withdrawChange(tide.publisher(), change?.id ?? '', 'misprint', () => NOW);
    expect(await signals()).toEqual([]);
  });

  it('ends after enough days without news, by the newest data day of any series', async () => {
    await tide.publish('2024-01-10', growth('4', '3', '2'));
    await tide.publish('2025-01-10', growth('4', '3', '2', '1'));
    await tide.publish('2026-07-14', { 'population JP': { '2025': '1' } });
    expect(await found()).toEqual([['streak', 'gdp-growth@JP', '2019', 'emerging']]);
    await tide.publish('2026-07-15', { 'population JP': { '2025': '2' } });
    expect(await found()).toEqual([['streak', 'gdp-growth@JP', '2019', 'closed']]);
  });
});

describe('A turning point', () => {
  const UP = ['3', '3', '3', '3', '3', '1'];

  it('is found with the fifth economy, if three times as many have turned one way as the other', async () => {
    await tide.publish('2025-01-10', everywhere([], '3', '2'));
    await tide.publish('2025-02-10', everywhere(UP.slice(0, 4), '3', '2'));
    expect(await signals()).toEqual([]);
    await tide.publish('2025-03-10', everywhere(UP, '3', '2'));
    const [turn] = await signals();
    expect(turn).toMatchObject({
      rule: 'turn',
      subject: 'cpi-inflation',
      starts: '2024',
      status: 'active',
      first: '2025-03-10',
      last: '2025-03-10',
      total: 15,
      independent: 15,
      changes: Array(5).fill('release 2024'),
      topics: ['inflation'],
    });
    expect(turn?.title).toEqual({
      en: 'Annual average CPI inflation turned up in five of six economies in our data in 2024',
      zh: '2024年消费者价格（CPI）全年平均涨幅：收录数据的6个经济体中有5个转为上升',
      ja: '2024年の年平均消費者物価上昇率、収録対象の6カ国・地域のうち5カ国・地域で上昇に転じる',
    });
    expect(turn?.summary.en).toContain('including the United States, Germany and Japan.');
  });

  it('is closed when most economies have published the next period', async () => {
    await tide.publish('2025-01-10', everywhere([], '3', '2'));
    await tide.publish('2025-03-10', everywhere(UP, '3', '2'));
    await tide.publish('2026-03-10', everywhere(['4', '4', '4'], '3', '2', '3'));
    expect((await found()).filter(([rule]) => rule === 'turn')).toEqual([['turn', 'cpi-inflation', '2024', 'closed']]);
  });
});

describe('A cluster of revisions', () => {
  it('is found if one vintage moves many recent figures in one direction', async () => {
    await tide.publish('2025-01-10', everywhere([], '3', '2'));
    await tide.publish('2025-02-10', everywhere([], '3', '2.5'));
    const [cluster] = await signals();
    expect(cluster).toMatchObject({
      rule: 'revision_cluster',
      subject: 'cpi-inflation',
      starts: '2025-02-10',
      status: 'active',
      total: 12,
      independent: 6,
      changes: Array(6).fill('revision 2023'),
    });
    expect(cluster?.title).toEqual({
      en: 'Annual average CPI inflation for 2023 revised up for all six economies with revisions in our data',
      zh: '2023年消费者价格（CPI）全年平均涨幅：收录数据有修订的6个经济体全部上修',
      ja: '2023年の年平均消費者物価上昇率、収録対象で改定のあった6カ国・地域すべてで上方改定',
    });
  });

  it('disappears when a replaced vintage no longer revises', async () => {
    await tide.publish('2025-01-10', everywhere([], '3', '2'));
    await tide.publish('2025-02-10', everywhere([], '3', '2.5'));
    await tide.publish('2025-02-10', everywhere([], '3', '2'), { replace: true });
    expect(await signals()).toEqual([]);
  });
});

describe('A persistent move', () => {
  const FIRST = Date.parse('2026-01-01');
  const day = (at: number): string => new Date(FIRST + at * 86_400_000).toISOString().slice(0, 10);
  /** Seventy quiet days, then the given prices. */
  const prices = (...after: readonly string[]): Figures => ({
    eurusd: Object.fromEntries(
      [...Array.from({ length: 70 }, (_, at) => (at % 2 === 0 ? '1.2000' : '1.2010')), ...after].map((value, at) => [
        day(at),
        value,
      ]),
    ),
  });
  const fallen = (count: number): string[] => Array<string>(count).fill('1.1400');
  const persistent = async () => (await signals()).filter(({ rule }) => rule === 'persistent_move');

  it('emerges with the fifth observation that holds, which makes no change itself', async () => {
    await tide.publish(day(70), prices('1.1400'));
    await tide.publish(day(74), prices('1.1400', ...fallen(4)));
    expect(await tide.changes()).toMatchObject([{ kind: 'move', period: day(70) }]);
    expect(await signals()).toEqual([]);
    await tide.publish(day(75), prices('1.1400', ...fallen(5)));
    const [signal] = await persistent();
    expect(signal).toMatchObject({
      subject: 'eurusd',
      starts: '2026-03-12',
      status: 'emerging',
      first: '2026-03-17',
      last: '2026-03-17',
      total: 7,
      independent: 7,
      changes: ['move 2026-03-12'],
    });
    expect(signal?.title).toEqual({
      en: 'Euro/US dollar reference rate was still at 1.1400 US dollars per euro five trading days after its 12 March 2026 fall',
      zh: '欧元兑美元参考汇率2026年3月12日下跌，5个交易日后仍为1欧元兑1.1400美元',
      ja: 'ユーロの対ドル参照レート、2026年3月12日の下落から5営業日後も1ユーロ＝1.1400ドル',
    });
  });

  it('is closed by the observation that returns half of it, and says so', async () => {
    await tide.publish(day(70), prices('1.1400'));
    await tide.publish(day(80), prices('1.1400', ...fallen(10)));
    expect((await persistent()).map(({ status }) => status)).toEqual(['active']);
    await tide.publish(day(81), prices('1.1400', ...fallen(10), '1.1750'));
    const [signal] = await persistent();
    expect(signal).toMatchObject({ status: 'closed', last: day(80) });
    expect(signal?.summary.en).toContain(
      'It recovered less than half of that fall in the next 10 trading days, and 57% of it by 23 March, at 1.1750 US dollars per euro.',
    );
  });

  it('names the furthest price in between', async () => {
    await tide.publish(day(70), prices('1.1400'));
    await tide.publish(day(75), prices('1.1400', '1.1300', '1.1050', ...fallen(3)));
    expect((await persistent())[0]?.title.en).toBe(
      'Euro/US dollar reference rate was still at 1.1400 US dollars per euro five trading days after its 12 March 2026 fall, having reached 1.1050 on 14 March',
    );
  });

  it('disappears when a replaced figure did not hold', async () => {
    await tide.publish(day(70), prices('1.1400'));
    await tide.publish(day(75), prices('1.1400', ...fallen(5)));
    await tide.publish(day(75), prices('1.1400', '1.1750', ...fallen(4)), { replace: true });
    expect(await persistent()).toEqual([]);
  });
});

describe('The signals', () => {
  const FIRST = everywhere([], '3', '2');
  const SECOND = everywhere(['3', '3', '3', '3', '3', '3'], '3', '2.5');

  it('are the same for the same figures, whether imported at once, apart or with a replacement', async () => {
    const streak = (...values: string[]) => growth('4', '3', '2', ...values);
    await tide.publish('2024-01-10', { ...FIRST, ...streak() });
    await tide.publish('2025-01-10', { ...SECOND, ...streak('1') });
    const expected = await signals();
    expect(expected.map(({ rule }) => rule)).toEqual(['revision_cluster', 'streak', 'turn']);

    await tide.sql('TRUNCATE series, publications CASCADE');
    await tide.publish('2024-01-10', streak());
    await tide.publish('2024-01-10', FIRST);
    await tide.publish('2025-01-10', streak('1'));
    await tide.publish('2025-01-10', SECOND);
    expect(await signals()).toEqual(expected);

    await tide.sql('TRUNCATE series, publications CASCADE');
    await tide.publish('2024-01-10', { ...FIRST, ...streak() });
    await tide.publish('2025-01-10', { ...everywhere(['1', '4', '1', '4', '1', '4'], '9', '8'), ...streak('7') });
    await tide.publish('2025-01-10', { ...SECOND, ...streak('1') }, { replace: true });
    expect(await signals()).toEqual(expected);
  });

  it('lose a withheld source, and are evaluated again without it', async () => {
    await tide.publish('2024-01-10', { ...FIRST, ...growth('4', '3', '2') });
    await tide.publish('2025-01-10', { ...SECOND, ...growth('4', '3', '2', '1') });
    const [origin] = await tide.sql<{ id: string }>(
      `SELECT origins[1] AS id FROM series WHERE indicator = 'cpi-inflation' LIMIT 1`,
    );
    await withholdSource(tide.publisher(), origin?.id ?? '', () => NOW);
    expect((await signals()).map(({ rule }) => rule)).toEqual(['streak']);
    await withholdSource(tide.publisher(), 'worldbank-wdi', () => NOW);
    expect(await signals()).toEqual([]);
    await tide.sql(`UPDATE sources SET withheld = (id = 'bis')`);
  });

  it('are readable by the service and writable by the import role only', async () => {
    for (const table of ['signals', 'signal_changes', 'signal_topics', 'heat_days']) {
      expect(await tide.reader().query(`SELECT * FROM ${table}`)).toEqual([]);
      await expect(tide.reader().query(`DELETE FROM ${table}`)).rejects.toThrow(/permission denied/);
    }
  });
});
