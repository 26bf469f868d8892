import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Figure, MissingReason } from '../../../domain/figures/figure.schema.js';
import { sideBySide } from '../../../domain/figures/side-by-side.js';
import { ageOf } from '../../../domain/figures/timetable.js';
import { formatPeriod, lowered } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { SeriesFigures } from '../series/series-figures.view.js';
import type { EventRow, HistoryRow, Known } from './event.rows.js';
import type { CalendarEvent, CalendarEventDetail } from './ahead.schema.js';

/** Prints that have a name of their own; later ones are numbered. */
const NAMED_PRINTS = 3;

/** Maps a row to an event of the API; every list with events uses it. */
export class EventView {
  constructor(
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  show(row: EventRow, locale: Locale, cite: Citations): CalendarEvent {
    const { actual, actualMissing, revisedFrom, previous, previousMissing, estimate } = row;
    const figures = new SeriesFigures(row, cite, locale);
    const { currency, period } = row;
    const now = knownFigure(figures, actual, period, actualMissing);
    // The day of an unknown decision is unknown too.
    const before = isReplaced(row)
      ? figures.absent(null, 'not_held')
      : knownFigure(figures, previous, row.decision ? null : row.previousPeriod, previousMissing);
    const restated = revisedFrom === null ? [] : [knownFigure(figures, revisedFrom, period, null)];
    const [previously = before, currently = now, earlier = null] = sideBySide(
      [before, now, ...restated],
      currency,
      locale,
    );
    return {
      id: row.id,
      ...this.urls.links(locale, ['ahead', row.id]),
      title: this.titleOf(row, locale),
      region: { code: row.region, name: row.regionName[locale] },
      indicator: { slug: cite.series(row.indicator), name: row.name[locale] },
      scheduledOn: row.scheduledOn,
      timeZone: row.timeZone,
      scheduledAt: row.scheduledAt?.toISOString() ?? null,
      period: row.period,
      estimate: estimate === null ? null : { ordinal: estimate, name: this.printOf(estimate, locale) },
      status: revisedFrom !== null ? 'revised' : actual !== null ? 'released' : row.status,
      importance: row.importance,
      previous: previously,
      actual: currently,
      revisedFrom: earlier,
      changeId: row.changeId,
      source: cite.source(row.source),
    };
  }

  showHistory(rows: readonly HistoryRow[]): CalendarEventDetail['history'] {
    return rows.map(({ scheduledAt, ...row }) => ({ ...row, scheduledAt: scheduledAt?.toISOString() ?? null }));
  }

  titleOf(
    row: Pick<EventRow, 'decision' | 'actual' | 'estimate' | 'name' | 'regionName' | 'period' | 'scheduledAt'>,
    locale: Locale,
  ): string {
    const { decision, actual, estimate, scheduledAt } = row;
    // A schedule has the day and the time of a decision; a list of decisions has the day from which each holds.
    const key = decision
      ? actual === null && scheduledAt !== null
        ? 'decision_due'
        : 'decision_effective'
      : estimate === null
        ? 'release'
        : 'print';
    return this.texts.say(locale, `ahead.title.${key}`, {
      region: row.regionName[locale],
      name: lowered(locale, row.name[locale]),
      period: formatPeriod(locale, actual?.period ?? row.period),
      ...(key === 'print' && estimate !== null && { print: this.printOf(estimate, locale) }),
    });
  }

  printOf(ordinal: number, locale: Locale): string {
    const key = ordinal <= NAMED_PRINTS ? String(ordinal) : 'later';
    return this.texts.say(locale, `ahead.print.${key}`, { ordinal });
  }
}

/** @param period of an unknown figure, which also needs the reason */
export const knownFigure = (
  figures: SeriesFigures,
  known: Known | null,
  period: string | null,
  missing: MissingReason | null,
): Figure =>
  known === null ? figures.absent(period, missing ?? 'not_held') : figures.at({ ...known, knownSince: known.since });

/** Whether a decision that is not stored lies between the newest stored one and this one, by the usual timetable. */
function isReplaced({ decision, actual, previous, timetable, scheduledOn }: EventRow): boolean {
  return decision && actual === null && previous !== null && ageOf(timetable, previous.period, scheduledOn).stale;
}
