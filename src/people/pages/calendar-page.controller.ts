import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { shiftedDay } from '../../domain/figures/periods.js';
import { formatDay } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { EventId, type CalendarEvent } from '../../serve/resources/ahead/ahead.schema.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import { day } from '../../serve/resources/parameters.schema.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PublicPages } from './public-pages.service.js';

/** From one week before the requested day to four weeks after it. */
const DAYS = { before: 7, after: 28, past: 92 };
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
      const before = query.day === undefined && result.data.length === 0 ? result.nearest?.before : null;
      // Nothing is stored of the days ahead: what came out last says more than an empty page.
      const past =
        before == null
          ? null
          : await this.ahead.list({ locale, limit: MOST, from: shiftedDay(before, -DAYS.past), to: before }, context);
      const shown = past?.data ?? result.data;
      const url = this.urls.of('ahead');
      const named = { from: formatDay(locale, from), to: formatDay(locale, to) };
      return {
        view: 'calendar',
        results: past === null ? [result] : [result, past],
        coverage: `${from}/${to}`,
        table: {
          name: `calendar-${from}`,
          columns: ['id', 'scheduled_on', 'title', 'region', 'indicator', 'status', 'actual', 'previous'],
          rows: shown.map((one) => [
            one.id,
            one.scheduledOn,
            one.title,
            one.region.code,
            one.indicator.slug,
            one.status,
            one.actual.value,
            one.previous.value,
            one.source,
          ]),
        },
        model: {
          title: this.texts.say(locale, 'site.calendar_page.title'),
          path: query.day === undefined ? '/calendar' : `/calendar?day=${query.day}`,
          description: this.texts.say(locale, 'site.calendar_page.lead', named),
          days: byDay(shown),
          isPast: past !== null,
          more: result.page?.nextCursor != null,
          earlier: `/calendar?day=${result.nearest?.before ?? shiftedDay(on, -DAYS.after)}`,
          later: `/calendar?day=${result.nearest?.after ?? shiftedDay(on, DAYS.after)}`,
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
      const { title, url, region, indicator } = result.data;
      return {
        view: 'event',
        results: [result],
        coverage: '',
        model: {
          title,
          path: `/calendar/${id}`,
          description: `${title} · ${formatDay(locale, result.data.scheduledOn)}`,
          crumbs: [
            { path: '/calendar', name: this.texts.say(locale, 'site.calendar_page.title') },
            { path: `/macro/${indicator.slug}/${region.code}`, name: `${indicator.name} · ${region.name}` },
          ],
          event: result.data,
          api: url,
        },
      };
    });
  }
}

function byDay(events: readonly CalendarEvent[]): [string, CalendarEvent[]][] {
  const days = new Map<string, CalendarEvent[]>();
  for (const event of events) days.set(event.scheduledOn, [...(days.get(event.scheduledOn) ?? []), event]);
  return [...days];
}
