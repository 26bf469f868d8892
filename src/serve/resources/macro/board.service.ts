import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Read } from '../../../store/snapshots.js';
import type { Result } from '../../responses/result.js';
import { unitOf } from '../../../domain/figures/figure.js';
import { AGELESS, ageOf } from '../../../domain/figures/timetable.js';
import type { Citations } from '../../../domain/sources/citations.js';
import {
  BOARD_INDICATORS,
  BOARD_LATEST_TWO,
  BOARD_REGIONS,
  STORED_INDICATORS,
  REGIONS_WITH_SERIES,
  STORED_SPANS,
  type StoredSpanRow,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type BoardCell, type EconomyBoard, type ListedIndicator } from './macro.schema.js';
import { Observations } from './observations.view.js';
import { SeriesFigures } from '../series/series-figures.view.js';
import type { RegionEntity } from './region.entity.js';
import { grouped } from '../../../domain/grouped.js';

@Injectable()
export class BoardService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
  ) {}

  /** The latest figures of the headline indicators, one row per economy; and every indicator, for discovery. */
  show(context: RequestContext): Promise<Result<EconomyBoard>> {
    const { locale, today } = context;
    return this.reader.read(macroResource, context, async (read, cite) => {
      const columns = await read<IndicatorRow>(BOARD_INDICATORS);
      const regions = await read<Pick<RegionEntity, 'code' | 'name'>>(BOARD_REGIONS);
      const newestTwo = await read<ObservationRow & { indicator: string }>(BOARD_LATEST_TWO);
      newestTwo.sort((a, b) => (a.period < b.period ? -1 : 1));
      const cells = grouped(newestTwo, (row) => `${row.indicator}@${row.region}`);
      const stored = await read<Pick<RegionEntity, 'code' | 'name'>>(REGIONS_WITH_SERIES);
      return {
        data: {
          columns: columns.map(({ slug, shortName, unit }) => ({
            indicator: cite.series(slug),
            name: shortName[locale],
            unit: unitOf(unit, locale),
          })),
          rows: regions.map((region) => ({
            region: { code: region.code, name: region.name[locale] },
            cells: columns.map((column) =>
              cell(column, region.code, cells.get(`${column.slug}@${region.code}`), cite, { locale, today }),
            ),
          })),
          indicators: await this.indicators(read, cite, context),
          regions: stored.map(({ code, name }) => ({ code, name: name[locale] })),
        },
      };
    });
  }

  /** Every indicator with a series, in the catalogue's order. */
  list(context: RequestContext): Promise<Result<ListedIndicator[]>> {
    return this.reader.read(macroResource, context, async (read, cite) => ({
      data: await this.indicators(read, cite, context),
    }));
  }

  private async indicators(read: Read, cite: Citations, { locale, today }: RequestContext): Promise<ListedIndicator[]> {
    const indicators = await read<IndicatorRow>(STORED_INDICATORS);
    const spans = new Map((await read<StoredSpanRow>(STORED_SPANS)).map((row) => [row.slug, row]));
    return indicators.map(({ slug, name, unit, frequency, timetable, source }) => ({
      slug: cite.series(slug),
      name: name[locale],
      unit: unitOf(unit, locale),
      frequency,
      url: this.urls.of('macro', slug),
      ...extentOf(spans.get(slug)),
      ...ageOf(timetable, spans.get(slug)?.newest ?? null, today),
      source: cite.source(source),
    }));
  }
}

const extentOf = (span: StoredSpanRow | undefined) => ({
  economies: span?.economies ?? 0,
  firstPeriod: span?.first ?? null,
  newestPeriod: span?.newest ?? null,
  dataVersion: span?.dataVersion ?? 0,
  publishedAt: span?.publishedAt?.toISOString() ?? null,
});

function cell(
  indicator: IndicatorRow,
  region: string,
  rows: [ObservationRow, ...ObservationRow[]] | undefined,
  cite: Citations,
  { locale, today }: Pick<RequestContext, 'locale' | 'today'>,
): BoardCell {
  const { slug, unit, source, timetable } = indicator;
  if (rows !== undefined) {
    const newest = rows.findLast(({ withdrawn }) => !withdrawn)?.period ?? null;
    const age = ageOf(timetable, newest, today);
    cite.age({ ...age, newest, series: `${slug}@${region}`, asOf: today });
    return { ...new Observations(rows, indicator, cite, locale).latest(), ...age };
  }
  const series = { source, origins: [], unit, currency: null };
  return { ...new SeriesFigures(series, cite, locale).absent(null, 'not_in_source'), ...AGELESS };
}
