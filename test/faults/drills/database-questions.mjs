// What the drills of the database ask, and how they look at what came back.
import { burst, request, send, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';

/** The cluster that these drills share. */
export const SHARED = { share: 'database', instances: 3, delayable: ['postgres'] };

/** Held as bytes from the first time on. */
export const KEPT = request('/api/v1/topics');
export const OWN = request('/api/v1/following');

let asked = 0;

/** Asks for the same each time in other words, so that the database has to be asked too. */
export const FRESH = {
  name: 'fresh',
  make: (key) => request(`/api/v1/changes?limit=5&until=${momentAnew()}`).make(key),
};
export const FRESH_TOOL = {
  name: 'fresh tool',
  make: (key) => tool('latest_changes', { limit: 5, until: momentAnew() }).make(key),
};

/** Later than all there is, and said for the first time: an answer to it is held by nobody. */
export function momentAnew() {
  asked += 1;
  return new Date(Date.UTC(2029, 0, 1) + asked * 1_000).toISOString().replace('.000', '');
}

/** Each instance has seen each key, and holds what is to be kept. */
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

/** Until each instance answers what it does not hold. @returns {Promise<number>} milliseconds until the last of them did */
export async function answersAgain(it, key, ms = 30_000) {
  const answers = async ({ url, name }) =>
    until(ms, `an answer of ${name}`, async () => (await send(url, FRESH, key)).status === 200, 50);
  return Math.max(...(await Promise.all(it.instances.map(answers))));
}

/** Whether an answer says that the database cannot be had: by its status or, for a tool, in words. */
export function isRefusal({ status, ask, body }) {
  return status === 503 || (ask === FRESH_TOOL.name && status === 200 && /"isError":true/.test(body ?? ''));
}

/** The address of the service apart, nothing of where the database is or how it is asked. */
export function tellsTooMuch({ body }) {
  const text = (body ?? '').replaceAll(/https?:\/\/[^"\\\s]+/g, '');
  return /127\.0\.0\.1|localhost|ECONN|postgres|tidemark_|terminated|SELECT/.test(text);
}
