/** The admitted requests of a day, an hour or a minute. */
export interface UsedSpan {
  /** The day, or hours and minutes in UTC. */
  readonly label: string;
  readonly admitted: number;
}

const [DAYS, HOURS, MINUTES] = [30, 24, 60];
const [WIDTH, HEIGHT] = [600, 120];

/** $1 the account, $2 today */
export const USE_BY_DAY = `
  SELECT d.day::date AS label, coalesce(u.admitted, 0) AS admitted
  FROM generate_series($2::date - ${DAYS - 1}, $2::date, interval '1 day') AS d (day)
  LEFT JOIN daily_usage u ON u.account_id = $1 AND u.day = d.day::date ORDER BY d.day`;

/** $1 the account, $2 now */
export const USE_BY_MINUTE = `
  SELECT to_char(m.minute AT TIME ZONE 'UTC', 'HH24:MI') AS label, coalesce(u.admitted, 0) AS admitted
  FROM generate_series(date_trunc('minute', $2::timestamptz) - interval '${MINUTES - 1} minutes', $2, interval '1 minute') AS m (minute)
  LEFT JOIN minute_usage u ON u.account_id = $1 AND u.minute = m.minute ORDER BY m.minute`;

/** $1 the account, $2 now */
export const USE_BY_HOUR = `
  SELECT to_char(h.hour AT TIME ZONE 'UTC', 'HH24:00') AS label, coalesce(sum(u.admitted), 0)::int AS admitted
  FROM generate_series(date_trunc('hour', $2::timestamptz) - interval '${HOURS - 1} hours', $2, interval '1 hour') AS h (hour)
  LEFT JOIN minute_usage u ON u.account_id = $1 AND u.minute >= h.hour AND u.minute < h.hour + interval '1 hour'
  GROUP BY h.hour ORDER BY h.hour`;

/** The bars of an SVG of `width` by `height`, scaled to the busiest span; null without any usage. */
export function usageChart(spans: readonly UsedSpan[]) {
  const most = Math.max(...spans.map(({ admitted }) => admitted));
  if (most <= 0) return null;
  const step = WIDTH / spans.length;
  const bars = spans.map(({ label, admitted }, index) => {
    const height = Math.round((admitted / most) * HEIGHT * 10) / 10;
    return { label, admitted, x: index * step + step / 10, y: HEIGHT - height, height, width: step * 0.8 };
  });
  return { width: WIDTH, height: HEIGHT, bars };
}
