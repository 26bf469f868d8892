import { Injectable } from '@nestjs/common';
import type { Result } from '../answers/result.js';
import { formatDay } from '../locale/format.js';
import type { Locale } from '../locale/locale.js';
import type { CalendarEvent } from '../resources/ahead/ahead.schema.js';
import { Wording } from './wording.service.js';

type Scheduled = Pick<CalendarEvent, 'title' | 'url' | 'scheduledOn' | 'scheduledAt' | 'timeZone' | 'source'>;

/** Calendar events as lines of text: when, what, how it stands, and the figures before and after. */
@Injectable()
export class EventLines {
  constructor(private readonly wording: Wording) {}

  page(events: readonly CalendarEvent[], window: Result<unknown>['window'], locale: Locale): string[] {
    const count = events.length;
    const head =
      window === undefined
        ? []
        : [this.wording.say(locale, 'event.head', { count, ...this.wording.span(window, locale) })];
    return [...head, ...events.flatMap((event) => this.one(event, locale))];
  }

  /** When and what, for a list of which the figures are not known yet. */
  scheduled({ title, url, source, ...when }: Scheduled, locale: Locale): string {
    return `- ${this.when(when, locale)} · ${title} [${source}] · ${url}`;
  }

  private one(event: CalendarEvent, locale: Locale): string[] {
    const { title, status, importance, actual, previous, revisedFrom, source, url } = event;
    const standing = this.wording.say(locale, `event.status.${status}`);
    const weight = this.wording.say(locale, `event.importance.${importance}`);
    const restated =
      revisedFrom === null
        ? ''
        : this.wording.say(locale, 'event.restated', {
            from: this.wording.figure(revisedFrom, revisedFrom.unit, locale),
          });
    return [
      `- ${this.when(event, locale)} · ${title} · ${standing} · ${weight}`,
      `  ${this.wording.compared(actual, previous, actual.unit, locale)}${restated} [${source}] · ${url}`,
    ];
  }

  /** The publisher's day and, where it states a time, the instant: days differ around the globe. */
  private when(
    { scheduledOn, scheduledAt, timeZone }: Pick<Scheduled, 'scheduledOn' | 'scheduledAt' | 'timeZone'>,
    locale: Locale,
  ): string {
    const facts = { day: formatDay(locale, scheduledOn), zone: timeZone };
    if (scheduledAt === null) return this.wording.say(locale, 'event.when', facts);
    return this.wording.say(locale, 'event.at', { ...facts, at: `${scheduledAt.slice(0, 16)}Z` });
  }
}
