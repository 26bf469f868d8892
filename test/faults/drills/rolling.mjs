// Shared by drills that replace instances one after another under load.
import { get } from '../cluster/get.mjs';
import { startLoad } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';

export const RATE = 200;
/** 120 requests a minute each. */
const KEYS = 140;
/** As long as the load balancer avoids an instance that it could not reach. */
export const LEFT_ALONE_S = 2.5;

/** Clients that send requests to the cluster, starting a second before anything happens to it. */
export async function clientsOf(cluster, asks, rate = RATE) {
  const keys = await cluster.keys(KEYS, 'developer');
  const load = startLoad({ url: cluster.url, rate, keys, asks });
  await load.seconds(1);
  return load;
}

/** Stops and starts an instance, and records when it announced the drain and when it stopped listening. */
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
