import type { Read } from '../../../store/snapshots.js';
import { AGELESS, ageOf, type Timetable } from '../../../domain/figures/timetable.js';
import type { NotedAge } from '../../../domain/sources/citations.js';

interface SeriesRow {
  readonly timetable: Timetable;
  readonly newest: string;
}

/** The newest figures of the series in a brief, without ended instruments. $1 day, $2 keys of its markets */
export const SERIES_OF_BRIEF = `
  SELECT coalesce(i.timetable, n.timetable) AS timetable, s.newest_period AS newest
  FROM (
    SELECT c.series_id AS id FROM brief_items b JOIN changes c ON c.id = b.change_id
    WHERE b.day = $1 AND c.series_id IS NOT NULL
    UNION SELECT x.id FROM series x WHERE x.instrument = ANY ($2)) used
    JOIN series s USING (id)
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument
  WHERE s.newest_period IS NOT NULL AND n.discontinued IS NOT TRUE ORDER BY s.id`;

/**
 * The age of the newest brief: that of the first of its series whose next figure is due, because a newer brief needs
 * newer figures. Series that were overdue on the brief's own day do not count.
 */
export async function ageOfBrief(
  read: Read,
  day: string,
  markets: readonly string[],
  today: string,
): Promise<NotedAge> {
  const rows = await read<SeriesRow>(SERIES_OF_BRIEF, [day, markets]);
  const [first] = rows
    .filter(({ timetable, newest }) => !ageOf(timetable, newest, day).stale)
    .map(({ timetable, newest }) => ({ ...ageOf(timetable, newest, today), newest }))
    .sort((a, b) => (a.expectedBy ?? '').localeCompare(b.expectedBy ?? ''));
  return first ?? ENDED;
}

/** The age of an earlier brief, which no newer figure changes. */
export const ENDED: NotedAge = { ...AGELESS, newest: null };
