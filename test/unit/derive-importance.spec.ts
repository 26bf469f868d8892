import fc from 'fast-check';
import {
  importanceOf,
  importanceOfDecision,
  ordinaryStepOf,
  shareOfOrdinary,
  weigh,
} from '../../src/publish/derive/importance.js';

const DAYS_A_YEAR = 365.25;
const EIGHTEEN_MONTHS = 546;

const watched = {
  attention: fc.integer({ min: 30, max: 100 }),
  regionWeight: fc.integer({ min: 0, max: 100 }),
  region: fc.constantFrom('US', 'JP', 'WLD', 'EMU', 'HIC'),
};
const weighing = fc
  .record({
    kind: fc.constantFrom('release' as const, 'revision' as const),
    unusualness: fc.double({ min: 0, max: 1, noNaN: true }),
    slight: fc.boolean(),
    age: fc.integer({ min: -400, max: 70_000 }),
    ...watched,
  })
  .map((given) => ({ ...given, aggregate: given.region.length === 3 }));

const known = (period: string, value: string, from = '2001-01-01', to: string | null = null) => ({
  period,
  value,
  from,
  to,
});
const years = (first: number, values: readonly number[]) =>
  values.map((value, index) => known(String(first + index), String(value)));

const US_GROWTH = { attention: 100, regionWeight: 100, region: 'US', aggregate: false, unit: 'percent' } as const;

/** The release of the last of these years, on 1 April of the next one. */
function released(
  ranges: readonly ReturnType<typeof known>[],
  traits: Partial<Parameters<typeof weigh>[3]> = {},
): number {
  const [before, last] = ranges.slice(-2);
  if (before === undefined || last === undefined) throw new Error('too few');
  const previous = {
    period: before.period,
    basis: 'period' as const,
    value: before.value,
    missing: null,
    knownSince: null,
  };
  const change = { kind: 'release' as const, period: last.period, actual: last.value, previous };
  return weigh(change, ranges, `${Number(last.period) + 1}-04-01`, { ...US_GROWTH, ...traits });
}

describe('Importance', () => {
  it('is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(weighing, (given) => {
        const importance = importanceOf(given);
        expect(Number.isInteger(importance)).toBe(true);
        expect(importance).toBeGreaterThanOrEqual(0);
        expect(importance).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('never ranks a revision of a five-year-old figure above a new figure', () => {
    fc.assert(
      fc.property(weighing, weighing, (old, fresh) => {
        const age = Math.ceil(5 * DAYS_A_YEAR) + Math.max(0, old.age);
        const revision = importanceOf({ ...old, kind: 'revision', age });
        const release = importanceOf({ ...fresh, kind: 'release', age: Math.min(fresh.age, EIGHTEEN_MONTHS) });
        expect(revision).toBeLessThan(release);
      }),
    );
  });

  it('never falls with unusualness, attention or weight, and never rises with age', () => {
    fc.assert(
      fc.property(weighing, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20_000), (given, more, days) => {
        const importance = importanceOf(given);
        const rise = { ...given, unusualness: Math.min(1, given.unusualness + more) };
        expect(importanceOf(rise)).toBeGreaterThanOrEqual(importance);
        expect(importanceOf({ ...given, attention: 100 })).toBeGreaterThanOrEqual(importance);
        expect(importanceOf({ ...given, regionWeight: 100 })).toBeGreaterThanOrEqual(importance);
        expect(importanceOf({ ...given, age: given.age + days })).toBeLessThanOrEqual(importance);
      }),
    );
  });

  it('stays below 60 for aggregates other than the world, the euro area and the EU', () => {
    const most = { kind: 'release' as const, slight: false, unusualness: 1, attention: 100, regionWeight: 100, age: 0 };
    expect(importanceOf({ ...most, region: 'HIC', aggregate: true })).toBe(58);
    expect(importanceOf({ ...most, region: 'EUU', aggregate: true })).toBe(100);
  });

  it('stays at 50 or below for a period that ended more than eighteen months ago', () => {
    fc.assert(
      fc.property(weighing, (given) => {
        const age = EIGHTEEN_MONTHS + 1 + Math.max(0, given.age);
        expect(importanceOf({ ...given, age })).toBeLessThanOrEqual(50);
      }),
    );
  });

  it('puts a decision above a new figure of as much attention', () => {
    expect(importanceOfDecision(0.75, 0.25, US_GROWTH)).toBe(95);
    expect(importanceOfDecision(-0.75, 0.25, US_GROWTH)).toBe(95);
    expect(importanceOfDecision(0.25, null, { ...US_GROWTH, regionWeight: 0 })).toBe(60);
  });

  it('is 0 for a series that never moves', () => {
    expect(released(years(2015, [1, 1, 1, 1, 1, 1, 1, 1]))).toBe(0);
  });

  it('measures unusual changes alike, whatever their direction', () => {
    const calm = [2.1, 2.3, 2, 2.2, 2.4, 2.1, 2.2, 2.3];
    const [slump, boom, usual] = [-2.8, 7.3, 2.2].map((last) => released(years(2015, [...calm, last])));
    expect(slump).toBe(boom);
    expect(usual).toBeLessThan(Number(boom) - 15);
  });

  it('counts a rate that hardly moved as less than one that did', () => {
    const rates = [4.9, 5.1, 4.8, 5.2, 4.9, 5.1, 5, 4.81];
    const [slight, unchanged, moved] = [4.79, 4.81, 4.6].map((last) => released(years(2015, [...rates, last])));
    expect(unchanged).toBe(slight);
    expect(slight).toBeLessThan(Number(moved) - 10);
  });

  it('keeps its whole weight if a rate moved by little in points and by much of itself', () => {
    const rates = [0.9, 0.5, 0.8, 0.4, 0.9, 0.3, 0.8, 0.01];
    const [near, far] = [0.05, 0.06].map((last) => released(years(2015, [...rates, last])));
    expect(near).toBeGreaterThanOrEqual(Number(far) - 1);
  });

  it('measures a level by its percent change: steady growth is no news', () => {
    const gdp = Array.from({ length: 15 }, (_, index) => 1000 * 1.03 ** index * (1 + (index % 3) / 1000));
    const steady = released(years(2010, gdp), { unit: 'usd' });
    const jump = released(years(2010, [...gdp.slice(0, -1), 1.2 * Number(gdp.at(-2))]), { unit: 'usd' });
    expect(jump).toBeGreaterThan(steady + 15);
  });

  it('is the same in euros and in cents', () => {
    const euros = years(2015, [10, 12, 11, 13, 12, 14, 13, 15]);
    const cents = euros.map((one) => ({ ...one, value: String(100 * Number(one.value)) }));
    expect(released(euros, { unit: 'usd' })).toBe(released(cents, { unit: 'usd' }));
  });

  it('compares a restated step with the median step of the series', () => {
    expect(shareOfOrdinary(2, 2)).toBe(0.5);
    expect(shareOfOrdinary(-6, 2)).toBe(0.75);
    expect(shareOfOrdinary(0, 0)).toBe(0);
    expect(shareOfOrdinary(1, 0)).toBe(1);
    expect(shareOfOrdinary(1, null)).toBe(0.5);
  });

  it('weighs a restatement through zero as the largest, and a marginal one as less', () => {
    const restated = (from: string, to: string): number => {
      const previous = {
        period: '2024',
        basis: 'vintage',
        value: from,
        missing: null,
        knownSince: '2000-01-01',
      } as const;
      const ranges = years(2015, [2, -1, 3, 0, 2, -2, 3, 1, 2]);
      return weigh({ kind: 'revision', period: '2024', actual: to, previous }, ranges, '2026-02-01', US_GROWTH);
    };
    expect(restated('0.10', '-0.24')).toBeGreaterThan(restated('0.10', '0.44') + 10);
    expect(restated('6.33', '6.285')).toBeLessThan(restated('6.33', '6.275') - 10);
  });

  it('uses the steps before the period, as known on the day', () => {
    const ranges = [
      known('2020', '1'),
      known('2021', '2'),
      known('2022', '9', '2001-01-01', '2026-02-01'),
      known('2022', '5', '2026-02-01'),
      known('2023', '100'),
    ];
    expect(ordinaryStepOf(ranges, '2026-02-01', '2023')).toBe(2);
    expect(ordinaryStepOf(ranges, '2026-01-15', '2023')).toBe(4);
    expect(ordinaryStepOf(ranges, '2026-02-01', '2021')).toBeNull();
  });
});
