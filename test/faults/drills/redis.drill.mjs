import { between, burst, failures, p99, request, startLoad, statuses, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { admittedAlone, everyInstanceSays } from './admitted-alone.mjs';
import { atMost, exactly, inTime } from './checks.mjs';
import { spendDay } from './spend-day.mjs';

const INSTANCES = 3;
const ASKS = [request('/api/v1/changes?limit=20'), tool('latest_brief'), request('/api/v1/topics')];
const PRO = { perMinute: 5, perDay: 5_000 };
const ADDED_MS = 25;
const HEALED_MS = 2_000;
/** The longest that a caller waits for Redis before the breaker opens. */
const WAIT_MS = 250;
const SAME = `no 5xx, at most ${WAIT_MS} ms more until the breaker opens and ${ADDED_MS} ms more at p99 from then on, all instances together admit at most 1.25 times the plan's minute, healed within 2 s of its return, the day raised to what the database has, the metric says so`;

/** How Redis fails and recovers. */
const FAULTS = [
  ['redis-killed', 'Redis is killed', (redis) => redis.kill(), (redis) => redis.start()],
  ['redis-frozen', 'Redis is frozen', (redis) => redis.freeze(), (redis) => redis.thaw()],
  ['redis-slow', 'Redis takes 600 ms', (redis) => redis.delay(300), (redis) => redis.delay(0)],
  // Longer than an instance keeps a silent connection: the next one is accepted, and is silent too.
  [
    'redis-cut-off',
    'connections to Redis are accepted and stay silent for 4.5 s and more',
    (redis) => redis.silence(),
    (redis) => redis.mend(),
    4_500,
  ],
];

export const drills = [
  ...FAULTS.map(([name, when, goes, returns, atLeastMs]) => ({
    name,
    when,
    promise: SAME,
    run: (means) => outage(means, goes, returns, atLeastMs),
  })),
  {
    name: 'redis-full',
    when: 'Redis is full (maxmemory 1, noeviction)',
    promise: `no 5xx, no false 429, at most ${ADDED_MS} ms more at p99, and limits stay exact over all instances`,
    run: full,
  },
  {
    name: 'redis-flushed',
    when: 'Redis is flushed',
    promise: `no 5xx, no false 429, at most ${ADDED_MS} ms more at p99, and the day's count is restored from the database`,
    run: flushed,
  },
  {
    name: 'redis-failed-over',
    when: 'Redis fails over to its replica',
    promise: SAME,
    // The last fault: afterwards there is no replica.
    run: (means) => outage(means, (redis) => redis.kill(), moveToReplica),
  },
];

const moveToReplica = (redis) => redis.failOver();

const shared = { share: 'redis', instances: INSTANCES, delayable: ['redis'], redisReplica: true };

async function outage({ cluster, short, say }, goes, returns, atLeastMs = 0) {
  const it = await cluster(shared);
  const run = await underLoad(it, short);
  await until(5_000, 'Redis to be up', () => everyInstanceSays(it, 'up'));
  const before = await counters(it);
  // Redis and one instance both know one request of the account, so that instance may admit one fewer.
  const account = await it.key('pro');
  await askOnce(it, 0, account.text);
  await run.calm();

  const goneAt = performance.now();
  await goes(it.redis);
  const noticedMs = await until(5_000, 'Redis to be given up', () => everyInstanceSays(it, 'down'), 20);
  const noticedAt = performance.now();
  await run.hold();
  await run.wait(Math.max(0, goneAt + atLeastMs - performance.now()) / 1_000);
  // Only afterwards, so that its burst does not disturb the latency measurement.
  const rushedAt = performance.now();
  const caps = await cappedAlone(it, account);
  const backAt = performance.now();
  await returns(it.redis);
  await until(30_000, 'Redis to be taken up', () => everyInstanceSays(it, 'up'), 20);
  const healedMs = performance.now() - backAt;
  const raised = await dayAfterReturn(it, caps);
  const seen = await run.end();
  const after = await counters(it);
  const added = addedMs(seen, { ...run, goneAt, lookedFrom: noticedAt, lookedUntil: rushedAt, backAt });
  const slowestOf = (some) => Math.max(0, ...some.map(({ ms }) => ms));
  const slowest = slowestOf(between(seen, goneAt, noticedAt));
  const slowestBefore = slowestOf(between(seen, run.calmSince, goneAt));
  const meanwhile = statuses(between(seen, goneAt, backAt + healedMs));
  say(
    `noticed after ${noticedMs.toFixed(0)} ms; ${JSON.stringify(statuses(seen))}, of these meanwhile ${JSON.stringify(meanwhile)}`,
  );

  return {
    checks: [
      // Meanwhile, an instance refuses what neither a lease nor the reserve admits (ADR 2): the figures say how many.
      // One that was under way when Redis went belongs to the outage.
      ...nobodyWasHurt(seen, added, (one) => one.at + one.ms < goneAt || one.at > backAt + healedMs),
      inTime('ms of the slowest answer until the breaker opened', slowestBefore + WAIT_MS, slowest),
      atMost(
        'admitted to a Pro account, by all instances together',
        Math.floor(1.25 * PRO.perMinute),
        caps.admitted.reduce((sum, one) => sum + one, 0),
      ),
      inTime('ms from its return until every instance counts in it', HEALED_MS, healedMs),
      exactly("that account's day in Redis afterwards, less what the database has", 0, raised.less),
      {
        what: 'breaker openings and admissions without Redis, in the metrics of each instance',
        limit: '> 0 each',
        found: after.map((one, index) => describe(one, before[index])).join('; '),
        met: after.every((one, index) => one.opens > before[index].opens && one.alone > before[index].alone),
      },
    ],
    figures: { ...figuresOf(seen, added), noticedMs, slowestUntilNoticed: slowest, healedMs },
  };
}

async function full({ cluster, short, say }) {
  const it = await cluster(shared);
  const run = await underLoad(it, short);
  await until(5_000, 'Redis to be up', () => everyInstanceSays(it, 'up'));
  const account = await it.key('pro');
  await run.calm();
  const goneAt = performance.now();
  await it.redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await it.redis.command('CONFIG', 'SET', 'maxmemory', '1');
  const refusal = await it.redis.command('SET', 'key', 'value').catch(({ message }) => message);
  const alone = await admittedAlone(it);
  await run.hold();
  const rushedAt = performance.now();
  const caps = await cappedAlone(it, account, 0);
  const aloneThen = (await admittedAlone(it)) - alone;
  await it.redis.command('CONFIG', 'SET', 'maxmemory', '0');
  const backAt = performance.now();
  const seen = await run.end();
  const added = addedMs(seen, { ...run, goneAt, lookedFrom: goneAt, lookedUntil: rushedAt, backAt });
  say(`${JSON.stringify(statuses(seen))}; a plain SET: ${refusal}`);
  return {
    checks: [
      ...nobodyWasHurt(seen, added),
      exactly('Redis refused a plain SET', 'OOM', String(refusal).slice(0, 3)),
      exactly(
        'admitted to a Pro account, by all instances together',
        PRO.perMinute,
        caps.admitted.reduce((sum, one) => sum + one, 0),
      ),
      exactly('requests admitted without Redis', 0, aloneThen),
    ],
    figures: figuresOf(seen, added),
  };
}

async function flushed({ cluster, short, say }) {
  const it = await cluster(shared);
  const run = await underLoad(it, short);
  // A Redis that lost its memory admits a quarter of the minute to an account with requests of today.
  const spent = await it.key('intelligence');
  await spendDay(it, spent.accountId, 20_000 - 3);
  const first = await askOnce(it, 0, spent.text);
  await run.calm();

  const flushes = short ? 3 : 20;
  const before = await baselines(it);
  const goneAt = performance.now();
  for (let count = 0; count < flushes; count += 1) {
    await it.redis.flush();
    await run.wait(1);
  }
  const backAt = performance.now();
  const then = [];
  for (let index = 0; index < 3; index += 1) then.push(await askOnce(it, index, spent.text));
  const seen = await run.end();
  const added = addedMs(seen, { ...run, goneAt, lookedFrom: goneAt, lookedUntil: backAt, backAt });
  const restored = (await baselines(it)) - before;
  const forgotten = await forgottenOf(it, run.keys, seen);
  say(
    `${JSON.stringify(statuses(seen))}; of ${forgotten.admitted} admitted, counted twice: ${forgotten.twice}, forgotten: ${forgotten.sum}`,
  );

  const left = [first, ...then].map(({ status, headers }) => `${status}, ${headers['x-ratelimit-remaining-day']} left`);
  return {
    checks: [
      ...nobodyWasHurt(seen, added),
      exactly(
        'an account with 3 left of its day, asking once before and three times after the flushes',
        '200, 2 left; 200, 1 left; 200, 0 left; 429, 0 left',
        left.join('; '),
      ),
      atMost(`requests forgotten by an account's day, in ${flushes} flushes`, 1, forgotten.worst),
      atMost('requests counted twice, of all in percent', 1, (100 * forgotten.twice) / forgotten.admitted),
      {
        what: 'days begun anew from the database, in the metrics of all instances, a flush',
        limit: '≥ 1',
        found: Number((restored / flushes).toFixed(1)),
        met: restored >= flushes,
      },
    ],
    figures: {
      ...figuresOf(seen, added),
      flushes,
      forgotten: forgotten.sum,
      twice: forgotten.twice,
      admitted: forgotten.admitted,
    },
  };
}

/** A steady load from many accounts, none of them near a limit. */
async function underLoad(it, short) {
  const keys = await it.keys(short ? 60 : 300);
  const load = startLoad({ url: it.url, rate: short ? 60 : 90, keys, asks: ASKS });
  const [warm, calm, hold] = short ? [1.5, 2, 2] : [5, 15, 20];
  // Code that runs for the first time is slow for other reasons.
  await load.seconds(warm);
  return {
    keys,
    calmSince: performance.now(),
    wait: load.seconds,
    calm: () => load.seconds(calm),
    hold: () => load.seconds(hold),
    end: async () => {
      await load.seconds(calm);
      return load.stop();
    },
  };
}

/** How much slower the fault was than the slower of the periods around it: both contain the machine's own noise. */
function addedMs(seen, { calmSince, goneAt, lookedFrom, lookedUntil, backAt }) {
  const around = [between(seen, calmSince, goneAt), between(seen, backAt + HEALED_MS, Infinity)].map(p99);
  const during = p99(between(seen, lookedFrom, lookedUntil));
  return { around: Math.max(...around), during, added: Math.max(0, during - Math.max(...around)) };
}

function nobodyWasHurt(seen, { added }, isJudged = () => true) {
  const refused = seen.filter((one) => one.status === 429 && isJudged(one));
  return [
    atMost('5xx responses, and broken ones', 0, failures(seen).length),
    atMost('accounts refused that were within their limits', 0, refused.length),
    inTime('ms more at p99', ADDED_MS, added),
  ];
}

function counters(it) {
  return Promise.all(
    it.instances.map(async (one) => ({
      opens: await it.metric(one, 'tidemark_redis_breaker_opens_total'),
      alone:
        (await it.metric(one, 'tidemark_limits_fallback_admissions_total')) +
        (await it.metric(one, 'tidemark_limits_lease_admissions_total')),
    })),
  );
}

/** Of all instances together: any of them may be the first to need an account's count. */
async function baselines(it) {
  const counts = await Promise.all(it.instances.map((one) => it.metric(one, 'tidemark_limits_day_baselines_total')));
  return counts.reduce((sum, count) => sum + count, 0);
}

const describe = (now, then) => `${now.opens - then.opens} and ${now.alone - then.alone}`;

/** Four times the account's minute, sent to each instance separately. */
async function cappedAlone(it, account, before = 1) {
  const asked = it.instances.map(({ url }) =>
    burst(Array.from({ length: 4 * PRO.perMinute }, (_, at) => ({ url, ask: ASKS[at % 3], key: account.text }))),
  );
  const seen = await Promise.all(asked);
  const known = [before, 0, 0];
  return { account, admitted: seen.map((own, index) => known[index] + (statuses(own)[200] ?? 0)) };
}

/** Sends one more request, then waits until the day in Redis equals the database's count of all admitted requests. */
async function dayAfterReturn(it, { account, admitted }) {
  const { status } = await askOnce(it, 0, account.text);
  const expected = admitted.reduce((sum, one) => sum + one, status === 200 ? 1 : 0);
  const redis = it.redis.running ? it.redis : it.redis.follower;
  let used = 0;
  const isRaised = async () => {
    used = Number(await redis.command('HGET', `tm:{${account.accountId}}:d`, 'n'));
    return used >= expected;
  };
  await until(5_000, 'the day in Redis', isRaised, 50).catch(() => undefined);
  return { less: expected - used };
}

async function askOnce(it, index, key) {
  const [seen] = await burst([{ url: it.instances[index].url, ask: ASKS[0], key }]);
  return seen;
}

/** The admissions of accounts by their own count of responses, compared with the day's count afterwards. */
async function forgottenOf(it, keys, seen) {
  const perAccount = keys.map(({ text }) => seen.filter((one) => one.key === text && one.status === 200));
  const missing = await Promise.all(
    keys.map(async ({ text }, index) => {
      const { headers } = await askOnce(it, index % INSTANCES, text);
      const counted = 100_000 - Number(headers['x-ratelimit-remaining-day']);
      return perAccount[index].length + 1 - counted;
    }),
  );
  return {
    worst: Math.max(0, ...missing),
    sum: missing.reduce((sum, one) => sum + Math.max(0, one), 0),
    twice: missing.reduce((sum, one) => sum + Math.max(0, -one), 0),
    admitted: perAccount.reduce((sum, own) => sum + own.length, 0),
  };
}

function figuresOf(seen, { around, during, added }) {
  const [first, last] = [seen[0], seen.at(-1)];
  return {
    requests: seen.length,
    seconds: (last.at - first.at) / 1_000,
    p99Around: around,
    p99During: during,
    p99Added: added,
  };
}
