import { p99, quantile, request, startLoad, statuses, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';

const RATE = 200;
/** 120 requests a minute each. */
const KEYS = 140;
const ASKS = [
  request('/api/v1/changes?limit=5'),
  request('/api/v1/macro/gdp-growth?region=JP'),
  tool('latest_brief'),
  request('/api/v1/following'),
];
/** As long as the load balancer leaves an instance alone that it could not reach. */
const LEFT_ALONE_MS = 2_500;

export const drill = {
  name: 'rolling-restart',
  when: `an instance gets SIGTERM at ${RATE} requests a second, again and again`,
  promise: 'no failed request; ready turns off first, connections drain, exit within 10 s',
  async run({ cluster, short, say }) {
    const it = await cluster({ instances: 3 });
    const keys = await it.keys(KEYS, 'developer');
    const load = startLoad({ url: it.url, rate: RATE, keys, asks: ASKS });
    await load.seconds(1);
    const restarts = [];
    for (let restart = 0; restart < (short ? 2 : 20); restart += 1) {
      restarts.push(await replace(it.instances[restart % it.instances.length]));
      await load.seconds(LEFT_ALONE_MS / 1_000);
    }
    const seen = await load.stop();
    const failed = seen.filter(({ status }) => status !== 200);
    if (failed.length > 0) say(`failed: ${JSON.stringify(statuses(failed))}`);
    if (failed.length > 0) {
      for (const one of it.instances) say(`${one.name}: ${reasons(one)}`);
      say(`nginx: ${refusals(it.balancer)}`);
    }
    const slowest = Math.max(...restarts.map(({ exitMs }) => exitMs));
    const clean = restarts.filter(({ code }) => code === 0).length;
    const inOrder = restarts.filter(({ unreadyAt, deafAt }) => unreadyAt < deafAt).length;
    const all = restarts.length;
    return {
      checks: [
        {
          what: `of ${seen.length} requests failed`,
          limit: 0,
          found: failed.length,
          met: failed.length === 0 && seen.length > 0,
        },
        { what: 'not ready before it stopped listening', limit: all, found: inOrder, met: inOrder === all },
        { what: 'slowest exit, ms', limit: 10_000, found: Math.round(slowest), met: slowest <= 10_000 },
        { what: 'exits with 0', limit: all, found: clean, met: clean === all },
      ],
      figures: {
        restarts: all,
        requests: seen.length,
        failed: failed.length,
        p50: quantile(seen, 0.5),
        p99: p99(seen),
        slowestExitMs: slowest,
      },
    };
  },
};

/** Stops and starts it, and sees when it said that it leaves and when it heard no more. */
export async function replace(instance, change) {
  const began = performance.now();
  const stopped = instance.stop();
  const unreadyAt = until(10_000, 'it to say that it leaves', async () => {
    const { status } = await fetch(`${instance.url}/health/ready`);
    return status === 503;
  });
  const deafAt = until(10_000, 'it to listen no more', () =>
    fetch(`${instance.url}/health/live`).then(
      () => false,
      () => true,
    ),
  );
  const [first, last] = [await unreadyAt, await deafAt];
  const { code } = await stopped;
  const exitMs = performance.now() - began;
  if (change !== undefined) instance.change(change);
  await instance.start();
  return { unreadyAt: first, deafAt: last, code, exitMs };
}

/** What an instance said of its own errors and states, most frequent first. */
export function reasons(instance) {
  const counts = new Map();
  for (const { level, message, error } of instance.log()) {
    if (level === 'info') continue;
    const line = `${message} ${typeof error === 'string' ? error.split('\n', 1)[0] : ''}`.trim();
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 5);
  return most.map(([line, count]) => `${count} × ${line}`).join('; ') || 'nothing';
}

/** What nginx met upstream where it answered with an error. */
export function refusals(balancer) {
  const counts = {};
  for (const line of balancer.output().split('\n')) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { status, upstreamStatus } = JSON.parse(line);
    if (status >= 500) counts[upstreamStatus] = (counts[upstreamStatus] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}
