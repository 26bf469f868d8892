import { p99, quantile, request, tool } from '../cluster/load.mjs';
import { exactly, inTime, noneFailed } from './checks.mjs';
import { clientsOf, LEFT_ALONE_S, RATE, replace } from './rolling.mjs';

const ASKS = [
  request('/api/v1/changes?limit=5'),
  request('/api/v1/macro/gdp-growth?region=JP'),
  tool('latest_brief'),
  request('/api/v1/following'),
];

export const drill = {
  name: 'rolling-restart',
  when: `an instance gets SIGTERM at ${RATE} requests a second, again and again`,
  promise: 'no failed request; ready turns off first, connections drain, exit within 10 s',
  async run({ cluster, short }) {
    const it = await cluster({ instances: 3 });
    const load = await clientsOf(it, ASKS);
    const restarts = [];
    for (let restart = 0; restart < (short ? 2 : 20); restart += 1) {
      restarts.push(await replace(it.instances[restart % it.instances.length]));
      await load.seconds(LEFT_ALONE_S);
    }
    const seen = await load.stop();
    const failed = seen.filter(({ status }) => status !== 200);
    const slowest = Math.max(...restarts.map(({ exitMs }) => exitMs));
    const clean = restarts.filter(({ code }) => code === 0).length;
    const inOrder = restarts.filter(({ unreadyAt, deafAt }) => unreadyAt < deafAt).length;
    const all = restarts.length;
    return {
      checks: [
        noneFailed(seen, failed),
        exactly('not ready before it stopped listening', all, inOrder),
        inTime('slowest exit, ms', 10_000, slowest),
        exactly('exits with 0', all, clean),
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
