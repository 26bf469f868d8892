import fc from 'fast-check';
import { heatOf } from '../../src/serve/resources/heat/heat.rule.js';

const window = (importance: number, changes = 1) => ({ importance, changes });

describe('Country heat', () => {
  it('gives the documented result for the worked example', () => {
    const own = [40, 60, 60, 75, 80, 90, 110, 200];
    expect(heatOf(window(90), own, [])).toEqual({ heat: 69, basis: 'own', windows: 8, below: 5, equal: 1 });
  });

  it('is compared with all economies if the country’s own past is too short', () => {
    const own = [1, 1, 1, 1, 1, 1, 1];
    expect(heatOf(window(5), own, [1, 2, 9, 10])).toEqual({ heat: 50, basis: 'peers', windows: 4, below: 2, equal: 0 });
    expect(heatOf(window(5), [...own, 1], [1, 2, 9, 10])).toMatchObject({ basis: 'own', heat: 100 });
  });

  it('is ordinary without a reference, and 0 only without changes', () => {
    expect(heatOf(window(5), [], []).heat).toBe(50);
    expect(heatOf(window(0, 0), [], [1, 2]).heat).toBe(0);
    expect(heatOf(window(1), [2, 2, 2, 2, 2, 2, 2, 2], []).heat).toBe(1);
  });

  const sums = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 8, maxLength: 60 });

  it('stays within 0 and 100, and never falls when more changes', () => {
    const importance = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(sums, importance, importance, (own, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((one) => heatOf(window(one), own, []).heat ?? -1);
        expect(less).toBeGreaterThanOrEqual(1);
        expect(more).toBeLessThanOrEqual(100);
        expect(more).toBeGreaterThanOrEqual(less ?? 0);
      }),
    );
  });

  it('is 50 for a window like all others, independent of their order and unit', () => {
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 9 }), (own, one, times) => {
        expect(
          heatOf(
            window(one),
            own.map(() => one),
            [],
          ).heat,
        ).toBe(50);
        const heat = heatOf(window(one), own, []);
        expect(heatOf(window(one), [...own].reverse(), [])).toEqual(heat);
        expect(
          heatOf(
            window(one * times),
            own.map((sum) => sum * times),
            [],
          ),
        ).toEqual(heat);
      }),
    );
  });

  it('is symmetric: a window as far above the others as another is below is as hot as that one is cool', () => {
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: 40 }), (own, one) => {
        const { below, equal, windows } = heatOf(window(one), own, []);
        const mirrored = heatOf(
          window(41 - one),
          own.map((sum) => 41 - sum),
          [],
        );
        expect(mirrored).toMatchObject({ below: windows - below - equal, equal, windows });
      }),
    );
  });
});
