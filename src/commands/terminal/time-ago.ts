const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Each unit in seconds, longest first. */
const UNITS_OF_TIME = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time as people say it: `3 hours ago`, `in 2 days`, `now` within a minute. Rounded down. */
export function timeAgo(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  const unit = UNITS_OF_TIME.find(([, length]) => Math.abs(seconds) >= length);
  return unit === undefined ? 'now' : RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0]);
}
