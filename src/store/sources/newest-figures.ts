/**
 * The newest figure of each group of series that a publisher releases together, without ended instruments: rows of
 * `NewestFigure`.
 */
export const NEWEST_FIGURES = `
  WITH kept AS (
    SELECT s.id, i.provider, i.timetable, i.frequency FROM series s JOIN indicators i ON i.slug = s.indicator
    UNION ALL
    SELECT s.id, n.provider, n.timetable, n.native_timeframe
    FROM series s JOIN instruments n ON n.key = s.instrument WHERE NOT n.discontinued)
  SELECT k.provider AS publisher, k.timetable, max(o.period) AS newest
  FROM kept k CROSS JOIN LATERAL (
    SELECT period FROM observations WHERE series_id = k.id AND valid_to IS NULL ORDER BY period DESC LIMIT 1) o
  GROUP BY k.provider, k.timetable, k.frequency`;
