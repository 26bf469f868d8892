import fc from 'fast-check';
import { dayOf, shiftedDay } from '../../src/domain/figures/periods.js';
import { nearestDays } from '../../src/serve/resources/changes/nearest-days.rule.js';

const ORIGIN = '2020-01-01';
const dayAt = (step: number): string => shiftedDay(ORIGIN, step);

describe('The nearest days of a window', () => {
  it('are the last match before and the first after it, whichever match an index finds first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.infiniteStream(fc.nat()),
        async (steps, start, length, picks) => {
          const held = steps.filter((step) => step < start || step >= start + length).map(dayAt);
          let calls = 0;
          const find = (from?: Date, before?: Date) => {
            calls += 1;
            const within = held.filter(
              (day) => (from === undefined || day >= dayOf(from)) && (before === undefined || day < dayOf(before)),
            );
            const [pick = 0] = [...picks.take(1)];
            return Promise.resolve(within[pick % Math.max(within.length, 1)] ?? null);
          };
          const nearest = await nearestDays(find, new Date(dayAt(start)), new Date(dayAt(start + length)));
          expect(nearest).toEqual({
            before:
              held
                .filter((day) => day < dayAt(start))
                .sort()
                .at(-1) ?? null,
            after: held.filter((day) => day >= dayAt(start + length)).sort()[0] ?? null,
          });
          expect(calls).toBeLessThan(30);
        },
      ),
    );
  });

  it('are null on a side that the window leaves open', async () => {
    const find = () => Promise.resolve('2020-01-05');
    expect(await nearestDays(find, undefined, undefined)).toEqual({ before: null, after: null });
  });
});
