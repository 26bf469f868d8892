// What the drills share in which instances are replaced one after the other while clients go on asking.
import { get } from '../cluster/get.mjs';
import { startLoad, statuses } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { noneFailed } from './checks.mjs';

export const RATE = 200;
/** 120 requests a minute each. */
const KEYS = 140;
/** As long as the load balancer leaves an instance alone that it could not reach. */
export const LEFT_ALONE_S = 2.5;

/** Clients that ask the cluster, a second before anything happens to it. */
export async function clientsOf(cluster, asks) {
  const keys = await cluster.keys(KEYS, 'developer');
  const load = startLoad({ url: cluster.url, rate: RATE, keys, asks });
  await load.seconds(1);
  return load;
}

/** The check that no request failed; what the cluster said of those that did is told. */
export function nobodyNoticed(cluster, seen, say) {
  const failed = seen.filter(({ status }) => status !== 200);
  if (failed.length > 0) {
    say(`failed: ${JSON.stringify(statuses(failed))}`);
    for (const one of cluster.instances) say(`${one.name}: ${reasons(one)}`);
    say(`nginx: ${refusals(cluster.balancer)}`);
  }
  return noneFailed(seen, failed);
}

/** Stops and starts it, and sees when it said that it leaves and when it heard no more. */
export async function replace(instance, change) {
  const began = performance.now();
  const stopped = instance.stop();
  const unreadyAt = until(10_000, 'it to say that it leaves', async () => {
    const { status } = await get(`${instance.url}/health/ready`);
    return status === 503;
  });
  const deafAt = until(10_000, 'it to listen no more', () =>
    get(`${instance.url}/health/live`).then(
      () => false,
      (error) => error.code === 'ECONNREFUSED',
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
function reasons(instance) {
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
function refusals(balancer) {
  const counts = {};
  for (const line of balancer.output().split('\n')) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { status, upstreamStatus } = JSON.parse(line);
    if (status >= 500) counts[upstreamStatus] = (counts[upstreamStatus] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}
