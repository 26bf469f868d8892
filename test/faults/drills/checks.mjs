// The results of a drill as checks: what was measured, the limit or expected value, the measured value, and whether it
// is met. A check of `timing` may fail because the machine stalled by itself: `drills.mjs` then repeats the drill.

const rounded = (value) => (typeof value === 'number' ? Number(value.toFixed(1)) : value);

/** @param {number} limit the highest allowed value */
export function atMost(what, limit, found, { timing = false } = {}) {
  return { what, limit: rounded(limit), found: rounded(found), met: found <= limit, timing };
}

/** At most this value, for a measurement that depends on the machine. */
export const inTime = (what, limit, found) => atMost(what, limit, found, { timing: true });

/** @param {number | string} expected */
export function exactly(what, expected, found) {
  return { what, limit: expected, found, met: found === expected, timing: false };
}

/** That the drill reached the situation that it tests. */
export function moreThanNone(what, found) {
  return { what, limit: '> 0', found, met: found > 0, timing: false };
}

export function both(what, one, other) {
  return { what, limit: '> 0 each', found: `${one} and ${other}`, met: one > 0 && other > 0, timing: false };
}

export function holds(what, so) {
  return { what, limit: 'yes', found: so ? 'yes' : 'no', met: Boolean(so), timing: false };
}

/** @param {string[]} cases the violations */
export function never(what, cases) {
  return { what, limit: 0, found: cases.join('; ') || 0, met: cases.length === 0, timing: false };
}

/** None of a number of requests failed, and there were some. */
export function noneFailed(seen, failed) {
  return {
    what: `of ${seen.length} requests failed`,
    limit: 0,
    found: failed.length === 0 ? 0 : `${failed.length} (${described(failed)})`,
    met: failed.length === 0 && seen.length > 0,
    timing: false,
  };
}

/** Which failures came how often, to how many keys, and when. */
function described(failed) {
  const [began] = failed.map(({ at }) => at).sort((one, other) => one - other);
  const kinds = new Map();
  for (const { status, error, headers, at, key } of failed) {
    const wait = headers['retry-after'];
    const kind = `${status || error}${wait === undefined ? '' : ', to be tried again later'}`;
    const { count, keys } = kinds.get(kind) ?? { count: 0, keys: new Set() };
    kinds.set(kind, { count: count + 1, keys: keys.add(key), last: Math.round(at - began) });
  }
  return [...kinds]
    .map(([kind, { count, keys, last }]) => `${count} × ${kind}: ${keys.size} keys, for ${last} ms`)
    .join('; ');
}

/** @param {number[]} pids of the instances at the start */
export function noneDied(it, pids) {
  const dead = it.instances.filter(({ pid, running }, index) => !running || pid !== pids[index]);
  return atMost('instances that died', 0, dead.length);
}
