import path from 'node:path';
import { burst, request, statuses, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { admittedAlone, allCountInRedis } from './admitted-alone.mjs';
import { exactly } from './checks.mjs';
import { spendDay } from './spend-day.mjs';

const HOUR = 3_600_000;
/** The promise covers an hour each way; the full form adds whole days, because an hour seldom crosses midnight. */
const OFFSETS = { short: [HOUR, -HOUR], full: [HOUR, -HOUR, 24 * HOUR, -24 * HOUR] };
const INSTANCES = 3;
const ASKS = [request('/api/v1/topics'), tool('latest_brief')];
const TRIES = 10;
const USAGE = `
  SELECT count(DISTINCT day)::int AS days, sum(admitted)::int AS sum FROM daily_usage WHERE account_id = ANY ($1)`;
const PRO = { perMinute: 5 };
/** A new Redis admits a quarter of a minute to an account that the database counts today: two requests fit into it. */
const DEVELOPER = { perDay: 100_000 };

export const drill = {
  name: 'clock',
  when: 'the clock jumps an hour, and a day, forth and back on one instance',
  promise: "limits follow the store's clock",
  async run({ cluster, short, say }) {
    const offsets = OFFSETS[short ? 'short' : 'full'];
    const shifting = path.join(import.meta.dirname, 'shifting-clock.mjs');
    const it = await cluster({
      instances: INSTANCES,
      nodeArgs: (index) => (index === 0 ? ['--import', shifting] : []),
      environment: (index) => (index === 0 ? { CLOCK_OFFSETS: offsets.join(',') } : {}),
    });
    const rounds = [];
    for (const offset of offsets) {
      say(`${offset / HOUR} h`);
      rounds.push(await jump(it, offset));
    }
    const each = (what, limit, of) => exactly(what, rounds.map(() => limit).join('; '), rounds.map(of).join('; '));
    return {
      checks: [
        each('admitted before and after the jump, of 5 a minute', PRO.perMinute, ({ minute }) => minute),
        each('admitted to an account with 2 left of its day, after the jump', 2, ({ day }) => day),
        each('days that the usage was written under', 1, ({ days }) => days),
        each('responses other than 200 and 429', 0, ({ others }) => others),
        {
          what: 'retry-after of a refusal, on the shifted instance and on others, in s',
          limit: 'within 1 of each other, at most 60',
          found: rounds.map(({ waits }) => waits.join(' and ')).join('; '),
          met: rounds.every(({ waits: [one, other] }) => Math.abs(one - other) <= 1 && Math.max(one, other) <= 60),
        },
      ],
      figures: { offsets: offsets.map((offset) => offset / HOUR), instances: INSTANCES },
    };
  },
};

/**
 * Redis counts before and after the jump. An instance that had no response from Redis in time rightly counts alone;
 * other accounts then show the result.
 */
async function jump(it, offset) {
  const tries = [];
  for (let count = 0; count < TRIES; count += 1) tries.push(await begin(it));
  const [shifted] = it.instances;
  shifted.signal('SIGUSR2');
  const said = `the clock is ${offset} ms off`;
  await until(5_000, 'the jump', () => shifted.output().includes(said));
  for (const [index, begun] of tries.entries()) {
    await allCountInRedis(it);
    const alone = await admittedAlone(it);
    const found = await goOn(it, begun);
    const byRedis = begun.byRedis && (await admittedAlone(it)) === alone;
    if (byRedis || index === TRIES - 1) return found;
  }
}

async function begin(it) {
  const [[minute], [day]] = [await it.keys(1, 'pro'), await it.keys(1, 'developer')];
  await spendDay(it, day.accountId, DEVELOPER.perDay - 2);
  await allCountInRedis(it);
  const alone = await admittedAlone(it);
  const before = await burst(pairs(it, minute, 3));
  return { minute, day, before, byRedis: (await admittedAlone(it)) === alone };
}

async function goOn(it, { minute, day, before }) {
  const after = await burst(pairs(it, minute, 10 * PRO.perMinute));
  const late = await burst(pairs(it, day, 10));
  const [here, there] = await burst(pairs(it, minute, 2));
  const seen = [...before, ...after, ...late];
  const expected = DEVELOPER.perDay - 2 + admitted(seen);
  let days = 0;
  await until(5_000, 'the usage in the database', async () => {
    const [row] = await it.postgres.query(USAGE, [[minute.accountId, day.accountId]]);
    days = row.days;
    return row.sum >= expected;
  });
  return {
    minute: admitted(before) + admitted(after),
    day: admitted(late),
    days,
    others: seen.filter(({ status }) => status !== 200 && status !== 429).length,
    waits: [here, there].map(({ headers }) => Number(headers['retry-after'])),
  };
}

const admitted = (seen) => statuses(seen)[200] ?? 0;

/** Over all instances in turn, the shifted one first. */
function pairs(it, { text }, count) {
  return Array.from({ length: count }, (_, index) => ({
    url: it.instances[index % INSTANCES].url,
    ask: ASKS[index % ASKS.length],
    key: text,
  }));
}
