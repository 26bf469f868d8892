import { Injectable } from '@nestjs/common';
import type { Read } from '../../../store/snapshots.js';
import { invalidParameter, notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { ageOf } from '../../../domain/figures/timetable.js';
import { isExchangeRate } from '../../../domain/figures/units.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { nearestMembers, resolveRegions } from '../closed-sets.rows.js';
import { lowerBound } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { showIndicator } from './indicator.view.js';
import {
  CHANGED_OBSERVATIONS,
  CHANGED_SERIES,
  ONE_INDICATOR,
  type ChangedSeriesRow,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type MacroQuery, type MacroSeries } from './macro.schema.js';
import { byRegion, Observations } from './observations.view.js';

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
  list(
    slug: string,
    since: string,
    query: MacroQuery,
    context: RequestContext,
  ): Promise<Result<MacroSeries>> {
    const { cursor, vintages } = query;
    const dependent = { ...macroResource, subject: slug };
    const checks = async (read: Read, faults: ParameterFaults) => {
      for (const name of ALONE) await faults.check([name], () => requireAbsent(name, query));
      const { region } = query;
      return region && faults.check(['region'], () => resolveRegions(read, 'region', region));
    };
    return this.reader.readChecked(dependent, context, checks, async (read, cite, found) => {
      const regions = found ?? null;
      const [indicator] = await read<IndicatorRow>(ONE_INDICATOR, [slug]);
      if (indicator === undefined)
        throw notFound('indicator', 'no_indicator', slug, await nearestMembers(read, 'indicator', slug));
      const at = lowerBound(since);
      const scope = {
        route: 'changed-series',
        filters: { slug, since: at.toISOString(), regions, vintages },
      };
      const after = cursor === undefined ? '' : this.cursors.readText(scope, cursor);
      const changed = await read<ChangedSeriesRow>(CHANGED_SERIES, [slug, at, regions, after, PAGE + 1]);
      const page = changed.slice(0, PAGE);
      const last = changed.length > PAGE ? page.at(-1) : undefined;
      const rows = await read<ObservationRow>(CHANGED_OBSERVATIONS, [
        slug,
        ...(['region', 'from', 'to'] as const).map((column) => page.map((row) => row[column])),
      ]);
      const groups = byRegion(vintages === 'all' ? rows : newestOnly(rows));
      return {
        data: {
          indicator: showIndicator(indicator, context.locale, cite),
          ranking: null,
          series: page.map(({ region: code, regionName, currency, source, from, to, newest }) => {
            const group = groups.get(code);
            const age = ageOf(indicator.timetable, newest, context.today);
            cite.age({ ...age, newest });
            const observations =
              group === undefined
                ? null
                : new Observations(group, indicator.unit, cite, context.locale, indicator.decision);
            return {
              ...this.urls.links(context.locale, ['macro', slug], { region: code }),
              region: { code, name: regionName[context.locale] },
              currency: isExchangeRate(indicator.unit) ? currency : null,
              observations: (vintages === 'all' ? observations?.vintages() : observations?.held()) ?? [],
              changedPeriods: { from, to },
              ...age,
              source: cite.source(source),
            };
          }),
        },
        ...(cursor === undefined && { removed: await removedSince(read, 'macro', at, slug) }),
        page: {
          limit: PAGE,
          next: last === undefined ? null : { scope, place: last.region },
        },
      };
    });
  }
}

/** @throws ApiError `invalid_parameter` */
function requireAbsent(parameter: (typeof ALONE)[number], query: MacroQuery): void {
  if (query[parameter] === undefined) return;
  throw invalidParameter({ parameter, reason: 'not_together', args: { other: 'publishedSince' } });
}

/** The last row of each period: its value, or that it is withdrawn. */
function newestOnly(rows: readonly ObservationRow[]): ObservationRow[] {
  return rows.filter(({ region, period }, index) => {
    const next = rows[index + 1];
    return next?.region !== region || next.period !== period;
  });
}
