import { Injectable } from '@nestjs/common';
import type { Result } from '../../serve/responses/result.js';
import { formatDay, formatTime, formatZone } from '../../domain/locale/format.js';
import { localTime } from '../../domain/figures/local-time.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { CalendarEvent } from '../../serve/resources/ahead/ahead.schema.js';
import type { Brief } from '../../serve/resources/briefs/brief.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { TextRenderer } from './text-renderer.service.js';

type Scheduled = Pick<Brief['ahead'][number], 'text' | 'url' | 'page' | 'scheduledAt' | 'timeZone' | 'source'>;

/** Renders calendar events as text: time, subject, status, and the figures before and after. */
@Injectable()
export class EventText {
  constructor(private readonly renderer: TextRenderer) {}

  page(events: readonly CalendarEvent[], window: Result<unknown>['window'], locale: Locale): string[] {
    const count = events.length;
    const head =
      window === undefined
        ? []
        : [this.renderer.say(locale, 'event.head', { count, ...this.renderer.span(window, locale) })];
    return [...head, ...events.flatMap((event) => this.one(event, locale))];
  }

  /** What is still to come, with its day and the figure before, and the time if its publisher states one. */
  scheduled({ text, source, scheduledAt, timeZone, ...event }: Scheduled, locale: Locale): string {
    const time =
      scheduledAt === null
        ? ''
        : ` · ${this.renderer.say(locale, 'event.time', {
            ...formatTime(locale, scheduledAt, timeZone),
            at: this.instant(scheduledAt, locale),
          })}`;
    return `- ${text}${time} [${source}] · ${linkOf(event)}`;
  }

  private one(event: CalendarEvent, locale: Locale): string[] {
    const { title, status, importance, actual, previous, revisedFrom, changeId, source } = event;
    const standing = this.renderer.say(locale, `event.status.${status}`);
    const weight = this.renderer.say(locale, `event.importance.${importance}`);
    const restated =
      revisedFrom === null
        ? ''
        : this.renderer.say(locale, 'event.restated', { from: this.renderer.figure(revisedFrom, locale) });
    return [
      `- ${this.when(event, locale)} · ${title} · ${standing} · ${weight}`,
      `  ${this.renderer.compared(actual, previous, locale, null, restated)} [${source}]${changeId === null ? '' : ` · ${changeId}`} · ${linkOf(event)}`,
    ];
  }

  /** In UTC, and as the clocks of the language's readers show it, whose day may be the next one. */
  private instant(scheduledAt: string, locale: Locale): string {
    const utc = this.renderer.moment(scheduledAt, locale);
    const { clock, semicolon } = VOICES[locale];
    if (clock === null) return utc;
    const local = localTime(Date.parse(scheduledAt), clock.timeZone);
    return `${utc}${semicolon}${clock.at(`${formatDay(locale, local.slice(0, 10))} ${local.slice(11)}`)}`;
  }

  /** The publisher's local day and, if it states a time, that time and the instant in UTC. */
  private when(
    { scheduledOn, scheduledAt, timeZone }: Pick<CalendarEvent, 'scheduledOn' | 'scheduledAt' | 'timeZone'>,
    locale: Locale,
  ): string {
    const day = formatDay(locale, scheduledOn);
    if (scheduledAt === null) {
      return this.renderer.say(locale, 'event.when', { day, zone: formatZone(locale, scheduledOn, timeZone) });
    }
    const at = this.instant(scheduledAt, locale);
    return this.renderer.say(locale, 'event.at', { day, ...formatTime(locale, scheduledAt, timeZone), at });
  }
}
