import { LocalLimiter } from '../../src/serve/limits/local-limiter.js';
import { NO_BASELINE } from '../../src/serve/limits/rate-limit-store.js';

const BUDGET = { perMinute: 5, perDay: 100 };
const TODAY = 20_000;
const NOON = TODAY * 86_400_000 + 43_200_000;

describe('The local limiter beside Redis', () => {
  function limiterOf() {
    const limiter = new LocalLimiter({ monotonic: () => 1_000, wall: () => NOON }, 'fallback');
    const admit = async () => (await limiter.admit('acc', BUDGET, NO_BASELINE)).admitted;
    return { limiter, admit };
  }

  it('admits nothing in a day that Redis reported as exhausted', async () => {
    const { limiter, admit } = limiterOf();
    limiter.report('acc', TODAY, 100);
    expect(await admit()).toBe(false);
  });

  it('keeps what it counted when Redis reports less', async () => {
    const { limiter, admit } = limiterOf();
    limiter.report('acc', TODAY, 98);
    expect(await admit()).toBe(true);
    limiter.countDay('acc', TODAY);
    limiter.report('acc', TODAY, 98);
    expect(await admit()).toBe(false);
    expect(limiter.reportedDay('acc')).toEqual({ day: TODAY, used: 98 });
  });
});
