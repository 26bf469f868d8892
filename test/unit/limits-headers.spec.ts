import { limitHeaders } from '../../src/serve/limits/rate-limit-headers.js';
import type { RateLimitResult } from '../../src/serve/limits/rate-limit-store.js';

function admission(of: Partial<RateLimitResult> = {}): RateLimitResult {
  return {
    admitted: true,
    refusedBy: null,
    minuteUsed: 3,
    dayUsed: 70,
    day: '2026-03-01',
    retryAfterMs: 0,
    minuteResetMs: 41_001,
    dayResetMs: 3_600_000,
    via: 'memory',
    ...of,
  };
}

describe('limitHeaders', () => {
  it('states both windows after the request', () => {
    expect(limitHeaders('intelligence', admission())).toEqual({
      'x-ratelimit-limit-minute': '60',
      'x-ratelimit-limit-day': '20000',
      'x-ratelimit-remaining-minute': '57',
      'x-ratelimit-remaining-day': '19930',
      'ratelimit-policy': '"minute";q=60;w=60, "day";q=20000;w=86400',
      ratelimit: '"minute";r=57;t=42, "day";r=19930;t=3600',
    });
  });

  it('adds the time of the next attempt to a refusal', () => {
    const refused = admission({ admitted: false, refusedBy: 'minute', retryAfterMs: 1_001 });
    expect(limitHeaders('free', refused)).toMatchObject({ 'retry-after': '2' });
  });

  it('never goes below zero, as after a downgrade', () => {
    const over = admission({ minuteUsed: 60, dayUsed: 20_000 });
    expect(limitHeaders('free', over)).toMatchObject({
      'x-ratelimit-remaining-minute': '0',
      'x-ratelimit-remaining-day': '0',
    });
  });
});
