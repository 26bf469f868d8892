import fc from 'fast-check';
import {
  frequencyOf,
  isDay,
  isPeriod,
  lastDayOf,
  nextPeriod,
  parsePeriod,
  periodsBetween,
  previousPeriod,
  shiftedDay,
} from '../../src/domain/figures/periods.js';

/** One period of each form; steps lead to all others. */
const FORMS = ['2000', 'FY2000', '2000-H1', '2000-Q1', '2000-01', '2000-W01', '2000-01-01'];

const period = fc
  .tuple(fc.constantFrom(...FORMS), fc.integer({ min: -900, max: 900 }))
  .map(([start, steps]) => walk(start, steps));

function walk(start: string, steps: number): string {
  const step = steps < 0 ? previousPeriod : nextPeriod;
  let at = start;
  for (let left = Math.abs(steps); left > 0; left--) at = step(at);
  return at;
}

describe('parsePeriod', () => {
  it.each([
    ['2025', 'A'],
    ['FY2025', 'A'],
    ['2025-H1', 'H'],
    ['2025-Q3', 'Q'],
    ['2025-10', 'M'],
    ['2026-W33', 'W'],
    ['2024-02-29', 'D'],
  ])('reads %s', (text, frequency) => {
    expect(frequencyOf(text)).toBe(frequency);
  });

  it.each([
    '',
    '25',
    '0999',
    '20255',
    'fy2025',
    'FY25',
    '2025-H3',
    '2025-H0',
    '2025-Q5',
    '2025-13',
    '2025-00',
    '2025-1',
    '2025-W00',
    '2025-W53',
    '2025-W1',
    '2025-02-29',
    '2025-04-31',
    '2025-1-1',
    '2025-10 ',
    '2025-10-01T00:00Z',
  ])('refuses %j', (text) => {
    expect(parsePeriod(text)).toBeNull();
    expect(() => frequencyOf(text)).toThrow(RangeError);
  });

  it('distinguishes a day from a month', () => {
    expect([isDay('2025-10-31'), isDay('2025-10'), isDay('2025-10-32')]).toEqual([true, false, false]);
  });

  it('accepts week 53 in exactly the years that begin or end on a Thursday', () => {
    for (let year = 1900; year <= 2100; year++) {
      const weekday = (month: number, day: number): number => new Date(Date.UTC(year, month, day)).getUTCDay();
      expect([year, isPeriod(`${year}-W53`)]).toEqual([year, weekday(0, 1) === 4 || weekday(11, 31) === 4]);
    }
  });
});

describe('nextPeriod and previousPeriod', () => {
  it.each([
    ['2025', '2026'],
    ['FY2025', 'FY2026'],
    ['2025-H2', '2026-H1'],
    ['2025-Q4', '2026-Q1'],
    ['2025-12', '2026-01'],
    ['2020-W52', '2020-W53'],
    ['2020-W53', '2021-W01'],
    ['2025-W52', '2026-W01'],
    ['2026-W53', '2027-W01'],
    ['2024-02-28', '2024-02-29'],
    ['2025-12-31', '2026-01-01'],
  ])('%s is followed by %s', (before, after) => {
    expect(nextPeriod(before)).toBe(after);
    expect(previousPeriod(after)).toBe(before);
  });

  it('invert each other, keep the form, and sort as time does', () => {
    fc.assert(
      fc.property(period, (at) => {
        const after = nextPeriod(at);
        expect(isPeriod(after)).toBe(true);
        expect(frequencyOf(after)).toBe(frequencyOf(at));
        expect(previousPeriod(after)).toBe(at);
        expect(after > at).toBe(true);
        expect(lastDayOf(after) > lastDayOf(at)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('stop at the limits of the notation', () => {
    expect(() => nextPeriod('2999-12')).toThrow(RangeError);
    expect(() => previousPeriod('1000')).toThrow(RangeError);
  });
});

describe('periodsBetween', () => {
  it('returns both ends and every period between', () => {
    expect(periodsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(periodsBetween('2020-W52', '2021-W01')).toEqual(['2020-W52', '2020-W53', '2021-W01']);
    expect(periodsBetween('2025', '2025')).toEqual(['2025']);
    expect(periodsBetween('2025', '2024')).toEqual([]);
  });

  it('refuses mixed forms and gaps beyond its bound', () => {
    expect(() => periodsBetween('2025', '2025-10')).toThrow('not periods of one form');
    expect(() => periodsBetween('FY2025', '2025')).toThrow('not periods of one form');
    expect(() => periodsBetween('2024-01-01', '2025-12-31', 366)).toThrow('More than 366 periods');
  });
});

describe('lastDayOf', () => {
  it.each([
    ['2025', '2025-12-31'],
    ['FY2025', '2026-03-31'],
    ['2025-H1', '2025-06-30'],
    ['2025-H2', '2025-12-31'],
    ['2025-Q1', '2025-03-31'],
    ['2024-02', '2024-02-29'],
    ['2025-12', '2025-12-31'],
    ['2026-W33', '2026-08-16'],
    ['2020-W53', '2021-01-03'],
    ['2025-W01', '2025-01-05'],
    ['2026-08-14', '2026-08-14'],
  ])('of %s is %s', (text, day) => {
    expect(lastDayOf(text)).toBe(day);
  });
});

describe('shiftedDay', () => {
  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-08-14', 0, '2026-08-14'],
    ['2026-11-21', -400, '2025-10-17'],
  ])('from %s by %i is %s', (day, days, shifted) => {
    expect(shiftedDay(day, days)).toBe(shifted);
  });
});
