import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import { ApiError } from '../../errors/api-error.js';
import { unitOf } from '../../figures/figure.js';
import type { Locale } from '../../locale/locale.js';
import type { Citations } from '../../sources/citations.js';
import { barsOf, hasFrame } from './bars.js';
import {
  ALL_INSTRUMENTS,
  CLOSES,
  INSTRUMENTS_OF_KIND,
  ONE_INSTRUMENT,
  POINTS,
  type CloseRow,
  type InstrumentRow,
  type PriceRow,
} from './market-rows.js';
import type {
  Instrument,
  InstrumentBars,
  InstrumentDetail,
  InstrumentKind,
  KindQuery,
  MarketQuery,
} from './market.schema.js';
import { Quotes } from './quotes.js';

@Injectable()
export class MarketsService {
  constructor(
    private readonly archive: Archive,
    private readonly addresses: Addresses,
  ) {}

  /** Every instrument with its quote, in the catalogue's order. */
  list(call: CallContext): Promise<Result<Instrument[]>> {
    return this.archive.answer('markets', call, async (read, cite) => {
      const rows = await read<InstrumentRow>(ALL_INSTRUMENTS);
      return { data: rows.map((row) => this.show(row, call.locale, cite)) };
    });
  }

  /** One instrument with its newest figures, oldest first. @throws ApiError `not_found` */
  find(key: string, { points }: MarketQuery, call: CallContext): Promise<Result<InstrumentDetail>> {
    return this.archive.answer('markets', call, async (read, cite) => {
      const [row] = await read<InstrumentRow>(ONE_INSTRUMENT, [key]);
      if (row === undefined) throw new ApiError('not_found');
      const prices = await read<PriceRow>(POINTS, [row.series, points]);
      const quotes = new Quotes(row, cite);
      const figures = prices.reverse().map((price) => quotes.price(price));
      return { data: { ...this.show(row, call.locale, cite), points: figures } };
    });
  }

  /** Every instrument of a kind with its bars in one frame, in the catalogue's order; empty where there is none. */
  listBars(
    kind: InstrumentKind,
    { tf, bars }: KindQuery,
    call: CallContext,
  ): Promise<Result<InstrumentBars[]>> {
    return this.archive.answer('markets', call, async (read, cite) => {
      const rows = await read<InstrumentRow>(INSTRUMENTS_OF_KIND, [kind]);
      const closes = byInstrument(await read<CloseRow>(CLOSES, [kind, tf, bars]));
      const data = rows.map((row): InstrumentBars => {
        const quotes = new Quotes(row, cite);
        return {
          ...this.show(row, call.locale, cite),
          timeframe: tf,
          bars: barsOf(row, tf, closes.get(row.key) ?? [], quotes),
          missing: hasFrame(row, tf) ? null : 'not_published',
        };
      });
      return { data };
    });
  }

  private show(row: InstrumentRow, locale: Locale, cite: Citations): Instrument {
    const { key, name, description, kind, unit, currency, nativeTimeframe, average, discontinued } = row;
    const quotes = new Quotes(row, cite);
    return {
      key,
      url: this.addresses.of('markets', key),
      name: name[locale],
      description: description[locale],
      kind,
      unit: unitOf(unit, locale),
      currency,
      nativeTimeframe,
      average,
      status: discontinued ? 'discontinued' : 'active',
      lastObservedOn: quotes.lastObservedOn(),
      quote: quotes.quote(),
      source: cite.source(row.source),
    };
  }
}

function byInstrument(rows: readonly CloseRow[]): Map<string, CloseRow[]> {
  const groups = new Map<string, CloseRow[]>();
  for (const row of rows) {
    const group = groups.get(row.instrument);
    if (group === undefined) groups.set(row.instrument, [row]);
    else group.push(row);
  }
  return groups;
}
