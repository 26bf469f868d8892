// The requests of the database drills, and the checks of their responses.
import { burst, request, send, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';

/** The cluster that these drills share. */
export const SHARED = { share: 'database', instances: 3, delayable: ['postgres'] };

/** A cache hit from the second request on. */
export const KEPT = request('/api/v1/topics');
export const OWN = request('/api/v1/following');

let asked = 0;

/** A new spelling each time, so that every request needs the database. */
export const FRESH = {
  name: 'fresh',
  make: (key) => request(`/api/v1/changes?limit=5&until=${momentAnew()}`).make(key),
};
export const FRESH_TOOL = {
  name: 'fresh tool',
  make: (key) => tool('latest_changes', { limit: 5, until: momentAnew() }).make(key),
};

/** A bound later than all content, used for the first time: no response to it is cached. */
export function momentAnew() {
  asked += 1;
  return new Date(Date.UTC(2029, 0, 1) + asked * 1_000).toISOString().replace('.000', '');
}

/** Each instance has verified each key, and caches the responses. */
export async function acquaint(it, keys) {
  for (const { url } of it.instances) {
    for (let from = 0; from < keys.length; from += 10) {
      const some = keys.slice(from, from + 10);
      const seen = await burst(some.map(({ text }) => ({ url, ask: KEPT, key: text })));
      const bad = seen.find(({ status }) => status !== 200);
      if (bad) throw new Error(`Before the fault ${url} answered ${bad.status} ${bad.error ?? ''}`);
    }
  }
}

/**
 * Waits until each instance serves a cache miss.
 * @returns {Promise<number>} milliseconds until the last instance did
 */
export async function answersAgain(it, key, ms = 30_000) {
  const answers = async ({ url, name }) =>
    until(ms, `an answer of ${name}`, async () => (await send(url, FRESH, key)).status === 200, 50);
  return Math.max(...(await Promise.all(it.instances.map(answers))));
}

/** Whether a response reports that the database is unavailable: by its status or, for a tool, in its text. */
export function isRefusal({ status, ask, body }) {
  return status === 503 || (ask === FRESH_TOOL.name && status === 200 && /"isError":true/.test(body ?? ''));
}

/** Apart from the service's own URL, nothing about the database's address or statements. */
export function tellsTooMuch({ body }) {
  const text = (body ?? '').replaceAll(/https?:\/\/[^"\\\s]+/g, '');
  return /127\.0\.0\.1|localhost|ECONN|postgres|tidemark_|terminated|SELECT/.test(text);
}
