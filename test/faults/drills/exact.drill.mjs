import { loadavg } from 'node:os';
import { burnCores } from '../cluster/burn-cores.mjs';
import { burst, request, startLoad, statuses, tool } from '../cluster/load.mjs';
import { admittedAlone, allCountInRedis, lateRefusals } from './admitted-alone.mjs';
import { atMost } from './checks.mjs';
import { spendDay } from './spend-day.mjs';

const ASKS = [request('/api/v1/topics'), tool('latest_brief'), request('/api/v1/changes?limit=5')];
const PER_MINUTE = { free: 1, pro: 5, intelligence: 60, developer: 120 };
const INSTANCES = 4;
const KEYS = 3;
/** The remaining requests of the day, for an account that has used the others. */
const LEFT_OF_DAY = 7;

const contention = `10 × N concurrent requests over ${INSTANCES} instances, keys shared, HTTP and MCP mixed`;

export const drills = [
  {
    name: 'exact',
    when: contention,
    promise: 'never more than N are admitted in any window; no round is repeated',
    run: (means) => exactRounds(means, { rollingFor: 'intelligence' }),
  },
  {
    name: 'exact-busy',
    when: `${contention}, and every core of the machine kept busy`,
    promise: 'never more than N are admitted in any window; no round is repeated',
    run: (means) => exactRounds(means, { busy: true }),
  },
];

async function exactRounds({ cluster, short, defer, say }, { busy = false, rollingFor = null }) {
  const it = await cluster({ instances: INSTANCES });
  const endBurning = busy ? await burnCores(defer) : null;
  const repeats = short ? 3 : 20;
  const plans = Object.entries(PER_MINUTE);
  const [aloneBefore, lateBefore, loadBefore] = [await admittedAlone(it), await lateRefusals(it), loadavg()[0]];
  const rounds = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [plan, allowed] of plans) rounds.push(await contend(it, plan, { allowed }));
    rounds.push(await contend(it, 'intelligence', { allowed: LEFT_OF_DAY, day: true }));
  }
  const load = [loadBefore, loadavg()[0]];
  const alone = (await admittedAlone(it)) - aloneBefore;
  const late = (await lateRefusals(it)) - lateBefore;
  await endBurning?.();
  const windows = [...plans.map(([plan]) => `the minute of ${plan}`), 'the day of intelligence'];
  const checks = windows.map((what) => {
    const own = rounds.filter((round) => round.what === what);
    const over = own.filter(({ admitted, allowed }) => admitted > allowed);
    const exact = own.filter(({ admitted, allowed }) => admitted === allowed);
    const excess = over.map(({ admitted, allowed }) => `; ${admitted} of ${allowed}`).join('');
    return {
      what: `${what}: rounds with more than N`,
      limit: `0 of ${repeats}`,
      found: `${over.length} of ${own.length}, ${exact.length} exactly N${excess}`,
      met: over.length === 0 && own.length === repeats,
    };
  });
  // Admission control may reject requests on a machine without CPU time: that admits nothing.
  const unavailable = rounds.reduce((sum, round) => sum + round.unavailable, 0);
  const unknown = rounds.reduce((sum, { asked, ...round }) => sum + asked - answered(round), 0);
  checks.push(atMost('responses other than 200, 429 and 503', 0, unknown));
  say(
    `${alone} admitted and ${late} refused without an answer from Redis; load ${load.map((one) => one.toFixed(1)).join(' → ')}`,
  );
  if (rollingFor !== null && !short) checks.push(await rolling(it, rollingFor, say));
  const requests = rounds.reduce((sum, round) => sum + round.asked, 0);
  return {
    checks,
    figures: { rounds: rounds.length, requests, unavailable, alone, late, loadBefore: load[0], loadAfter: load[1] },
  };
}

/** Ten times the limit at once, from all keys of one account. */
async function contend(it, plan, { allowed, day = false }) {
  const asked = allowed * 10;
  const what = day ? `the day of ${plan}` : `the minute of ${plan}`;
  const keys = await sharedKeys(it, plan);
  if (day) await spendDay(it, keys[0].accountId, 20_000 - LEFT_OF_DAY);
  const pairs = Array.from({ length: asked }, (_, index) => ({
    url: it.instances[index % INSTANCES].url,
    ask: ASKS[index % ASKS.length],
    // Not in step with the requests: each key sends each kind of request.
    key: keys[Math.floor(index / ASKS.length) % keys.length].text,
  }));
  await allCountInRedis(it);
  const counts = statuses(await burst(pairs));
  const [admitted, refused, unavailable] = [200, 429, 503].map((status) => counts[status] ?? 0);
  return { what, allowed, asked, admitted, refused, unavailable };
}

const answered = ({ admitted, refused, unavailable }) => admitted + refused + unavailable;

async function sharedKeys(it, plan) {
  const first = await it.key(plan);
  const more = Math.min(KEYS, plan === 'free' ? 2 : KEYS) - 1;
  const others = [];
  for (let count = 0; count < more; count += 1) {
    const { text } = await it.access.createKey(first.email, `shared ${count}`);
    others.push({ ...first, text });
  }
  return [first, ...others];
}

/**
 * Sends requests for two and a half minutes, ten times as often as the plan allows: no 60 s contain more than N. An
 * instance admits a request between its sending and its response, so only spans from a sending to a later response
 * prove anything.
 */
async function rolling(it, plan, say) {
  const allowed = PER_MINUTE[plan];
  const keys = await sharedKeys(it, plan);
  say('a rolling window, for 150 s …');
  await allCountInRedis(it);
  const load = startLoad({ url: it.url, rate: (allowed * 10) / 60, keys, asks: ASKS });
  await load.seconds(150);
  const admitted = (await load.stop()).filter(({ status }) => status === 200);
  const tooMany = admitted.filter((one, index) => {
    const beyond = admitted[index + allowed];
    return beyond !== undefined && beyond.at + beyond.ms - one.at < 60_000;
  });
  const most = 3 * allowed;
  return {
    what: `a rolling minute of ${plan} over 150 s`,
    limit: `at most ${most} admitted, no span of 60 s with more than ${allowed}`,
    found: `${admitted.length} admitted, ${tooMany.length} spans with more`,
    met: admitted.length <= most && admitted.length > 2 * allowed && tooMany.length === 0,
  };
}
