import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import { figure, unitOf } from '../../figures/figure.js';
import type { Figure } from '../../figures/figure.schema.js';
import type { Localized } from '../../locale/locale.js';
import type { Citations } from '../../sources/citations.js';
import {
  BOARD_INDICATORS,
  BOARD_LATEST_TWO,
  BOARD_REGIONS,
  HELD_INDICATORS,
  HELD_REGIONS,
  type IndicatorRow,
  type ObservationRow,
} from './macro-rows.js';
import type { EconomyBoard } from './macro.schema.js';
import { Observations } from './observations.js';

interface RegionRow {
  readonly code: string;
  readonly name: Localized;
}

type CellRows = [ObservationRow, ...ObservationRow[]];

@Injectable()
export class BoardService {
  constructor(
    private readonly archive: Archive,
    private readonly addresses: Addresses,
  ) {}

  /** The latest figures of the headline indicators, a row an economy; and all that exists, for discovery. */
  show(call: CallContext): Promise<Result<EconomyBoard>> {
    const { locale } = call;
    return this.archive.answer('macro', call, async (read, cite) => {
      const columns = await read<IndicatorRow>(BOARD_INDICATORS);
      const regions = await read<RegionRow>(BOARD_REGIONS);
      const cells = cellsOf(await read<ObservationRow & { indicator: string }>(BOARD_LATEST_TWO));
      const indicators = await read<IndicatorRow>(HELD_INDICATORS);
      const held = await read<RegionRow>(HELD_REGIONS);
      return {
        data: {
          columns: columns.map(({ slug, shortName, unit }) => ({
            indicator: slug,
            name: shortName[locale],
            unit: unitOf(unit, locale),
          })),
          rows: regions.map((region) => ({
            region: { code: region.code, name: region.name[locale] },
            cells: columns.map((column) => cell(column, cells.get(`${column.slug}@${region.code}`), cite)),
          })),
          indicators: indicators.map(({ slug, name, unit, frequency }) => ({
            slug,
            name: name[locale],
            unit: unitOf(unit, locale),
            frequency,
            url: this.addresses.of('macro', slug),
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

function cell({ unit, source }: IndicatorRow, rows: CellRows | undefined, cite: Citations): Figure {
  if (rows !== undefined) return new Observations(rows, unit, cite).latest();
  return figure(cite, {
    source,
    origins: [],
    unit,
    period: null,
    value: null,
    missing: 'not_in_source',
    knownSince: null,
  });
}
