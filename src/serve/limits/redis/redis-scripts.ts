/**
 * Admits a request if both windows have room, in one step on Redis' clock.
 * KEYS: a sorted set (member: one request or one leased token; score: when it was admitted, or when the lease ends), a
 * hash (`day`, `n`: its count), and the registry of instances, which a cluster stores on another node and leaves out.
 * ARGV: per minute, per day (-1: none), baseline day (-1: none), baseline count, name of the request, length of a lease
 * in ms, tokens wanted, and the names of tokens that come back unused.
 * Returns the windows before the request, the tokens granted, and the tokens leased to instances if only these refuse it.
 */
export const ADMIT_SCRIPT = `
local minute, daily, registry = KEYS[1], KEYS[2], KEYS[3]
local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local baselineDay, baseline, request = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local leaseMs, wanted = tonumber(ARGV[6]), tonumber(ARGV[7])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local day = math.floor(now / 86400000)

-- The first write only removes: Redis allows it at maxmemory, and then the rest of the script as well.
redis.call('ZREMRANGEBYSCORE', minute, '-inf', string.format('(%.0f', now - 60000))
if #ARGV > 7 then redis.call('ZREM', minute, unpack(ARGV, 8)) end
local leased = redis.call('ZCOUNT', minute, string.format('(%.0f', now), '+inf')
if leased > 0 then
  -- A clock that was set back must not keep requests for longer than a lease and a minute.
  local last = now + leaseMs
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', minute, string.format('(%.0f', last), '+inf')) do
    redis.call('ZADD', minute, 'XX', last, member)
  end
end

local dayUsed = 0
if perDay >= 0 then
  local known = redis.call('HMGET', daily, 'day', 'n')
  if tonumber(known[1]) == day then
    dayUsed = tonumber(known[2])
  else
    if baselineDay ~= day then return {'unknown_day', now} end
    dayUsed = baseline
    redis.call('HSET', daily, 'day', day, 'n', dayUsed)
    redis.call('PEXPIREAT', daily, (day + 1) * 86400000 + 3600000)
    if registry and not known[1] then
      -- Redis may have lost this account's minute: assume the worst that the database's count allows, less a quarter.
      -- Instances write their counts within two seconds: until then, an account may have used its whole minute. This
      -- instance has registered: without a registry, Redis lost it.
      redis.call('HSETNX', registry, 'since', now)
      local since = tonumber(redis.call('HGET', registry, 'since'))
      local lost = perMinute
      if now - since >= 2000 then lost = math.min(perMinute, baseline) end
      if now - since < 60000 then
        for index = 1, lost - math.floor(perMinute / 4) do
          redis.call('ZADD', minute, since, 'lost:' .. index)
          redis.call('PEXPIRE', minute, 61000)
        end
      end
    end
  end
end

local used = redis.call('ZCARD', minute)
local oldestAge, blockingAge = -1, -1
if used > 0 then
  oldestAge = math.max(0, now - tonumber(redis.call('ZRANGE', minute, 0, 0, 'WITHSCORES')[2]))
  if used >= perMinute then
    local blocking = used - perMinute
    blockingAge = math.max(0, now - tonumber(redis.call('ZRANGE', minute, blocking, blocking, 'WITHSCORES')[2]))
  end
end
local dayHasRoom = perDay < 0 or dayUsed < perDay
local granted, tokens = 0, {}
if used < perMinute and dayHasRoom then
  redis.call('ZADD', minute, now, request)
  redis.call('PEXPIRE', minute, 61000 + leaseMs)
  if perDay >= 0 then redis.call('HINCRBY', daily, 'n', 1) end
  -- Only from ample room, which the account can hardly use up before the lease ends.
  if wanted > 0 and 2 * (used + 1 + wanted) <= perMinute and (perDay < 0 or dayUsed + 2 * perMinute < perDay) then
    granted = wanted
    for index = 1, wanted do redis.call('ZADD', minute, now + leaseMs, request .. '.' .. index) end
  end
elseif dayHasRoom and leased > 0 and used - leased < perMinute then
  tokens = redis.call('ZRANGEBYSCORE', minute, string.format('(%.0f', now), '+inf')
end
return {'done', now, used, oldestAge, blockingAge, dayUsed, leased, granted, tokens}
`;

/**
 * Changes what an earlier command counted. ARGV: the name of its request or token, the day in which it was counted, what
 * to add to the day's count, and the length in ms of the lease that the entry becomes; 0: it counts from now; -1: it is
 * removed. Returns 1 if there was such an entry.
 */
export const SETTLE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local leaseMs = tonumber(ARGV[4])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if leaseMs < 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], 'XX', now + leaseMs, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], 61000 + leaseMs)
end
if redis.call('HGET', KEYS[2], 'day') == ARGV[2] then redis.call('HINCRBY', KEYS[2], 'n', ARGV[3]) end
return 1
`;

/**
 * Raises a day's count to at least the database's. A day that Redis lacks needs nothing: its first request starts from
 * the database.
 */
export const RAISE_DAY_SCRIPT = `
local known = redis.call('HMGET', KEYS[1], 'day', 'n')
if known[1] == ARGV[1] and tonumber(known[2]) < tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'n', ARGV[2])
end
return 1
`;

/**
 * Registers an instance for a minute, and reports the others. Writes, because a replica answers PING too.
 * KEYS: the registry (field: an instance; value: when it joined, the newest registry that it knows, when it was last
 * seen, whether it has a share). ARGV: the instance, the newest registry that it knows, whether it used its share in the
 * last minute, and whether it was without Redis for longer than a minute. An instance gets a share once all others know
 * it and none has used its own in the last minute.
 * Returns Redis' clock, 1 with a share, when Redis was back after more than a minute without it, and the instances.
 */
export const REGISTER_SCRIPT = `
local registry, id = KEYS[1], ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- The first write only removes, because a full Redis still admits.
redis.call('HDEL', registry, '')
redis.call('HSETNX', registry, 'since', now)
local joined, share, others, isNew = now, 0, {}, true
local fields = redis.call('HGETALL', registry)
local isKnown, isQuiet, isAlone = true, true, true
for index = 1, #fields, 2 do
  local name = fields[index]
  local j, k, s, has, used = string.match(fields[index + 1], '^(%d+) (%d+) (%d+) (%d) (%d)$')
  if name == id then
    joined, share, isNew = tonumber(j), tonumber(has), false
  elseif j and tonumber(s) < now - 60000 then
    redis.call('HDEL', registry, name)
  elseif j then
    others[#others + 1] = { name, tonumber(k) }
    isQuiet, isAlone = isQuiet and used == '0', false
  end
end
-- While others reach Redis, one that did not reach it must not narrow the limits of all.
if ARGV[4] == '1' and isAlone then redis.call('HSET', registry, 'returned', now, 'since', 0) end
local returned = tonumber(redis.call('HGET', registry, 'returned') or 0)
-- An instance that knew a registry is missing in this one: Redis lost its memory. After more than a minute without
-- Redis, the limits of all accounts are narrow anyway.
if isNew and ARGV[2] ~= '0' and now - returned > 70000 then redis.call('HSET', registry, 'since', now) end
for _, other in ipairs(others) do isKnown = isKnown and other[2] >= joined end
if isKnown and isQuiet and now - joined >= 1000 then share = 1 end
redis.call('HSET', registry, id, string.format('%.0f %s %.0f %d %s', joined, ARGV[2], now, share, ARGV[3]))
local reply = { now, share, returned, id }
for _, other in ipairs(others) do reply[#reply + 1] = other[1] end
return reply
`;
