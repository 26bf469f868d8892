export interface DayUse {
  readonly day: string;
  readonly admitted: number;
}

const DAYS = 30;
const [WIDTH, HEIGHT, STEP] = [600, 120, 20];

/** $1 the account, $2 today */
export const USE_BY_DAY = `
  SELECT d.day::date AS day, coalesce(u.admitted, 0) AS admitted
  FROM generate_series($2::date - ${DAYS - 1}, $2::date, interval '1 day') AS d (day)
  LEFT JOIN daily_usage u ON u.account_id = $1 AND u.day = d.day::date ORDER BY d.day`;

/** The bars of an SVG of `width` by `height`, scaled to the busiest day; null without any usage. */
export function usageChart(days: readonly DayUse[]) {
  const most = Math.max(...days.map(({ admitted }) => admitted));
  if (most <= 0) return null;
  const bars = days.map(({ day, admitted }, index) => {
    const height = Math.round((admitted / most) * HEIGHT * 10) / 10;
    return { day, admitted, x: index * STEP + 2, y: HEIGHT - height, height, width: STEP - 4 };
  });
  return { width: WIDTH, height: HEIGHT, bars };
}
