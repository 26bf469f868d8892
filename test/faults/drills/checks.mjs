// What a drill found, as checks: what was looked at, what may be at most or must be, what was found, and whether that is met.
// A check of `timing` may be missed because the machine stalled by itself: `drills.mjs` then tries the drill again.

const rounded = (value) => (typeof value === 'number' ? Number(value.toFixed(1)) : value);

/** @param {number} limit the most that is allowed */
export function atMost(what, limit, found, { timing = false } = {}) {
  return { what, limit: rounded(limit), found: rounded(found), met: found <= limit, timing };
}

/** At most so much, of something that the machine has a part in. */
export const inTime = (what, limit, found) => atMost(what, limit, found, { timing: true });

/** @param {number | string} expected */
export function exactly(what, expected, found) {
  return { what, limit: expected, found, met: found === expected, timing: false };
}

/** That it came to what is tried at all. */
export function moreThanNone(what, found) {
  return { what, limit: '> 0', found, met: found > 0, timing: false };
}

export function both(what, one, other) {
  return {
    what,
    limit: '> 0 each',
    found: `${one} and ${other}`,
    met: one > 0 && other > 0,
    timing: false,
  };
}

export function holds(what, so) {
  return { what, limit: 'yes', found: so ? 'yes' : 'no', met: Boolean(so), timing: false };
}

/** @param {string[]} cases those in which it was otherwise */
export function never(what, cases) {
  return { what, limit: 0, found: cases.join('; ') || 0, met: cases.length === 0, timing: false };
}

/** None of so many requests failed, and there were some. */
export function noneFailed(seen, failed) {
  return {
    what: `of ${seen.length} requests failed`,
    limit: 0,
    found: failed.length,
    met: failed.length === 0 && seen.length > 0,
    timing: false,
  };
}

/** @param {number[]} pids of the instances when it began */
export function noneDied(it, pids) {
  const dead = it.instances.filter(({ pid, running }, index) => !running || pid !== pids[index]);
  return atMost('instances that died', 0, dead.length);
}
