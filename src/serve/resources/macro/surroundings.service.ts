import { Injectable } from '@nestjs/common';
import { NOISE } from '../../../domain/figures/noise.js';
import { numberOf } from '../../../domain/figures/figure.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { NEWEST_VERSION } from '../../../store/statement-text.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { resolveRegion } from '../closed-sets.rows.js';
import { macroResource } from './macro.schema.js';

/** One row. $1 indicator, $2 region */
const NEIGHBOURS = `
  SELECT ${NEWEST_VERSION} AS newest,
         ARRAY (
           SELECT s.region FROM series s WHERE s.indicator = $1 AND s.newest_period IS NOT NULL
           ORDER BY s.region COLLATE "C") AS regions,
         ARRAY (
           SELECT jsonb_build_object('slug', i.slug, 'name', i.name)
           FROM series s JOIN indicators i ON i.slug = s.indicator
           WHERE s.region = $2 AND s.newest_period IS NOT NULL ORDER BY i.ordinal) AS indicators`;

/** One row at least. $1 indicator, $2 region, $3 day */
const RESTATED = `
  SELECT n.newest, r.* FROM (SELECT ${NEWEST_VERSION} AS newest) n LEFT JOIN (
    SELECT o.period, min(o.value) AS low, max(o.value) AS high
    FROM series s JOIN observations o ON o.series_id = s.id AND o.valid_from <= $3
    WHERE s.indicator = $1 AND s.region = $2 GROUP BY o.period
    HAVING max(o.value) - min(o.value) > greatest(abs(max(o.value)), abs(min(o.value))) * ${NOISE}) r ON true`;

interface NeighboursRow {
  readonly newest: number;
  readonly regions: readonly string[];
  readonly indicators: readonly { readonly slug: string; readonly name: Localized }[];
}

interface RestatedRow {
  readonly newest: number;
  /** null in the only row of none. */
  readonly period: string | null;
  readonly low: string;
  readonly high: string;
}

/** What a page of a series links: codes of economies, and indicators by name. */
export interface Neighbours {
  /** The economies with figures of the same indicator, itself among them. */
  readonly regions: readonly string[];
  /** The indicators with figures of the same economy, itself among them. */
  readonly indicators: readonly { readonly slug: string; readonly name: string }[];
}

/** The lowest and the highest value that a period ever had. */
export interface RestatedPeriod {
  readonly period: string;
  readonly low: number;
  readonly high: number;
}

/** What stands around a series on its page, which cites the series itself. */
@Injectable()
export class SurroundingsService {
  constructor(private readonly reader: ConsistentReader) {}

  /** @throws ApiError `invalid_parameter` for an unknown code */
  neighbours(indicator: string, code: string, context: RequestContext): Promise<Result<Neighbours>> {
    return this.reader.read(macroResource, context, async (read) => {
      const region = resolveRegion('region', code);
      const [row] = await read<NeighboursRow>(NEIGHBOURS, [indicator, region]);
      const { newest, regions = [], indicators = [] } = row ?? {};
      const named = indicators.map(({ slug, name }) => ({ slug, name: name[context.locale] }));
      return { data: { regions, indicators: named }, newest };
    });
  }

  /** The periods whose value was restated until the end of a day. */
  restated(
    indicator: string,
    region: string,
    asOf: string,
    context: RequestContext,
  ): Promise<Result<RestatedPeriod[]>> {
    return this.reader.read(macroResource, context, async (read) => {
      const rows = await read<RestatedRow>(RESTATED, [indicator, region, asOf]);
      const data = rows.flatMap(({ period, low, high }) =>
        period === null ? [] : [{ period, low: numberOf(low), high: numberOf(high) }],
      );
      return { data, newest: rows[0]?.newest };
    });
  }
}
