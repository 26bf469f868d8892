import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import type { Read } from '../../../store/snapshots.js';
import { notFound } from '../../../domain/errors/api-error.js';
import { figure } from '../../../domain/figures/figure.js';
import type { Figure } from '../../../domain/figures/figure.schema.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { aheadOf } from './brief-events.view.js';
import { ageOfBrief, ENDED } from './brief-age.rows.js';
import { marketsOn } from './brief-markets.view.js';
import {
  BRIEF_ITEMS,
  BRIEF_SECTIONS,
  BRIEFS_AROUND,
  LATEST_BRIEF,
  ONE_BRIEF,
  type BriefRow,
  type ItemRow,
  type SectionRow,
} from './brief.rows.js';
import { briefsResource, type Brief } from './brief.schema.js';

@Injectable()
export class BriefsService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  /**
   * The brief of the newest day that has one, however old.
   * @throws ApiError `not_found` while no brief exists
   */
  findLatest(context: RequestContext): Promise<Result<Brief>> {
    return this.readBrief(context, async (read) => {
      const [brief] = await read<BriefRow>(LATEST_BRIEF);
      if (brief === undefined) throw notFound('date', 'no_latest_brief', 'latest');
      return brief;
    });
  }

  /** @throws ApiError `not_found` for a day without changes, with the neighbouring days that have a brief */
  find(day: string, context: RequestContext): Promise<Result<Brief>> {
    return this.readBrief(context, async (read) => {
      const [brief] = await read<BriefRow>(ONE_BRIEF, [day]);
      if (brief !== undefined) return brief;
      const around = await read<{ day: string }>(BRIEFS_AROUND, [day]);
      const days = around.map((row) => row.day);
      throw notFound('date', 'no_brief', day, days);
    });
  }

  private readBrief(context: RequestContext, find: (read: Read) => Promise<BriefRow>): Promise<Result<Brief>> {
    return this.reader.read(briefsResource, context, async (read, cite) => {
      const brief = await find(read);
      return { data: await this.show(brief, read, cite, context) };
    });
  }

  private async show(
    { day, title, summary, compiledUntil, before, after }: BriefRow,
    read: Read,
    cite: Citations,
    { locale, today }: RequestContext,
  ): Promise<Brief> {
    const sections = await read<SectionRow>(BRIEF_SECTIONS, [day]);
    const items = await read<ItemRow>(BRIEF_ITEMS, [day]);
    const shown = sections.map(({ key, name, omitted }) => ({
      coverage: { key, name: name[locale] },
      items: items.filter(({ coverage }) => coverage === key).map((item) => this.showItem(item, locale, cite)),
      omitted,
    }));
    const days = { day, known: compiledUntil ?? day };
    const markets = await marketsOn(days, read, cite, this.urls, this.texts, { locale, today });
    const ahead = await aheadOf(days, read, cite, this.urls, this.texts, locale);
    const keys = markets.map(({ key }) => key);
    const age = after === null ? await ageOfBrief(read, day, keys, today) : ENDED;
    cite.age(age);
    return {
      date: day,
      ...this.urls.links(locale, ['briefs', day]),
      title: title[locale],
      summary: summary[locale],
      stale: age.stale,
      expectedBy: age.expectedBy,
      state: compiledUntil !== null ? 'retrospective' : day < today ? 'final' : 'open',
      compiledUntil,
      sections: shown,
      markets,
      ahead,
      previousDate: before,
      nextDate: after,
      sources: cite.cited,
    };
  }

  private showItem(row: ItemRow, locale: Locale, cite: Citations): Brief['sections'][number]['items'][number] {
    cite.sources([row.source, ...row.origins]);
    if (row.series !== null) cite.series(row.series);
    return {
      headline: row.headline[locale],
      knownSince: row.knownSince,
      importance: row.importance,
      count: row.changes,
      changes: row.ids.map((id) => ({ id, ...this.urls.links(locale, ['changes', id]) })),
      figure: figureOf(row, cite, locale),
    };
  }
}

function figureOf(row: ItemRow, cite: Citations, locale: Locale): Figure | null {
  const { unit, currency, period, value, source, origins, knownSince, previousPeriod, previousBasis } = row;
  if (unit === null || value === null || previousPeriod === null || previousBasis === null) return null;
  return figure(cite, {
    source,
    origins,
    unit,
    currency,
    locale,
    period,
    value,
    missing: null,
    knownSince,
    previous: { value: row.previousValue, period: previousPeriod, basis: previousBasis, missing: row.previousMissing },
  });
}
