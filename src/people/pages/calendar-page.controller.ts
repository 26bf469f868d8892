import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { shiftedDay } from '../../domain/figures/periods.js';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { EventId, type CalendarEvent } from '../../serve/resources/ahead/ahead.schema.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import { day } from '../../serve/resources/parameters.schema.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { shownText } from './shown-figure.js';
import { PublicPages } from './public-pages.service.js';
import { datasetOf, sourcesView } from './source.view.js';

/** From one week before the requested day to four weeks after it. */
const DAYS = { before: 7, after: 28 };
const MOST = 100;
/** Ignores unknown parameters, such as those that newsletters add to links. */
const CalendarQuery = z.looseObject({ day: day.optional().catch(undefined) });

@SitePage()
@Controller('calendar')
export class CalendarPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly ahead: AheadService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get()
  list(@Req() request: ApiRequest, @Query({ schema: CalendarQuery }) query: z.infer<typeof CalendarQuery>) {
    return this.pages.page(request, `calendar ${query.day ?? ''}`, async (context) => {
      const { locale, today } = context;
      const on = query.day ?? today;
      const [from, to] = [shiftedDay(on, -DAYS.before), shiftedDay(on, DAYS.after)];
      const result = await this.ahead.list({ locale, limit: MOST, from, to }, context);
      const title = this.texts.say(locale, 'site.calendar_page.title');
      const named = { from: formatDay(locale, from), to: formatDay(locale, to) };
      const description = this.texts.say(locale, 'site.calendar_page.lead', named);
      const url = this.urls.of('ahead');
      return {
        view: 'calendar',
        model: {
          title,
          path: query.day === undefined ? '/calendar' : `/calendar?day=${query.day}`,
          description,
          listed: true,
          jsonLd: datasetOf(
            { name: title, description, url, result, temporalCoverage: `${from}/${to}` },
            locale,
          ),
          days: byDay(result.data).map(([scheduledOn, events]) => ({
            day: formatDay(locale, scheduledOn),
            events: events.map((event) => this.event(event, locale)),
          })),
          more: result.page?.nextCursor != null,
          earlier: `/calendar?day=${result.nearest?.before ?? shiftedDay(on, -DAYS.after)}`,
          later: `/calendar?day=${result.nearest?.after ?? shiftedDay(on, DAYS.after)}`,
          ...sourcesView([result], locale),
          api: `${url}?from=${from}&to=${to}`,
        },
      };
    });
  }

  @Get(':id')
  show(@Req() request: ApiRequest, @Param('id', { schema: EventId }) id: string) {
    return this.pages.page(request, `event ${id}`, async (context) => {
      const { locale } = context;
      const result = await this.ahead.find(id, context);
      const { title, url, history, scheduledOn } = result.data;
      return {
        view: 'event',
        model: {
          title,
          path: `/calendar/${id}`,
          description: `${title} · ${formatDay(locale, scheduledOn)}`,
          listed: true,
          jsonLd: datasetOf({ name: title, description: title, url, result }, locale),
          day: formatDay(locale, scheduledOn),
          event: this.event(result.data, locale),
          history: history.map((one) => ({
            day: formatDay(locale, one.scheduledOn),
            stated: formatDay(locale, one.statedOn),
          })),
          ...sourcesView([result], locale),
          api: url,
        },
      };
    });
  }

  private event(event: CalendarEvent, locale: Locale) {
    const { id, title, status, scheduledAt, previous, actual, changeId, indicator, region } = event;
    return {
      path: `/calendar/${id}`,
      title,
      status,
      // An event in the past shows its figure.
      time: scheduledAt === null ? null : `${scheduledAt.slice(11, 16)} UTC`,
      previous: shownText(previous, locale, this.texts),
      actual: shownText(actual, locale, this.texts),
      change: changeId === null ? null : `/changes/${changeId}`,
      series: `/macro/${indicator.slug}/${region.code}`,
    };
  }
}

function byDay(events: readonly CalendarEvent[]): [string, CalendarEvent[]][] {
  const days = new Map<string, CalendarEvent[]>();
  for (const event of events) days.set(event.scheduledOn, [...(days.get(event.scheduledOn) ?? []), event]);
  return [...days];
}
