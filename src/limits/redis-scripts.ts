/**
 * Admits a request if both windows have room, in one step on Redis' clock.
 * KEYS: a sorted set (member: one request; score: when it was admitted) and a hash (`day`, `n`: its count).
 * ARGV: per minute, per day (-1: none), baseline day (-1: none), baseline count, name of the request.
 */
export const ADMIT_SCRIPT = `
local minute, daily = KEYS[1], KEYS[2]
local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local baselineDay, baseline, request = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local day = math.floor(now / 86400000)

-- The first write only removes: Redis allows it at maxmemory, and then the rest of the script as well.
redis.call('ZREMRANGEBYSCORE', minute, '-inf', string.format('(%.0f', now - 60000))
-- A clock that was set back must not keep requests for longer than a minute.
if redis.call('ZCOUNT', minute, string.format('(%.0f', now), '+inf') > 0 then
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', minute, string.format('(%.0f', now), '+inf')) do
    redis.call('ZADD', minute, 'XX', now, member)
  end
end

local dayUsed = 0
if perDay >= 0 then
  local held = redis.call('HMGET', daily, 'day', 'n')
  if tonumber(held[1]) == day then
    dayUsed = tonumber(held[2])
  else
    if baselineDay ~= day then return {'unknown_day', now} end
    dayUsed = baseline
    redis.call('HSET', daily, 'day', day, 'n', dayUsed)
    redis.call('PEXPIREAT', daily, (day + 1) * 86400000 + 3600000)
  end
end

local used = redis.call('ZCARD', minute)
local oldestAge, blockingAge = -1, -1
if used > 0 then
  oldestAge = now - tonumber(redis.call('ZRANGE', minute, 0, 0, 'WITHSCORES')[2])
  if used >= perMinute then
    local blocking = used - perMinute
    blockingAge = now - tonumber(redis.call('ZRANGE', minute, blocking, blocking, 'WITHSCORES')[2])
  end
end
if used < perMinute and (perDay < 0 or dayUsed < perDay) then
  redis.call('ZADD', minute, now, request)
  redis.call('PEXPIRE', minute, 61000)
  if perDay >= 0 then redis.call('HINCRBY', daily, 'n', 1) end
end
return {'done', now, used, oldestAge, blockingAge, dayUsed}
`;

/**
 * Removes a request whose caller was refused before the response arrived. ARGV: its name, the day in which it was
 * counted.
 */
export const REFUND_SCRIPT = `
local removed = redis.call('ZREM', KEYS[1], ARGV[1])
if removed > 0 and redis.call('HGET', KEYS[2], 'day') == ARGV[2] then redis.call('HINCRBY', KEYS[2], 'n', -1) end
return removed
`;

/**
 * Raises a day's count to at least the database's. A day that Redis lacks needs nothing: its first request starts from
 * the database.
 */
export const RAISE_DAY_SCRIPT = `
local held = redis.call('HMGET', KEYS[1], 'day', 'n')
if held[1] == ARGV[1] and tonumber(held[2]) < tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'n', ARGV[2])
end
return 1
`;

/** Writes, because a replica answers PING too; and only removes, because a full Redis still admits. Returns Redis' clock. */
export const PROBE_SCRIPT = `
redis.call('DEL', KEYS[1])
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
`;
