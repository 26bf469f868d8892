/**
 * The step that Redis runs: prune, take over what was counted elsewhere, check both windows, count in both as
 * many of the wanted requests as there is room for, first come first.
 * Its keys are a sorted set (member: the request's nonce, score: when) and a hash (day, n: its count,
 * s: when the database had the count it started from, b:*: how far batches of old debts are in n). All times are Redis's own.
 */
export const ADMIT_SCRIPT = `
local minute, daily = KEYS[1], KEYS[2]
local deadline, wanted = tonumber(ARGV[1]), tonumber(ARGV[2])
local perMinute, perDay = tonumber(ARGV[3]), tonumber(ARGV[4])
local knownSeededAt = tonumber(ARGV[5])
local seedDay, seed, seedAge = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local floorDay, floor, floorSeededAt = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local batch, batchDay, batchTotal, batchHeld = ARGV[12], tonumber(ARGV[13]), tonumber(ARGV[14]), ARGV[15]

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if deadline > 0 and now > deadline then return {'late', now} end
local day = math.floor(now / 86400000)

local dayUsed, seededAt = 0, 0
if perDay >= 0 then
  local held = redis.call('HMGET', daily, 'day', 'n', 's')
  if tonumber(held[1]) == day then
    dayUsed, seededAt = tonumber(held[2]), tonumber(held[3])
    -- Somebody else's seed says something else about what the database had.
    if seedDay == day or (knownSeededAt > 0 and knownSeededAt ~= seededAt) then return {'resync', now} end
  else
    if seedDay ~= day then return {'unseeded', now} end
    dayUsed, seededAt = seed, now - seedAge
    redis.call('DEL', daily)
    redis.call('HSET', daily, 'day', day, 'n', seed, 's', seededAt)
    redis.call('PEXPIREAT', daily, (day + 1) * 86400000 + 3600000)
  end
end

redis.call('ZREMRANGEBYSCORE', minute, '-inf', string.format('(%.0f', now - 60000))
-- A clock that was set back must not hold requests for longer than a minute.
if redis.call('ZCOUNT', minute, string.format('(%.0f', now), '+inf') > 0 then
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', minute, string.format('(%.0f', now), '+inf')) do
    redis.call('ZADD', minute, 'XX', now, member)
  end
end

local held = dayUsed
for i = 16 + wanted, #ARGV, 3 do
  local at, writtenAge = now - tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  if at >= now - 60000 and redis.call('ZADD', minute, 'NX', at, ARGV[i]) == 1 then
    redis.call('PEXPIRE', minute, 61000)
    local inSeed = writtenAge >= 0 and now - writtenAge <= seededAt
    if not inSeed and math.floor(at / 86400000) == day then dayUsed = dayUsed + 1 end
  end
end
if perDay >= 0 then
  if batchTotal > 0 and batchDay == day then
    local done = tonumber(redis.call('HGET', daily, 'b:' .. batch) or 0)
    if batchTotal > done then
      -- The count started with what the database had of it; oldest first.
      for age, total in string.gmatch(batchHeld, '(%d+):(%d+)') do
        if now - tonumber(age) > seededAt then break end
        done = math.max(done, tonumber(total))
      end
      dayUsed = dayUsed + batchTotal - done
      redis.call('HSET', daily, 'b:' .. batch, batchTotal)
    end
  end
  if floorDay == day and floorSeededAt == seededAt and floor > dayUsed then dayUsed = floor end
  if dayUsed ~= held then redis.call('HSET', daily, 'n', dayUsed) end
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
local room = perMinute - used
if perDay >= 0 then room = math.min(room, perDay - dayUsed) end
local admitted = math.min(room, wanted)
if admitted > 0 then
  for i = 16, 15 + admitted do redis.call('ZADD', minute, now, ARGV[i]) end
  redis.call('PEXPIRE', minute, 61000)
  if perDay >= 0 then redis.call('HINCRBY', daily, 'n', admitted) end
end
return {'done', now, used, oldestAge, blockingAge, dayUsed, seededAt}
`;

/** Takes one counted request back, when its caller was refused before Redis answered. */
export const TAKE_BACK_SCRIPT = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 and redis.call('HEXISTS', KEYS[2], 'n') == 1 then
  redis.call('HINCRBY', KEYS[2], 'n', -1)
end
return 1
`;

/** Writes, because a replica and a full server still answer PING. Returns Redis's clock, in milliseconds. */
export const PROBE_SCRIPT = `
redis.call('SET', KEYS[1], 1, 'PX', 1000)
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
`;
