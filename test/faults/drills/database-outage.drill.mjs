import { between, quantile, startLoad, statuses } from '../cluster/load.mjs';
import {
  acquaint,
  answersAgain,
  FRESH,
  FRESH_TOOL,
  isRefusal,
  KEPT,
  OWN,
  SHARED,
  tellsTooMuch,
} from './database-questions.mjs';
import { atMost, inTime, moreThanNone, noneDied } from './checks.mjs';

const REFUSED_MS = 1_000;
const BACK_MS = 2_000;
const PROMISE = `no instance dies; 503 with retry-after within 1 s, never 500 and no host name; cache hits are served to keys verified in the last 60 s; first success within 2 s of its return`;
const ASKS = [KEPT, FRESH, OWN, FRESH_TOOL];

/** How PostgreSQL fails and recovers; it is back when `mend` resolves. */
const FAULTS = [
  ['database-killed', 'PostgreSQL is killed', (postgres) => postgres.kill(), (postgres) => postgres.start()],
  ['database-frozen', 'PostgreSQL is frozen', (postgres) => postgres.freeze(), (postgres) => postgres.thaw()],
  ['database-cut-off', 'the way to PostgreSQL is cut', (postgres) => postgres.cut(), (postgres) => postgres.mend()],
  ['database-restarted', 'PostgreSQL is restarted', (postgres) => postgres.stop(), (postgres) => postgres.start()],
];

export const drills = FAULTS.map(([name, when, goes, returns]) => ({
  name,
  when,
  promise: PROMISE,
  run: (means) => outage(means, goes, returns),
}));

async function outage({ cluster, short, say }, goes, returns) {
  const it = await cluster(SHARED);
  const keys = await it.keys(90);
  const prober = (await it.key()).text;
  const pids = it.instances.map(({ pid }) => pid);
  await answersAgain(it, prober);
  await acquaint(it, keys);
  const load = startLoad({ url: it.url, rate: short ? 40 : 100, keys, asks: ASKS, keepBody: true });
  await load.seconds(short ? 1 : 5);

  const goneAt = performance.now();
  await goes(it.postgres);
  await load.seconds(short ? 2.5 : 20);
  const returnsAt = performance.now();
  await returns(it.postgres);
  const backAt = performance.now();
  const firstMs = await answersAgain(it, prober);
  await load.seconds(short ? 0.5 : 5);
  const seen = await load.stop();

  const refused = seen.filter(isRefusal);
  const without = between(seen, goneAt, returnsAt);
  const kept = without.filter(({ ask }) => ask === KEPT.name);
  const calm = between(seen, backAt + BACK_MS, Infinity);
  say(`without it: ${JSON.stringify(statuses(without))}, ${refused.length} refusals`);
  const slowest = quantile(refused, 1);
  return {
    checks: [
      noneDied(it, pids),
      atMost(
        'responses with another status than 200 and 503',
        0,
        seen.filter(({ status }) => status !== 200 && status !== 503).length,
      ),
      moreThanNone('rejections while it was away', refused.length),
      inTime('ms until the slowest rejection', REFUSED_MS, slowest),
      atMost(
        'rejections without retry-after',
        0,
        refused.filter(({ status, headers }) => status === 503 && headers['retry-after'] === undefined).length,
      ),
      atMost('responses that reveal a host, a login or a statement', 0, seen.filter(tellsTooMuch).length),
      atMost(
        `of ${kept.length} cached responses, not served while it was away`,
        0,
        kept.filter(({ status }) => status !== 200).length,
      ),
      inTime('ms from its return to the first success of the last instance', BACK_MS, firstMs),
      inTime('rejections later than 2 s after its return', 0, calm.filter(isRefusal).length),
    ],
    figures: {
      requests: seen.length,
      refusals: refused.length,
      slowestRefusalMs: slowest,
      p99RefusalMs: quantile(refused, 0.99),
      keptAnswers: kept.length,
      p99KeptMs: quantile(kept, 0.99),
      firstSuccessMs: firstMs,
    },
  };
}
