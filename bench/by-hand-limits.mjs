// Both windows in one step, by hand: a rolling minute and the UTC day, in Redis or in this process.
import { Redis } from 'ioredis';

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

/** @returns a function that admits or refuses one request of an account, with the state of both windows */
export async function redisLimits(url) {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // A long time-out: without a fallback, a short one would only cause errors.
    commandTimeout: 1_000,
    scripts: { admit: { lua: ADMIT, numberOfKeys: 2 } },
  });
  redis.on('error', () => undefined);
  await redis.connect();
  const prefix = `byhand:${process.pid}`;
  let requests = 0;
  return async (account, perMinute, perDay) => {
    const today = Math.floor(Date.now() / 86_400_000);
    const [admitted, minute, day, resetMs] = await redis.admit(
      `${prefix}:{${account}}:m`,
      `${prefix}:{${account}}:${today}`,
      perMinute,
      perDay,
      (requests += 1),
    );
    return { admitted: admitted === 1, minute, day, resetMs };
  };
}

export function memoryLimits() {
  const accounts = new Map();
  return (account, perMinute, perDay) => {
    const now = Date.now();
    const today = Math.floor(now / 86_400_000);
    let held = accounts.get(account);
    if (held === undefined) accounts.set(account, (held = { times: [], day: 0, today }));
    if (held.today !== today) Object.assign(held, { today, day: 0 });
    while (held.times.length > 0 && held.times[0] <= now - 60_000) held.times.shift();
    const admitted = held.times.length < perMinute && held.day < perDay;
    if (admitted) {
      held.times.push(now);
      held.day += 1;
    }
    const resetMs = (held.times[0] ?? now) + 60_000 - now;
    return { admitted, minute: held.times.length, day: held.day, resetMs };
  };
}
