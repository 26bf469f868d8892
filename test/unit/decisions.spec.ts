import fc from 'fast-check';
import { decisionTexts } from '../../src/publish/derive/decisions/decision-texts.js';
import { decisionsOf } from '../../src/publish/derive/decisions/decisions.rule.js';
import type { KnownRange } from '../../src/publish/derive/release-revision.rule.js';
import { eventImportance } from '../../src/publish/content/events/event-importance.rule.js';

const EARLY = '2026-01-10';
const DAY = '2026-02-10';

const range = (period: string, value: string, from: string, to: string | null = null): KnownRange => ({
  period,
  value,
  from,
  to,
});
const decided = (baseline: boolean, ...ranges: KnownRange[]) =>
  decisionsOf(ranges, DAY, baseline).map(({ period, actual, previous }) => `${period}: ${previous.value} ${actual}`);

describe('The rule of decisions', () => {
  it('makes a decision of each new day with a new rate, also of several at once', () => {
    const held = range('2025-12-11', '4.00', EARLY);
    expect(decided(false, held, range('2026-01-29', '3.75', DAY), range('2026-02-05', '3.50', DAY))).toEqual([
      '2026-01-29: 4.00 3.75',
      '2026-02-05: 3.75 3.50',
    ]);
  });

  it('makes no decision of an unchanged rate, however it is printed', () => {
    expect(decided(false, range('2025-12-11', '4.00', EARLY), range('2026-01-29', '4.0', DAY))).toEqual([]);
  });

  it('compares with the previous rate, however old', () => {
    const [decision] = decisionsOf([range('2019-01-01', '1.00', EARLY), range('2026-01-29', '1.25', DAY)], DAY, false);
    expect(decision?.previous).toEqual({ period: '2019-01-01', value: '1.00', knownSince: EARLY });
  });

  it('treats an older day that arrives later as backfill', () => {
    const held = [range('2025-06-01', '4.25', DAY), range('2025-12-11', '4.00', EARLY)];
    expect(decided(false, range('2025-01-01', '4.50', EARLY), ...held)).toEqual([]);
  });

  it('derives from a first import only the decisions of its last 400 days', () => {
    const day = (daysBefore: number): string =>
      new Date(Date.parse('2026-02-01') - daysBefore * 86_400_000).toISOString().slice(0, 10);
    const all = [401, 400, 399].map((days, index) => range(day(days), `${index + 1}`, DAY));
    expect(decided(true, ...all, range('2026-02-01', '4', DAY))).toEqual([`${day(399)}: 2 3`, '2026-02-01: 3 4']);
  });

  it('needs a previous rate', () => {
    expect(decided(true, range('2026-02-01', '4', DAY))).toEqual([]);
  });

  it('ignores a rate that was withdrawn before the day, or is not known yet', () => {
    const gone = range('2026-01-01', '9.00', EARLY, '2026-01-20');
    const later = range('2026-02-20', '9.00', '2026-03-01');
    const ranges = [range('2025-12-11', '4.00', EARLY), gone, range('2026-02-05', '3.75', DAY), later];
    expect(decided(false, ...ranges)).toEqual(['2026-02-05: 4.00 3.75']);
  });

  it('forms a chain: each decision begins at the end of the previous one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 20 }), (rates) => {
        const days = rates.map((rate, index) => range(`2026-01-${String(index + 1).padStart(2, '0')}`, `${rate}`, DAY));
        const decisions = decisionsOf(days, DAY, true);
        for (const [index, { previous }] of decisions.entries()) {
          if (index > 0) expect(previous.value).toBe(decisions[index - 1]?.actual);
        }
        const steps = rates.filter((rate, index) => index > 0 && rate !== rates[index - 1]).length;
        expect(decisions).toHaveLength(steps);
      }),
    );
  });
});

describe('The texts of a decision', () => {
  const subject = {
    body: { en: 'Bank of Japan', zh: '日本央行', ja: '日銀' },
    rate: { en: 'its policy rate', zh: '政策利率', ja: '政策金利' },
    publisher: { en: 'Bank of Japan', zh: '日本银行', ja: '日本銀行' },
    unit: 'percent' as const,
  };

  it('state that it took effect, and no release day', () => {
    const { headline, summary } = decisionTexts(subject, {
      period: '2026-01-26',
      actual: '0.75',
      previous: { period: '2025-01-27', value: '0.5', knownSince: '2025-01-27' },
    });
    expect(headline).toEqual({
      en: 'Bank of Japan raises its policy rate by 25 basis points to 0.75%, effective 26 January 2026',
      zh: '日本央行上调政策利率25个基点至0.75%，2026年1月26日起生效',
      ja: '日銀、政策金利を0.25%引き上げ0.75%に（2026年1月26日適用）',
    });
    expect(summary.en).toBe(
      'The Bank of Japan raised its policy rate by 25 basis points, from 0.50% to 0.75%, with effect from 26 January 2026. Source: Bank of Japan.',
    );
  });
});

describe('The importance of an event', () => {
  it.each([
    ['high', ['inflation'], 100, null],
    ['high', ['gdp'], 40, 1],
    ['medium', ['gdp'], 40, 2],
    ['medium', ['monetary-policy'], 10, null],
    ['medium', ['wages'], 38, null],
    ['low', ['wages'], 10, null],
    ['low', ['wages'], 10, 3],
  ])('is %s of %s in an economy of weight %i, print %s', (expected, topics, weight, estimate) => {
    expect(eventImportance({ topics }, { weight }, estimate)).toBe(expected);
  });
});
