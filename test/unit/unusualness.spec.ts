import fc from 'fast-check';
import { unusualnessOf } from '../../src/publish/derive/unusualness.js';

const yearly = (values: readonly number[]) => values.map((value, index) => ({ period: String(1990 + index), value }));
const monthly = (values: readonly number[]) =>
  values.map((value, index) => ({
    period: `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
    value,
  }));

/** Changes of 1 to 3, in no order. */
const RAGGED = [0, 2, 3, 6, 7, 9, 12, 13, 15, 18, 19, 21];

describe('Unusualness', () => {
  it('is one half where the past is too short, or the period before is missing', () => {
    expect(unusualnessOf(yearly([1, 2, 3]), false)).toBe(0.5);
    const gap = [...yearly(RAGGED), { period: '2010', value: 30 }];
    expect(unusualnessOf(gap, false)).toBe(0.5);
  });

  it('is the distance from the median change, in robust standard deviations, of which five are the most', () => {
    const after = (step: number) => unusualnessOf(yearly([...RAGGED, 21 + step]), false);
    expect(after(2)).toBe(0);
    expect(after(4)).toBeCloseTo(2 / (5 * 1.4826), 9);
    expect(after(0)).toBe(after(4));
    expect(after(50)).toBe(1);
  });

  it('does not depend on the sign of a change', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 7, maxLength: 30 });
    fc.assert(
      fc.property(values, (given) => {
        const mirrored = given.map((value) => -value);
        expect(unusualnessOf(yearly(given), false)).toBeCloseTo(unusualnessOf(yearly(mirrored), false), 9);
      }),
    );
  });

  it('measures a smooth series by the change of its change', () => {
    const slowing = Array.from({ length: 24 }, (_, index) => 100 * index - index * index);
    expect(unusualnessOf(yearly(slowing), false)).toBe(0);
    const kink = [...slowing.slice(0, -1), Number(slowing.at(-2)) + 5 * 54];
    expect(unusualnessOf(yearly(kink), false)).toBe(1);
  });

  it('compares a month with the same month of the year before, so that seasons are no news', () => {
    const seasonal = Array.from(
      { length: 48 },
      (_, index) =>
        (index % 12 === 11 ? 150 : 100) * 1.002 ** index * (1 + ((37 * index + 11 * index ** 2) % 23) / 2000),
    );
    expect(unusualnessOf(monthly(seasonal), true)).toBeLessThan(0.5);
    expect(unusualnessOf(monthly([...seasonal.slice(0, -1), 100]), true)).toBe(1);
  });

  it('is full where a figure changes its sign', () => {
    expect(unusualnessOf(yearly([...RAGGED, -1]), false)).toBe(1);
  });
});
