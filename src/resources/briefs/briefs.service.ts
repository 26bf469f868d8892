import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { ApiError } from '../../errors/api-error.js';
import { figure, numberOf } from '../../figures/figure.js';
import type { Figure } from '../../figures/figure.schema.js';
import type { Locale } from '../../locale/locale.js';
import { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { aheadOf } from './brief-events.js';
import { marketsOn } from './brief-markets.js';
import {
  BRIEF_ITEMS,
  BRIEF_SECTIONS,
  LATEST_BRIEF,
  ONE_BRIEF,
  type BriefRow,
  type ItemRow,
  type SectionRow,
} from './brief-rows.js';
import type { Brief } from './brief.schema.js';

@Injectable()
export class BriefsService {
  constructor(
    private readonly archive: Archive,
    private readonly addresses: Addresses,
    private readonly texts: Texts,
  ) {}

  /** The brief of the newest day that has one, however old. @throws ApiError `not_found` while there is none */
  findLatest(call: CallContext): Promise<Result<Brief>> {
    return this.answer(call, (read) => read<BriefRow>(LATEST_BRIEF));
  }

  /** @throws ApiError `not_found` for a day without changes */
  find(day: string, call: CallContext): Promise<Result<Brief>> {
    return this.answer(call, (read) => read<BriefRow>(ONE_BRIEF, [day]));
  }

  private answer(call: CallContext, ask: (read: Read) => Promise<BriefRow[]>): Promise<Result<Brief>> {
    return this.archive.answer('briefs', call, async (read, cite) => {
      const [brief] = await ask(read);
      if (brief === undefined) throw new ApiError('not_found');
      return { data: await this.show(brief, read, cite, call) };
    });
  }

  private async show(
    { day, title, summary, before, after }: BriefRow,
    read: Read,
    cite: Citations,
    { locale, today }: CallContext,
  ): Promise<Brief> {
    const sections = await read<SectionRow>(BRIEF_SECTIONS, [day]);
    const items = await read<ItemRow>(BRIEF_ITEMS, [day]);
    const shown = sections.map(({ key, name, omitted }) => ({
      coverage: { key, name: name[locale] },
      items: items
        .filter(({ coverage }) => coverage === key)
        .map((item) => this.showItem(item, locale, cite)),
      omitted,
    }));
    const markets = await marketsOn(day, read, cite, this.addresses, locale);
    const ahead = await aheadOf(day, read, cite, this.addresses, this.texts, locale);
    return {
      date: day,
      url: this.addresses.of('briefs', day),
      title: title[locale],
      summary: summary[locale],
      state: day < today ? 'final' : 'open',
      sections: shown,
      markets,
      ahead,
      previousDate: before,
      nextDate: after,
      sources: cite.cited,
    };
  }

  private showItem(
    row: ItemRow,
    locale: Locale,
    cite: Citations,
  ): Brief['sections'][number]['items'][number] {
    cite.sources([row.source, ...row.origins]);
    return {
      headline: row.headline[locale],
      count: row.changes,
      changes: row.ids.map((id) => ({ id, url: this.addresses.of('changes', id) })),
      figure: figureOf(row, cite),
    };
  }
}

function figureOf(row: ItemRow, cite: Citations): Figure | null {
  const { unit, period, value, source, origins, vintageDay, previousPeriod, previousBasis } = row;
  if (unit === null || value === null || previousPeriod === null || previousBasis === null) return null;
  return figure(cite, {
    ...{ source, origins, unit, period, value, missing: null, knownSince: vintageDay },
    previous: {
      value: numberOf(row.previousValue),
      period: previousPeriod,
      basis: previousBasis,
      missing: row.previousMissing,
    },
  });
}
