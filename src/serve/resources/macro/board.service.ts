import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Read } from '../../../store/snapshots.js';
import type { Result } from '../../responses/result.js';
import { unitOf } from '../../../domain/figures/figure.js';
import type { Figure } from '../../../domain/figures/figure.schema.js';
import { AGELESS, ageOf, type Age } from '../../../domain/figures/timetable.js';
import type { Citations } from '../../../domain/sources/citations.js';
import {
  BOARD_INDICATORS,
  BOARD_LATEST_TWO,
  BOARD_REGIONS,
  LATEST_TWO_OF_REGION,
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
import { resolveRegion } from '../closed-sets.rows.js';
import { grouped } from '../../../domain/grouped.js';

const REGION = 'SELECT code, name FROM regions WHERE code = $1';

interface EconomyFigures {
  readonly region: { readonly code: string; readonly name: string };
  readonly figures: readonly (Age & { readonly indicator: string; readonly name: string; readonly latest: Figure })[];
}

@Injectable()
export class BoardService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
  ) {}

  /** The latest figures of the headline indicators, one row per economy; and every indicator, for discovery. */
  show(context: RequestContext): Promise<Result<EconomyBoard>> {
    const { locale } = context;
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
            cells: columns.map((column) => cell(column, cells.get(`${column.slug}@${region.code}`), cite, context)),
          })),
          indicators: await this.indicators(read, cite, context),
          regions: stored.map(({ code, name }) => ({ code, name: name[locale] })),
        },
      };
    });
  }

  /** The newest figure of every indicator of one economy. @throws ApiError `invalid_parameter` for an unknown code */
  economy(code: string, context: RequestContext): Promise<Result<EconomyFigures>> {
    const { locale } = context;
    return this.reader.read(macroResource, context, async (read, cite) => {
      const known = resolveRegion('country', code.toUpperCase());
      const [region] = await read<Pick<RegionEntity, 'code' | 'name'>>(REGION, [known]);
      const newestTwo = await read<ObservationRow & { indicator: string }>(LATEST_TWO_OF_REGION, [known]);
      const rows = grouped(newestTwo, ({ indicator }) => indicator);
      const figures = (await read<IndicatorRow>(STORED_INDICATORS)).flatMap((one) => {
        const own = rows.get(one.slug);
        if (own === undefined) return [];
        const { latest, age } = latestOf(one, own, cite, context);
        return [{ indicator: cite.series(one.slug), name: one.name[locale], latest, ...age }];
      });
      return { data: { region: { code: known, name: region?.name[locale] ?? known }, figures } };
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

type SeriesRows = [ObservationRow, ...ObservationRow[]];

function cell(
  indicator: IndicatorRow,
  rows: SeriesRows | undefined,
  cite: Citations,
  context: RequestContext,
): BoardCell {
  if (rows !== undefined) {
    const { latest, age } = latestOf(indicator, rows, cite, context);
    return { ...latest, ...age };
  }
  const { unit, source } = indicator;
  const series = { source, origins: [], unit, currency: null };
  return { ...new SeriesFigures(series, cite, context.locale).absent(null, 'not_in_source'), ...AGELESS };
}

/** The newest figure of a series, and how old it is. */
function latestOf(indicator: IndicatorRow, rows: SeriesRows, cite: Citations, { locale, today }: RequestContext) {
  const newest = rows.findLast(({ withdrawn }) => !withdrawn)?.period ?? null;
  const age = ageOf(indicator.timetable, newest, today);
  cite.age({ ...age, newest, series: `${indicator.slug}@${rows[0].region}`, asOf: today });
  return { latest: new Observations(rows, indicator, cite, locale).latest(), age };
}
