import { get } from '../cluster/get.mjs';
import { until } from '../cluster/until.mjs';

/** The number of requests that instances have admitted without a response from Redis. */
export const admittedAlone = (it) => sumOf(it, 'tidemark_limits_fallback_admissions_total');

/** The number of requests that instances have refused because Redis was late. */
export const lateRefusals = (it) => sumOf(it, 'tidemark_limits_late_refusals_total');

async function sumOf(it, name) {
  const counts = await Promise.all(it.instances.map((one) => it.metric(one, name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The state of Redis by `/health/ready` of every instance. It costs almost nothing, so watching does not slow the
 * instance down.
 */
export async function everyInstanceSays(it, state) {
  const reports = await Promise.all(
    it.instances.map(async ({ url }) => JSON.parse((await get(`${url}/health/ready`)).text)),
  );
  return reports.every(({ redis }) => redis === state);
}

export function allCountInRedis(it) {
  return until(30_000, 'Redis to be up', () => everyInstanceSays(it, 'up'), 20);
}
