// Both windows in one step, by hand: a rolling minute and the UTC day, in Redis.
import { Redis } from 'ioredis';

const PER_MINUTE = 120;
const PER_DAY = 100_000;
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
local minute = redis.call('ZCARD', KEYS[1])
local day = tonumber(redis.call('GET', KEYS[2]) or 0)
local admitted = 0
if minute < tonumber(ARGV[1]) and day < tonumber(ARGV[2]) then
  admitted = 1
  minute = minute + 1
  day = redis.call('INCR', KEYS[2])
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], 61000)
  if day == 1 then redis.call('EXPIRE', KEYS[2], 90000) end
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {admitted, minute, day, tonumber(oldest[2] or now) + 60000 - now}`;

/** @returns a function that admits or refuses one request of an account, with the headers that say so */
export async function openLimits(url) {
  const redis = new Redis(url, { lazyConnect: true, scripts: { admit: { lua: ADMIT, numberOfKeys: 2 } } });
  redis.on('error', () => undefined);
  await redis.connect();
  const prefix = `byhand:${process.pid}`;
  let requests = 0;
  return async (account) => {
    const now = Date.now();
    const [admitted, minute, day, resetMs] = await redis.admit(
      `${prefix}:{${account}}:m`,
      `${prefix}:{${account}}:${Math.floor(now / 86_400_000)}`,
      PER_MINUTE,
      PER_DAY,
      (requests += 1),
    );
    const left = { minute: PER_MINUTE - minute, day: PER_DAY - day };
    const reset = Math.ceil(resetMs / 1_000);
    const midnight = Math.ceil((86_400_000 - (now % 86_400_000)) / 1_000);
    return {
      isAdmitted: admitted === 1,
      headers: {
        'x-ratelimit-limit-minute': PER_MINUTE,
        'x-ratelimit-remaining-minute': left.minute,
        'x-ratelimit-limit-day': PER_DAY,
        'x-ratelimit-remaining-day': left.day,
        'ratelimit-policy': `"minute";q=${PER_MINUTE};w=60, "day";q=${PER_DAY};w=86400`,
        ratelimit: `"minute";r=${left.minute};t=${reset}, "day";r=${left.day};t=${midnight}`,
        ...(admitted !== 1 && { 'retry-after': Math.max(1, reset) }),
      },
    };
  };
}
