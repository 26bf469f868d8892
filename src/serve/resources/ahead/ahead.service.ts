import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader, type Draft } from '../../responses/consistent-reader.service.js';
import { Cursors, type CursorScope } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import { readStatement, type Read } from '../../../store/snapshots.js';
import { notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { seriesName } from '../../../domain/calculation/measures.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import { formatDay } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { checkFilters } from '../closed-sets.rows.js';
import { optionalLowerBound, requireLimit } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import {
  EVENT_HISTORY,
  ONE_EVENT,
  eventsStatement,
  nearestDaysStatement,
  scheduleGapsStatement,
  type EventFilter,
  type EventPosition,
  type EventRow,
  type HistoryRow,
  type ScheduleGap,
} from './event.rows.js';
import { aheadResource, type AheadQuery, type CalendarEvent, type CalendarEventDetail } from './ahead.schema.js';
import { EventView } from './event.view.js';
import { EVERY_DAY, windowOf, type DayRange } from './event-window.rule.js';

type Nearest = NonNullable<Result<unknown>['nearest']>;

@Injectable()
export class AheadService {
  private readonly view: EventView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    urls: UrlBuilder,
    private readonly texts: Texts,
  ) {
    this.view = new EventView(urls, texts);
  }

  /** In time order: by the publisher's day, then by instant; events without a stated time come first. */
  list(query: AheadQuery, context: RequestContext): Promise<Result<CalendarEvent[]>> {
    const { limit, cursor, from, to, coverage, topic, importance, publishedSince } = query;
    const isWhole = publishedSince !== undefined && from === undefined && to === undefined;
    const checks = async (_: Read, faults: ParameterFaults) => {
      await faults.check(['limit', 'publishedSince'], () => requireLimit(query));
      const requested = await faults.check(['from', 'to'], () =>
        isWhole ? EVERY_DAY : windowOf(from, to, context.today),
      );
      return { requested: requested ?? EVERY_DAY, regions: await checkFilters(faults, query) };
    };
    return this.reader.readChecked(aheadResource, context, checks, async (read, cite, { requested, regions }) => {
      const filters = { regions, coverage, topic, importance, publishedFrom: optionalLowerBound(publishedSince) };
      // Covers the meaning of the filters. Omitted days become days of today, which the cursor itself stores.
      const scope = { route: 'ahead', filters: { ...filters, from, to } };
      // A list that continues past midnight keeps the window that it began with.
      const start = cursor === undefined ? { window: requested, after: undefined } : this.positionOf(scope, cursor);
      const filter = { ...filters, ...start.window, after: start.after };
      const draft = await this.page(read, cite, filter, { scope, limit }, context);
      const { publishedFrom } = filters;
      if (publishedFrom === undefined) return draft;
      const { window: _everyDay, nearest: _none, ...copied } = draft;
      const removed = await removedSince(read, 'ahead', { since: publishedFrom, cursor });
      return { ...(isWhole ? copied : draft), ...removed };
    });
  }

  /** @throws ApiError `not_found` */
  find(id: string, context: RequestContext): Promise<Result<CalendarEventDetail>> {
    return this.reader.read(aheadResource, context, async (read, cite) => {
      const [row] = await read<EventRow>(ONE_EVENT, [id]);
      if (row === undefined) throw notFound('id', 'no_event', id);
      const history = await read<HistoryRow>(EVENT_HISTORY, [id]);
      return { data: { ...this.view.show(row, context.locale, cite), history: this.view.showHistory(history) } };
    });
  }

  private async page(
    read: Read,
    cite: Citations,
    filter: EventFilter,
    { scope, limit }: { readonly scope: CursorScope; readonly limit: number },
    { locale }: RequestContext,
  ): Promise<Draft<CalendarEvent[]>> {
    const rows = await readStatement<EventRow>(read, eventsStatement(filter, limit));
    const window = { from: filter.from, to: filter.to };
    const { shown, page } = this.cursors.page(rows, limit, scope, (row) => positionAfter(row, window));
    return {
      data: shown.map((row) => this.view.show(row, locale, cite)),
      page,
      window,
      ...(rows.length === 0 && filter.after === undefined && (await this.outside(read, filter, locale))),
      ...(rows.length > 0 && { notices: await this.gaps(read, filter, locale) }),
    };
  }

  /** Of which days of a window no schedule is stored, so that their silence is not taken for “nothing is due”. */
  private async gaps(read: Read, filter: EventFilter, locale: Locale): Promise<string[]> {
    const rows = await readStatement<ScheduleGap>(read, scheduleGapsStatement(filter));
    if (rows.length === 0) return [];
    const names = rows.map(({ name, regionName, last, next }) =>
      this.texts.say(locale, `resources.schedule_${last === null ? 'from' : next === null ? 'until' : 'between'}`, {
        name: seriesName(locale, name, regionName),
        ...(last !== null && { last: formatDay(locale, last) }),
        ...(next !== null && { next: formatDay(locale, next) }),
      }),
    );
    return [this.texts.say(locale, 'resources.schedule_gaps', { names: names.join(VOICES[locale].semicolon) })];
  }

  /** Of an empty window: the nearest days with events, and a notice where all are past. */
  private async outside(read: Read, filter: EventFilter, locale: Locale) {
    const [near = { before: null, after: null }] = await readStatement<Nearest>(read, nearestDaysStatement(filter));
    if (near.after !== null) return { nearest: near, notices: await this.gaps(read, filter, locale) };
    if (near.before === null) return { nearest: near, notices: [this.texts.say(locale, 'resources.no_schedule')] };
    const day = formatDay(locale, near.before);
    return { nearest: near, notices: [this.texts.say(locale, 'resources.calendar_ends', { day })] };
  }

  private positionOf(scope: CursorScope, cursor: string): { window: DayRange; after: EventPosition } {
    const [from = '', to = '', day = '', at = '', id = ''] = this.cursors.readText(scope, cursor).split(' ');
    return { window: { from, to }, after: { day, at, id } };
  }
}

function positionAfter(row: EventRow, { from, to }: DayRange): string {
  const at = row.scheduledAt?.toISOString() ?? '-infinity';
  return [from, to, row.scheduledOn, at, row.id].join(' ');
}
