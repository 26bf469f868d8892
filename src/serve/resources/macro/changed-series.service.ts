import { Injectable } from '@nestjs/common';
import type { Read } from '../../../store/snapshots.js';
import { invalidParameter } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { lowerBound } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { IndicatorView } from './indicator.view.js';
import {
  CHANGED_OBSERVATIONS,
  CHANGED_SERIES,
  requestedRegions,
  requireIndicator,
  type ChangedSeriesRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type MacroQuery, type MacroSeries } from './macro.schema.js';
import { newestOnly } from './observations.view.js';
import { grouped } from '../../../domain/grouped.js';

/** Series of a page. */
const PAGE = 100;
/** Parameters that `publishedSince` excludes. */
const ALONE = ['rank', 'limit', 'from', 'to', 'asOf'] as const;

/** For copies: what changed since a moment. */
@Injectable()
export class ChangedSeriesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    private readonly urls: UrlBuilder,
  ) {}

  /**
   * The series of one indicator with figures that changed since a moment, and those figures, in the order of codes.
   * @throws ApiError `not_found`
   */
  list(slug: string, since: string, query: MacroQuery, context: RequestContext): Promise<Result<MacroSeries>> {
    const { cursor, vintages } = query;
    const dependent = { ...macroResource, subject: slug };
    const checks = async (read: Read, faults: ParameterFaults) => {
      for (const name of ALONE) await faults.check([name], () => requireAbsent(name, query));
      const { region } = query;
      return (await faults.check(['region'], () => requestedRegions(read, slug, region))) ?? null;
    };
    return this.reader.readChecked(dependent, context, checks, async (read, cite, regions) => {
      const indicator = await requireIndicator(read, slug);
      const at = lowerBound(since);
      const filters = { slug, since: at.toISOString(), regions, vintages };
      const scope = { route: 'changed-series', filters };
      const after = cursor === undefined ? '' : this.cursors.readText(scope, cursor);
      const changed = await read<ChangedSeriesRow>(CHANGED_SERIES, [slug, at, regions, after, PAGE + 1]);
      const { shown, page } = this.cursors.page(changed, PAGE, scope, ({ region }) => region);
      const rows = await read<ObservationRow>(CHANGED_OBSERVATIONS, [
        slug,
        ...(['region', 'from', 'to'] as const).map((column) => shown.map((row) => row[column])),
      ]);
      const isAll = vintages === 'all';
      const groups = grouped(isAll ? rows : newestOnly(rows), ({ region }) => region);
      const view = new IndicatorView(indicator, cite, this.urls, context);
      return {
        data: {
          indicator: view.describe(),
          ranking: null,
          series: shown.map((row) => {
            const group = groups.get(row.region);
            const observations = group && view.observations(group);
            const figures = (isAll ? observations?.vintages() : observations?.stored()) ?? [];
            const age = { newest: row.newest, day: context.today };
            return view.series(row, figures, age, {}, { from: row.from, to: row.to });
          }),
        },
        ...(await removedSince(read, 'macro', { since: at, cursor }, slug)),
        page,
      };
    });
  }
}

/** @throws ApiError `invalid_parameter` */
function requireAbsent(parameter: (typeof ALONE)[number], query: MacroQuery): void {
  if (query[parameter] === undefined) return;
  throw invalidParameter({ parameter, reason: 'not_together', args: { other: 'publishedSince' } });
}
