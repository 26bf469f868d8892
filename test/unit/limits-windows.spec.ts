import fc from 'fast-check';
import { LocalLimiter } from '../../src/serve/limits/local-limiter.js';
import { evaluate, retryAfterSeconds, untilMidnight } from '../../src/serve/limits/window.js';
import type { Budget } from '../../src/serve/limits/rate-limit-store.js';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const noneYet = () => Promise.resolve(0);

function clockAt(wall: number) {
  const clock = { elapsed: 0, wall };
  return {
    monotonic: () => clock.elapsed,
    wall: () => clock.wall,
    pass: (ms: number) => {
      clock.elapsed += ms;
      clock.wall += ms;
    },
    setWall: (to: number) => {
      clock.wall = to;
    },
  };
}

const budgets = fc.record({
  perMinute: fc.integer({ min: 1, max: 6 }),
  perDay: fc.option(fc.integer({ min: 1, max: 40 })),
});
const gaps = fc.array(
  fc.oneof(fc.constantFrom(0, 1, MINUTE - 1, MINUTE, MINUTE + 1), fc.integer({ min: 0, max: 30_000 })),
  { maxLength: 120 },
);

describe('The windows', () => {
  it('decide like a reference that compares every pair of requests', async () => {
    await fc.assert(
      fc.asyncProperty(budgets, gaps, fc.integer({ min: 0, max: 86_399_999 }), async (budget, steps, start) => {
        const clock = clockAt(Date.UTC(2026, 2, 1) + start);
        const store = new LocalLimiter(clock);
        const admitted: number[] = [];
        for (const step of steps) {
          clock.pass(step);
          const now = clock.wall();
          const inMinute = admitted.filter((at) => now - at <= MINUTE).length;
          const inDay = admitted.filter((at) => Math.floor(at / 86_400_000) === Math.floor(now / 86_400_000)).length;
          const expected = inMinute < budget.perMinute && (budget.perDay === null || inDay < budget.perDay);
          const admission = await store.admit('acc', budget, noneYet);
          expect(admission.admitted).toBe(expected);
          if (expected) admitted.push(now);
          const counted = expected ? 1 : 0;
          expect(admission.minuteUsed).toBe(inMinute + counted);
          expect(admission.dayUsed).toBe(budget.perDay === null ? 0 : inDay + counted);
        }
        for (const from of admitted) {
          const span = admitted.filter((at) => at >= from && at <= from + MINUTE);
          expect(span.length).toBeLessThanOrEqual(budget.perMinute);
        }
      }),
    );
  });

  it('state when to retry: that time is sufficient, one second less is not', async () => {
    await fc.assert(
      fc.asyncProperty(budgets, gaps, fc.integer({ min: 0, max: 86_399_999 }), async (budget, steps, start) => {
        const clock = clockAt(Date.UTC(2026, 2, 1) + start);
        const store = new LocalLimiter(clock);
        for (const step of steps) {
          clock.pass(step);
          const admission = await store.admit('acc', budget, noneYet);
          if (admission.admitted) continue;
          const wait = retryAfterSeconds(admission.retryAfterMs) * 1_000;
          expect(Number.isInteger(wait / 1_000) && wait >= 1_000).toBe(true);
          clock.pass(wait - 1_000);
          const early = await store.admit('acc', budget, noneYet);
          expect(early.admitted && wait > 1_000).toBe(false);
          clock.pass(1_000);
          expect(await store.admit('acc', budget, noneYet)).toMatchObject({ admitted: true });
        }
      }),
    );
  });

  it('count fractions of a millisecond on the safe side', async () => {
    const clock = clockAt(NOON);
    const store = new LocalLimiter(clock);
    const budget: Budget = { perMinute: 1, perDay: null };
    clock.pass(0.999);
    await store.admit('acc', budget, noneYet);
    clock.pass(MINUTE);
    expect(await store.admit('acc', budget, noneYet)).toMatchObject({ admitted: false, retryAfterMs: 1 });
    clock.pass(1);
    expect(await store.admit('acc', budget, noneYet)).toMatchObject({ admitted: true });
  });

  it('keep the minute when the wall clock jumps, and read the day from the database again', async () => {
    const clock = clockAt(NOON);
    const store = new LocalLimiter(clock);
    const budget: Budget = { perMinute: 3, perDay: 100 };
    await store.admit('acc', budget, noneYet);
    clock.setWall(NOON + 3 * 86_400_000);
    expect(await store.admit('acc', budget, noneYet)).toMatchObject({ minuteUsed: 2, dayUsed: 1 });
    clock.setWall(NOON - 3_600_000);
    const oneWritten = () => Promise.resolve(1);
    expect(await store.admit('acc', budget, oneWritten)).toMatchObject({ minuteUsed: 3, dayUsed: 2 });
    expect(await store.admit('acc', budget, noneYet)).toMatchObject({ refusedBy: 'minute' });
    clock.pass(MINUTE + 1);
    expect(await store.admit('acc', budget, noneYet)).toMatchObject({ admitted: true, dayUsed: 3 });
  });
});

describe('evaluate', () => {
  const full = { minuteUsed: 5, oldestAge: 30_000, blockingAge: 30_000, dayUsed: 10 };

  it("returns the day's wait if both windows refuse", () => {
    const admission = evaluate({ perMinute: 5, perDay: 10 }, { ...full, wallNow: NOON }, 'memory');
    expect(admission).toMatchObject({ refusedBy: 'day', retryAfterMs: 12 * 3_600_000, day: '2026-03-01' });
  });

  it('never promises midnight if the minute refuses for longer', () => {
    const wallNow = Date.UTC(2026, 2, 2) - 10_000;
    const admission = evaluate({ perMinute: 5, perDay: 10 }, { ...full, wallNow }, 'memory');
    expect(admission).toMatchObject({ refusedBy: 'day', retryAfterMs: 30_001, dayResetMs: 10_000 });
  });

  it('starts a day at midnight', () => {
    expect(untilMidnight(Date.UTC(2026, 2, 2) - 1)).toBe(1);
    expect(untilMidnight(Date.UTC(2026, 2, 2))).toBe(86_400_000);
  });
});
