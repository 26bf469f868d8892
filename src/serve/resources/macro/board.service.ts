import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { figure, unitOf } from '../../../domain/figures/figure.js';
import { AGELESS, ageOf } from '../../../domain/figures/timetable.js';
import type { Citations } from '../../../domain/sources/citations.js';
import {
  BOARD_INDICATORS,
  BOARD_LATEST_TWO,
  BOARD_REGIONS,
  HELD_INDICATORS,
  HELD_REGIONS,
  HELD_SPANS,
  type HeldSpanRow,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type BoardCell, type EconomyBoard } from './macro.schema.js';
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
    const { locale, today } = context;
    return this.reader.read(macroResource, context, async (read, cite) => {
      const columns = await read<IndicatorRow>(BOARD_INDICATORS);
      const regions = await read<RegionRow>(BOARD_REGIONS);
      const cells = cellsOf(await read<ObservationRow & { indicator: string }>(BOARD_LATEST_TWO));
      const indicators = await read<IndicatorRow>(HELD_INDICATORS);
      const spans = new Map((await read<HeldSpanRow>(HELD_SPANS)).map((row) => [row.slug, row]));
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
              cell(column, cells.get(`${column.slug}@${region.code}`), cite, { locale, today }),
            ),
          })),
          indicators: indicators.map(({ slug, name, unit, frequency, timetable, source }) => ({
            slug: cite.series(slug),
            name: name[locale],
            unit: unitOf(unit, locale),
            frequency,
            url: this.urls.of('macro', slug),
            ...extentOf(spans.get(slug)),
            ...ageOf(timetable, spans.get(slug)?.newest ?? null, today),
            source: cite.source(source),
          })),
          regions: held.map(({ code, name }) => ({ code, name: name[locale] })),
        },
      };
    });
  }
}

const extentOf = (span: HeldSpanRow | undefined) => ({
  economies: span?.economies ?? 0,
  firstPeriod: span?.first ?? null,
  newestPeriod: span?.newest ?? null,
  dataVersion: span?.dataVersion ?? 0,
  publishedAt: span?.publishedAt?.toISOString() ?? null,
});

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
  { unit, source, timetable }: IndicatorRow,
  rows: CellRows | undefined,
  cite: Citations,
  { locale, today }: Pick<RequestContext, 'locale' | 'today'>,
): BoardCell {
  if (rows !== undefined) {
    const newest = rows.findLast(({ withdrawn }) => !withdrawn)?.period ?? null;
    const age = ageOf(timetable, newest, today);
    cite.age({ ...age, newest });
    return { ...new Observations(rows, unit, cite, locale).latest(), ...age };
  }
  const absent = figure(cite, {
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
  return { ...absent, ...AGELESS };
}
