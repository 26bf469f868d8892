import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../../store/snapshots.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { figureText, withBase } from '../../../domain/figures/figure-text.js';
import { formatPeriod } from '../../../domain/locale/format.js';
import { EventView, knownFigure } from '../ahead/event.view.js';
import { SeriesFigures } from '../series/series-figures.view.js';
import { EVENTS_AHEAD, type UpcomingEventRow } from './brief.rows.js';
import type { Brief } from './brief.schema.js';

/**
 * Releases of the week after a day, in time order, each with the figure before; events without a time come first in
 * their day.
 * @param known the day as of whose end all of it was known
 */
export async function aheadOf(
  { day, known }: { readonly day: string; readonly known: string },
  read: Read,
  cite: Citations,
  urls: UrlBuilder,
  texts: Texts,
  locale: Locale,
): Promise<Brief['ahead']> {
  const events = new EventView(urls, texts);
  const rows = await read<UpcomingEventRow>(EVENTS_AHEAD, [day, known]);
  return [...rows]
    .sort(inTime)
    .map((row) => ({
      id: row.id,
      ...urls.links(locale, ['ahead', row.id]),
      title: events.titleOf({ ...row, actual: null }, locale),
      text: eventText(row, events, texts, locale),
      region: { code: row.region, name: row.regionName[locale] },
      indicator: { slug: cite.series(row.indicator), name: row.name[locale] },
      period: row.period,
      importance: row.importance,
      scheduledOn: row.scheduledOn,
      timeZone: row.timeZone,
      scheduledAt: row.scheduledAt?.toISOString() ?? null,
      source: cite.source(row.source),
      previous: knownFigure(new SeriesFigures(row, cite, locale), row.previous, row.previousPeriod, 'not_held'),
    }));
}

type Announced = Pick<
  UpcomingEventRow,
  | 'name'
  | 'regionName'
  | 'period'
  | 'unit'
  | 'currency'
  | 'decision'
  | 'scheduledOn'
  | 'scheduledAt'
  | 'estimate'
  | 'previous'
  | 'earlier'
>;

/** The event with its day and, where one is stored, the figure before: an earlier estimate, the period before, the rate in force. */
export function eventText(row: Announced, events: EventView, texts: Texts, locale: Locale): string {
  const { unit, currency, decision, previous, earlier, estimate } = row;
  const title = events.titleOf({ ...row, actual: null }, locale);
  // The title of a decision has its day.
  const due = decision
    ? title
    : texts.say(locale, 'briefs.ahead.due', { title, day: formatPeriod(locale, row.scheduledOn) });
  const written = (value: string): string => withBase(locale, unit, figureText(locale, { unit, currency }, value));
  if (earlier !== null && estimate !== null) {
    const print = events.printOf(estimate - 1, locale);
    return texts.say(locale, 'briefs.ahead.earlier', { due, print, figure: written(earlier) });
  }
  if (previous === null) return due;
  return texts.say(locale, `briefs.ahead.${decision ? 'in_force' : 'before'}`, {
    due,
    figure: written(previous.value),
    period: formatPeriod(locale, previous.period),
  });
}

function inTime(a: UpcomingEventRow, b: UpcomingEventRow): number {
  if (a.scheduledOn !== b.scheduledOn) return a.scheduledOn < b.scheduledOn ? -1 : 1;
  const [first, second] = [a.scheduledAt?.getTime() ?? 0, b.scheduledAt?.getTime() ?? 0];
  return first - second || (a.id < b.id ? -1 : 1);
}
