import { LocalLimiter } from '../../src/limits/local-limiter.js';
import { NO_BASELINE } from '../../src/limits/rate-limit-store.js';

const BUDGET = { perMinute: 5, perDay: 100 };

describe('The local limiter, starting from the last counts of Redis', () => {
  function limiterAt(at: number) {
    const clock = { at, monotonic: () => clock.at, wall: () => clock.at };
    const limiter = new LocalLimiter(clock, 'fallback');
    const admit = async () => (await limiter.admit('acc', BUDGET, NO_BASELINE)).admitted;
    return { clock, limiter, admit };
  }

  const reported = { blockingAge: null, wallNow: 1_000_000 };

  it('admits the remaining requests', async () => {
    const { limiter, admit } = limiterAt(1_000_000);
    limiter.synchronize('acc', BUDGET, { ...reported, minuteUsed: 3, oldestAge: 10, dayUsed: 40 });
    expect([await admit(), await admit(), await admit()]).toEqual([true, true, false]);
  });

  it('admits nothing in an exhausted day', async () => {
    const { limiter, admit } = limiterAt(1_000_000);
    limiter.synchronize('acc', BUDGET, { ...reported, minuteUsed: 0, oldestAge: null, dayUsed: 100 });
    expect(await admit()).toBe(false);
  });

  it('lets requests expire evenly between the oldest one and the report', async () => {
    const { clock, limiter, admit } = limiterAt(1_000_000);
    limiter.synchronize('acc', BUDGET, { ...reported, minuteUsed: 5, oldestAge: 40_000, dayUsed: 5 });
    expect(await admit()).toBe(false);
    clock.at += 20_001;
    expect([await admit(), await admit()]).toEqual([true, false]);
    clock.at += 40_000;
    expect([await admit(), await admit()]).toEqual([true, true]);
  });

  it('keeps the requests that it admitted alone, which Redis does not report', async () => {
    const { clock, limiter, admit } = limiterAt(1_000_000);
    expect([await admit(), await admit()]).toEqual([true, true]);
    clock.at += 10;
    limiter.synchronize('acc', BUDGET, { ...reported, minuteUsed: 2, oldestAge: 30_000, dayUsed: 4 });
    expect([await admit(), await admit()]).toEqual([true, false]);
  });

  it('assumes that an unreported minute contains the whole day', async () => {
    const { limiter } = limiterAt(1_000_000);
    const inDatabase = (used: number) => () => Promise.resolve(used);
    expect(await limiter.peekUpperBound('fresh', BUDGET, inDatabase(2))).toMatchObject({ minuteUsed: 2 });
    expect(await limiter.peekUpperBound('busy', BUDGET, inDatabase(60))).toMatchObject({ minuteUsed: 60 });
    limiter.synchronize('known', BUDGET, { ...reported, minuteUsed: 1, oldestAge: 5, dayUsed: 60 });
    expect(await limiter.peekUpperBound('known', BUDGET, inDatabase(60))).toMatchObject({ minuteUsed: 1 });
  });
});
