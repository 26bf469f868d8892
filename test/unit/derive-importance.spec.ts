import fc from 'fast-check';
import { importanceOf, ordinaryStepOf, unusualnessOf } from '../../src/publishing/derive/importance.js';

const weighing = fc.record({
  kind: fc.constantFrom('release' as const, 'revision' as const),
  unusualness: fc.double({ min: 0, max: 1, noNaN: true }),
  regionWeight: fc.integer({ min: 0, max: 100 }),
  age: fc.double({ min: 0, max: 200, noNaN: true }),
});

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
        const revision = importanceOf({ ...old, kind: 'revision', age: 5 + old.age });
        const release = importanceOf({ ...fresh, kind: 'release', age: Math.min(fresh.age, 2) });
        expect(revision).toBeLessThan(release);
      }),
    );
  });

  it('never falls with unusualness or weight, and never rises with age', () => {
    fc.assert(
      fc.property(weighing, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(50), (given, more, years) => {
        const importance = importanceOf(given);
        const rise = { ...given, unusualness: Math.min(1, given.unusualness + more) };
        expect(importanceOf(rise)).toBeGreaterThanOrEqual(importance);
        expect(importanceOf({ ...given, regionWeight: 100 })).toBeGreaterThanOrEqual(importance);
        expect(importanceOf({ ...given, age: given.age + years })).toBeLessThanOrEqual(importance);
      }),
    );
  });

  it('compares a step with the median step of the series', () => {
    expect(unusualnessOf(2, 2)).toBe(0.5);
    expect(unusualnessOf(-6, 2)).toBe(0.75);
    expect(unusualnessOf(0, 0)).toBe(0);
    expect(unusualnessOf(1, 0)).toBe(1);
    expect(unusualnessOf(null, 2)).toBe(0.5);
  });

  it('uses the steps before the period, as known on the day', () => {
    const known = (period: string, value: string, from = '2026-01-01', to: string | null = null) => ({
      period,
      value,
      from,
      to,
    });
    const ranges = [
      known('2020', '1'),
      known('2021', '2'),
      known('2022', '9', '2026-01-01', '2026-02-01'),
      known('2022', '5', '2026-02-01'),
      known('2023', '100'),
    ];
    expect(ordinaryStepOf(ranges, '2026-02-01', '2023')).toBe(2);
    expect(ordinaryStepOf(ranges, '2026-01-15', '2023')).toBe(4);
    expect(ordinaryStepOf(ranges, '2026-02-01', '2021')).toBeNull();
  });
});
