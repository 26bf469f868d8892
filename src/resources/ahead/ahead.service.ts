import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive, type Draft } from '../../answers/archive.service.js';
import { Cursors, type Question } from '../../answers/cursors.service.js';
import type { Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { ApiError } from '../../errors/api-error.js';
import { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { requireMember, resolveRegion } from '../closed-sets.js';
import {
  EVENT_HISTORY,
  nearestStatement,
  ONE_EVENT,
  pageStatement,
  type EventFilter,
  type EventPlace,
  type EventRow,
  type HistoryRow,
} from './ahead-rows.js';
import type { AheadQuery, CalendarEvent, CalendarEventDetail } from './ahead.schema.js';
import { EventView } from './event-view.js';
import { windowOf, type Window } from './event-window.js';

type Nearest = NonNullable<Result<unknown>['nearest']>;

@Injectable()
export class AheadService {
  private readonly view: EventView;

  constructor(
    private readonly archive: Archive,
    private readonly cursors: Cursors,
    addresses: Addresses,
    texts: Texts,
  ) {
    this.view = new EventView(addresses, texts);
  }

  /** In time order: by the publisher's day, then by instant, those of no stated time first. */
  list(query: AheadQuery, call: CallContext): Promise<Result<CalendarEvent[]>> {
    const { limit, cursor, locale: _locale, ...filters } = query;
    return this.archive.answer('ahead', call, async (read, cite) => {
      const question = { route: 'ahead', filters };
      const asked = windowOf(query.from, query.to, call.today);
      // A walk that goes on past midnight goes on in the window that it began with.
      const start =
        cursor === undefined ? { window: asked, after: undefined } : this.placeOf(question, cursor);
      const filter = { ...(await this.filterOf(read, query)), ...start.window, after: start.after };
      return this.page(read, cite, filter, { question, limit }, call);
    });
  }

  /** @throws ApiError `not_found` */
  find(id: string, call: CallContext): Promise<Result<CalendarEventDetail>> {
    return this.archive.answer('ahead', call, async (read, cite) => {
      const [row] = await read<EventRow>(ONE_EVENT, [id]);
      if (row === undefined) throw new ApiError('not_found');
      const history = await read<HistoryRow>(EVENT_HISTORY, [id]);
      return {
        data: { ...this.view.show(row, call.locale, cite), history: this.view.showHistory(history) },
      };
    });
  }

  private async page(
    read: Read,
    cite: Citations,
    filter: EventFilter,
    { question, limit }: { readonly question: Question; readonly limit: number },
    { locale }: CallContext,
  ): Promise<Draft<CalendarEvent[]>> {
    const { sql, parameters } = pageStatement(filter, limit);
    const rows = await read<EventRow>(sql, parameters);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const window = { from: filter.from, to: filter.to };
    return {
      data: shown.map((row) => this.view.show(row, locale, cite)),
      page: { limit, nextCursor: last === undefined ? null : this.cursorAfter(question, last, window) },
      window,
      ...(rows.length === 0 && filter.after === undefined && { nearest: await nearest(read, filter) }),
    };
  }

  private async filterOf(read: Read, query: AheadQuery): Promise<Omit<EventFilter, 'from' | 'to'>> {
    const { coverage, country, importance } = query;
    await requireMember(read, 'coverage', coverage);
    const region = country === undefined ? undefined : await resolveRegion(read, 'country', country);
    return { region, coverage, importance };
  }

  private cursorAfter(question: Question, row: EventRow, { from, to }: Window): string {
    const at = row.scheduledAt?.toISOString() ?? '-infinity';
    return this.cursors.write(question, [from, to, row.scheduledOn, at, row.id].join(' '));
  }

  private placeOf(question: Question, cursor: string): { window: Window; after: EventPlace } {
    const [from = '', to = '', day = '', at = '', id = ''] = this.cursors
      .readText(question, cursor)
      .split(' ');
    return { window: { from, to }, after: { day, at, id } };
  }
}

async function nearest(read: Read, filter: EventFilter): Promise<Nearest> {
  const { sql, parameters } = nearestStatement(filter);
  const [row] = await read<Nearest>(sql, parameters);
  return row ?? { before: null, after: null };
}
