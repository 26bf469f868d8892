import { between, burst, failures, p99, request, startLoad, statuses, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { atMost } from './checks.mjs';

const ASKS = [request('/api/v1/changes?limit=20'), tool('latest_brief'), request('/api/v1/topics')];
const PER_DAY = 100_000;

export const drill = {
  name: 'instance-killed',
  when: 'an instance is killed',
  promise:
    "the load balancer's retry hides it; with Redis up no admitted count is lost there, and the database lacks a second of it at most",
  async run({ cluster, short, say }) {
    const it = await cluster({ instances: 3 });
    const [rate, kills] = short ? [60, 2] : [100, 12];
    const keys = await it.keys(100);
    const load = startLoad({ url: it.url, rate, keys, asks: ASKS });
    await load.seconds(2);
    const gaps = [];
    for (let count = 0; count < kills; count += 1) {
      const victim = it.instances[count % it.instances.length];
      const killedAt = performance.now();
      await victim.kill();
      await load.seconds(1.5);
      await victim.start();
      gaps.push([killedAt, performance.now()]);
      await load.seconds(1);
    }
    const seen = await load.stop();
    say(JSON.stringify(statuses(seen)));
    const away = gaps.flatMap(([from, to]) => between(seen, from, to));

    const answered = keys.map(({ text }) => seen.filter((one) => one.key === text && one.status === 200).length);
    const counted = await countedInRedis(it, keys);
    // Requests that an instance admitted alone, as it does when Redis is late, are not in Redis.
    const alone = aloneOf(it, keys);
    const lost = sum(answered.map((count, index) => Math.max(0, count - counted[index] - alone[index])));
    const twice = answered.map((count, index) => Math.max(0, counted[index] - count));
    const admitted = sum(answered);
    // Each kill may lose the counts of the instance's last second.
    const mayLack = kills * Math.ceil(rate / it.instances.length);
    const written = await writtenDown(it, keys, admitted - mayLack);
    const unwritten = Math.max(0, admitted - written);
    return {
      checks: [
        atMost('failed requests', 0, failures(seen).length),
        atMost('accounts refused within their limits', 0, statuses(seen)[429] ?? 0),
        atMost('admitted requests that Redis has lost', 0, lost),
        atMost('admitted requests not in the database', mayLack, unwritten),
      ],
      figures: {
        kills,
        requests: seen.length,
        countedTwice: sum(twice),
        unwritten,
        admittedAlone: sum(alone),
        asked: retriesOf(it),
        p99While: p99(away),
        p99: p99(seen),
      },
    };
  },
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The day's count of each account, without this request itself. */
async function countedInRedis(it, keys) {
  const seen = await burst(keys.map(({ text }) => ({ url: it.instances[0].url, ask: ASKS[2], key: text })));
  return keys.map(({ text }) => {
    const { headers } = seen.find((one) => one.key === text);
    return PER_DAY - Number(headers['x-ratelimit-remaining-day']) - 1;
  });
}

/** Without the requests of `countedInRedis`. Live instances write the rest within a second. */
async function writtenDown(it, keys, expected) {
  let written = 0;
  const hasAll = async () => {
    const [row] = await it.postgres.query(
      'SELECT coalesce(sum(admitted), 0)::int AS sum FROM daily_usage WHERE account_id = ANY ($1)',
      [keys.map(({ accountId }) => accountId)],
    );
    written = row.sum - keys.length;
    return written >= expected;
  };
  await until(20_000, 'the usage', hasAll, 200).catch(() => undefined);
  return written;
}

/** For each account, from the log: the metrics of a killed instance are lost with it. */
function aloneOf(it, keys) {
  const lines = it.instances.flatMap((one) => one.log()).filter(({ limits }) => limits === 'fallback');
  return keys.map(({ accountId }) => lines.filter(({ account }) => account === accountId).length);
}

/** Requests that nginx sent to more than one instance. */
function retriesOf(it) {
  return it.balancer
    .output()
    .split('\n')
    .filter((line) => /"upstream":"[^"]+ : [^"]+"/.test(line)).length;
}
