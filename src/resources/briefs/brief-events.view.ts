import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../database/snapshots.js';
import type { Locale } from '../../locale/locale.js';
import type { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { EventView } from '../ahead/event.view.js';
import { EVENTS_AHEAD, type UpcomingEventRow } from './brief.rows.js';
import type { Brief } from './brief.schema.js';

/** Releases of the week after a day, in time order; events without a time come first in their day. */
export async function aheadOf(
  day: string,
  read: Read,
  cite: Citations,
  urls: UrlBuilder,
  texts: Texts,
  locale: Locale,
): Promise<Brief['ahead']> {
  const events = new EventView(urls, texts);
  const rows = await read<UpcomingEventRow>(EVENTS_AHEAD, [day]);
  return [...rows].sort(inTime).map((row) => ({
    id: row.id,
    ...urls.links(locale, ['ahead', row.id]),
    title: events.titleOf({ ...row, actual: null }, locale),
    region: { code: row.region, name: row.regionName[locale] },
    indicator: { slug: cite.series(row.indicator), name: row.name[locale] },
    period: row.period,
    importance: row.importance,
    scheduledOn: row.scheduledOn,
    timeZone: row.timeZone,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    source: cite.source(row.source),
  }));
}

function inTime(a: UpcomingEventRow, b: UpcomingEventRow): number {
  if (a.scheduledOn !== b.scheduledOn) return a.scheduledOn < b.scheduledOn ? -1 : 1;
  const [first, second] = [a.scheduledAt?.getTime() ?? 0, b.scheduledAt?.getTime() ?? 0];
  return first - second || (a.id < b.id ? -1 : 1);
}
