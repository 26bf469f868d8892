import { memoryOf } from '../../../bench/processes.mjs';
import { request, send } from '../cluster/load.mjs';
import { atMost, inTime } from './checks.mjs';
import { flood } from './flood.mjs';

/** The share of an instance's maximum throughput that counts as the load that fits. */
const FITS = 0.5;
/** 120 requests a minute each. */
const KEYS = 2_500;
const KINDS = [
  {
    name: 'kept',
    what: 'cache hits',
    paths: ['/api/v1/changes?limit=20', '/api/v1/topics'],
    anew: false,
    // A hit costs about as much as a rejection: beyond twice its maximum, an instance cannot even read the requests.
    times: 2.5,
    // One iteration of the event loop reads from all 1,500 connections at the worst, at 0.06 to 0.1 ms a rejection.
    refusedMs: 150,
  },
  { name: 'anew', what: 'cache misses', paths: ['/api/v1/changes?limit=20'], anew: true, times: 5, refusedMs: 50 },
];
/**
 * The seconds in which the instance distinguishes overload from a burst and rejects the backlog; reported separately.
 */
const SETTLE = 3;
const MORE_MEMORY_MB = 200;
const HEALTH_MS = 250;

export const drill = {
  name: 'overload',
  when: KINDS.map(({ what, times }) => `${times} × the load of ${what} that fits`).join(', '),
  promise: 'accepted requests keep p99 ≤ 3 × normal, the rest get 503 within 150 ms (misses: 50), memory stays bounded',
  async run({ cluster, short, say }) {
    const it = await cluster({ instances: 1, balancer: false, redis: false, environment: { LOG_LEVEL: 'warn' } });
    const keys = (await it.keys(KEYS, 'developer')).map(({ text }) => text);
    const checks = [];
    const figures = {};
    for (const kind of short ? KINDS.slice(0, 1) : KINDS) {
      const outcome = await overload(it.instances[0], { ...kind, keys, short, say });
      checks.push(...outcome.checks);
      figures[kind.name] = outcome.figures;
    }
    return { checks, figures };
  },
};

async function overload(instance, { what, paths, anew, times, refusedMs, keys, short, say }) {
  const of = { port: instance.port, paths, keys, anew };
  const capacity = await maximum(of);
  const fits = Math.round(capacity * FITS);
  const normal = await flood({ ...of, rate: fits, seconds: short ? 2 : 10, connections: 200 });
  const before = memoryOf(instance.pid).resident;
  const watched = watch(instance, SETTLE);
  const over = await flood({
    ...of,
    rate: Math.round(fits * times),
    seconds: SETTLE + (short ? 3 : 15),
    connections: 1_500,
    settle: SETTLE,
  });
  const { health, atFirst, peak } = await watched.end();
  const after = await flood({ ...of, rate: Math.round(fits / 2), seconds: 3, connections: 200, settle: 2 });
  say(`${what}: at most ${Math.round(capacity)} a second; ${fits} a second fit: ${told(normal.statuses)}`);
  say(
    `${Math.round(fits * times)} a second: ${told(over.statuses)}; the first ${SETTLE} s: ${told(over.onset)}; ${over.unsent} unsent, ${over.errors} errors`,
  );
  say(`afterwards: ${told(after.statuses)}`);
  const refused = over.statuses['503'];
  const others = Object.keys(over.statuses).filter((status) => !['200', '503'].includes(status));
  const named = (check) => ({ ...check, what: `${what}: ${check.what}` });
  return {
    checks: [
      inTime('refused at the load that fits', 0, normal.statuses['503']?.count ?? 0),
      inTime('p99 of accepted, ms', normal.statuses['200'].p99 * 3, over.statuses['200']?.p99 ?? Infinity),
      inTime('p99 of rejections, ms', refusedMs, refused?.p99 ?? 0),
      atMost('other responses, and errors', 0, others.length + over.errors),
      atMost('more memory, MB', MORE_MEMORY_MB, peak - before),
      inTime('slowest health check, ms', HEALTH_MS, health),
      inTime('refused two seconds later', 0, after.statuses['503']?.count ?? 0),
    ].map(named),
    figures: {
      capacity,
      fits,
      normal,
      over,
      after,
      grownMb: peak - before,
      slowestHealthMs: health,
      slowestHealthAtFirstMs: atFirst,
    },
  };
}

/** Responses a second at most: the better of two floods, once the engine has compiled what they run. */
async function maximum(of) {
  const best = [];
  for (const seconds of [6, 2, 2]) {
    const { statuses } = await flood({ ...of, seconds, connections: 16 });
    best.push(statuses['200'].count / seconds);
  }
  return Math.max(...best.slice(1));
}

/** Requests the health check and reads the memory five times a second. */
function watch(instance, settle) {
  const settled = performance.now() + settle * 1_000;
  let atFirst = 0;
  let health = 0;
  let peak = 0;
  let asking = Promise.resolve();
  const look = async () => {
    peak = Math.max(peak, memoryOf(instance.pid).resident);
    const isOnset = performance.now() < settled;
    const { status, ms } = await send(instance.url, request('/health/live'), 'none');
    const took = status === 200 ? ms : Infinity;
    if (isOnset) atFirst = Math.max(atFirst, took);
    else health = Math.max(health, took);
  };
  const timer = setInterval(() => (asking = asking.then(look)), 200);
  return {
    end: async () => {
      clearInterval(timer);
      await asking;
      return { health, atFirst, peak };
    },
  };
}

const rounded = (ms) => Math.round(ms * 10) / 10;
const told = (statuses) =>
  Object.entries(statuses)
    .map(
      ([status, { count, p50, p99, max }]) =>
        `${count} × ${status} (p50 ${rounded(p50)}, p99 ${rounded(p99)}, max ${rounded(max)} ms)`,
    )
    .join(', ') || 'nothing';
