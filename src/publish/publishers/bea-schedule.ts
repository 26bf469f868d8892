import { calendarEvents } from '../batches/calendar-events.js';
import { ImportError } from '../batches/importer.js';
import { quoted } from '../batches/text.js';
import { type AnnouncedRelease, announcements, WASHINGTON } from './releases/announced-releases.js';

/** The three estimates of a quarter; after a shutdown, an initial and an updated one. */
const ESTIMATES: ReadonlyMap<string, number> = new Map(
  Object.entries({ advance: 1, initial: 1, second: 2, updated: 2, third: 3 }),
);

/** The releases of national GDP among all events of the calendar: `GDP (Advance Estimate), 4th Quarter and Year 2026`. */
function readBeaCalendar(text: string, url: string): AnnouncedRelease[] {
  return calendarEvents(text, WASHINGTON, ['US-Eastern'], url).flatMap(({ summary, ...event }) => {
    const [, estimate = ''] = /\((\w+) estimate\)/i.exec(summary) ?? [];
    // Those of states, counties and industries have no estimates.
    if (!/^(GDP|Gross Domestic Product)\b(?! by )/.test(summary) || estimate === '') return [];
    const [, quarter, year] = /\b([1-4])(?:st|nd|rd|th) Quarter(?: and Year)? (\d{4})\b/.exec(summary) ?? [];
    const number = ESTIMATES.get(estimate.toLowerCase());
    if (number === undefined || quarter === undefined || year === undefined) {
      throw new ImportError(`${url}: ${quoted(summary)} names no estimate and quarter that are known`);
    }
    return [{ ...event, period: `${year}-Q${quarter}`, estimate: number }];
  });
}

/** U.S. Bureau of Economic Analysis: when each estimate of GDP is released. */
export const { importer: beaSchedule, fetch: fetchBeaSchedule } = announcements({
  publisher: 'bea-schedule',
  provider: 'bea',
  indicator: 'nominal-gdp-annual-rate',
  region: 'US',
  base: 'https://www.bea.gov',
  page: 'news/schedule/ics/online-calendar-subscription.ics',
  read: readBeaCalendar,
});
