import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { figure, unitOf } from '../../figures/figure.js';
import type { Figure } from '../../figures/figure.schema.js';
import type { Locale } from '../../locale/locale.js';
import type { Citations } from '../../sources/citations.js';
import {
  BOARD_INDICATORS,
  BOARD_LATEST_TWO,
  BOARD_REGIONS,
  HELD_INDICATORS,
  HELD_REGIONS,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type EconomyBoard } from './macro.schema.js';
import { Observations } from './observations.view.js';
import type { RegionEntity } from './region.entity.js';

type RegionRow = Pick<RegionEntity, 'code' | 'name'>;

type CellRows = [ObservationRow, ...ObservationRow[]];

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
      const regions = await read<RegionRow>(BOARD_REGIONS);
      const cells = cellsOf(await read<ObservationRow & { indicator: string }>(BOARD_LATEST_TWO));
      const indicators = await read<IndicatorRow>(HELD_INDICATORS);
      const held = await read<RegionRow>(HELD_REGIONS);
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
              cell(column, cells.get(`${column.slug}@${region.code}`), cite, locale),
            ),
          })),
          indicators: indicators.map(({ slug, name, unit, frequency }) => ({
            slug,
            name: name[locale],
            unit: unitOf(unit, locale),
            frequency,
            url: this.urls.of('macro', slug),
          })),
          regions: held.map(({ code, name }) => ({ code, name: name[locale] })),
        },
      };
    });
  }
}

function cellsOf(rows: readonly (ObservationRow & { indicator: string })[]): Map<string, CellRows> {
  const cells = new Map<string, CellRows>();
  for (const row of rows) {
    const key = `${row.indicator}@${row.region}`;
    const before = cells.get(key) ?? [];
    cells.set(key, [...before, row].sort((a, b) => (a.period < b.period ? -1 : 1)) as CellRows);
  }
  return cells;
}

function cell(
  { unit, source }: IndicatorRow,
  rows: CellRows | undefined,
  cite: Citations,
  locale: Locale,
): Figure {
  if (rows !== undefined) return new Observations(rows, unit, cite, locale).latest();
  return figure(cite, {
    source,
    origins: [],
    unit,
    currency: null,
    locale,
    period: null,
    value: null,
    missing: 'not_in_source',
    knownSince: null,
  });
}
