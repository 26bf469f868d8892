// The goals: each compares a question's CPU of server, PostgreSQL and Redis with another's, round by round.
import { median, rounded, spread } from './medians.mjs';

const GOALS = [
  { name: 'cached, 35 kB', of: 'kept', to: 'wide', most: 0.35 },
  { name: '304', of: 'notModified', to: 'wide', most: 0.25 },
  { name: 'computed, by a new `until`', of: 'until', to: 'wideUntil', most: 1 },
  { name: 'computed, by cursor', of: 'cursor', to: 'wideCursor', most: 1 },
  { name: 'computed, a window of a country', of: 'window', to: 'wideWindow', most: 1 },
  { name: 'tool call, cached', of: 'call', to: 'wide', most: 0.4 },
  { name: 'Directus with its cache, against a cached page', of: 'directusKept', to: 'kept', least: 15 },
  { name: 'Directus without its cache, against a computed page', of: 'directus', to: 'until', least: 7 },
];
const FIRST = { name: 'first 1,000 requests of a fresh instance', most: 0.6 };

/** Milliseconds of CPU a request of one round, by process. */
export function costOf({ cpu, requests }) {
  const { server, postgres, redis } = cpu;
  const each = (seconds) => (seconds / requests) * 1_000;
  return { server: each(server), postgres: each(postgres), redis: each(redis), sum: each(server + postgres + redis) };
}

/** @returns rows of goal, aim, measured, and whether it is met */
export function goalRows(questions, curves) {
  const sums = new Map(questions.map(({ id, rounds }) => [id, rounds.map((one) => costOf(one).sum)]));
  const rows = GOALS.flatMap((goal) => {
    const [of, to] = [sums.get(goal.of), sums.get(goal.to)];
    if (of === undefined) return [];
    return [
      row(
        goal,
        of.map((sum, at) => sum / to[at]),
      ),
    ];
  });
  const [first] = curves.get('kept');
  const fresh = sums.get('wide').map((sum) => costOf(first).sum / sum);
  rows.splice(6, 0, row(FIRST, fresh));
  return rows;
}

function row({ name, most, least }, ratios) {
  const ratio = median(ratios);
  const isMet = most === undefined ? ratio >= least : ratio <= most;
  const aim = most === undefined ? `≥ ${rounded(least)} ×` : `≤ ${rounded(most, 2)} ×`;
  return [name, aim, `${spread(ratios, 2)} ×`, isMet ? 'met' : 'missed'];
}
