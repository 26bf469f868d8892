/**
 * The newest figure of each group of series that a publisher releases together, without ended instruments: rows of
 * `NewestFigure`.
 */
export const NEWEST_FIGURES = `
  WITH kept AS (
    SELECT s.newest_period, i.provider, i.timetable, i.frequency FROM series s JOIN indicators i ON i.slug = s.indicator
    UNION ALL
    SELECT s.newest_period, n.provider, n.timetable, n.native_timeframe
    FROM series s JOIN instruments n ON n.key = s.instrument WHERE NOT n.discontinued)
  SELECT provider AS publisher, timetable, max(newest_period) AS newest FROM kept
  WHERE newest_period IS NOT NULL GROUP BY provider, timetable, frequency`;
