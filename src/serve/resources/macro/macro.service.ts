import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { asOfQuery, UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../../store/snapshots.js';
import { invalidParameter, notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { ageOf } from '../../../domain/figures/timetable.js';
import { isExchangeRate } from '../../../domain/figures/units.js';
import { lastDayOf, periodsWithin } from '../../../domain/figures/periods.js';
import { formatDay } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { nearestMembers, resolveRegions } from '../closed-sets.rows.js';
import { EARLIEST, LATEST, requirePast, requirePeriodOrder } from '../parameters.schema.js';
import {
  ALL_VINTAGES,
  EARLIEST_DAY,
  LATEST_TWO,
  LATEST_TWO_OF_COUNTRIES,
  NEAREST_PERIODS,
  NEWEST_PERIODS,
  ONE_INDICATOR,
  STORED_REGIONS,
  WHOLE_SERIES,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type MacroQuery, type MacroSeries, type SeriesFigure } from './macro.schema.js';
import { byRegion, Observations } from './observations.view.js';
import { showIndicator } from './indicator.view.js';
import { inForceFrom } from './in-force.rule.js';
import { ranked } from './ranking.rule.js';

@Injectable()
export class MacroService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  /** One indicator: whole series of regions, or the newest figures of every region. @throws `not_found` */
  find(slug: string, query: MacroQuery, context: RequestContext): Promise<Result<MacroSeries>> {
    const dependent = { ...macroResource, subject: slug };
    const checks = async (read: Read, faults: ParameterFaults) => {
      await faults.check(['asOf'], () => requirePast('asOf', query.asOf, context.today));
      await faults.check(['from', 'to'], () => requirePeriodOrder(query.from, query.to));
      await faults.check(['vintages', 'region', 'rank'], () => requireOneRegion(query));
      await faults.check(['limit', 'rank'], () => requireRank(query));
      const { region } = query;
      return region && faults.check(['region'], () => resolveRegions(read, 'region', region));
    };
    return this.reader.readChecked(dependent, context, checks, async (read, cite, found) => {
      const regions = found ?? null;
      const { asOf = context.today } = query;
      const [indicator] = await read<IndicatorRow>(ONE_INDICATOR, [slug]);
      if (indicator === undefined)
        throw notFound('indicator', 'no_indicator', slug, await nearestMembers(read, 'indicator', slug));
      const [first, last] = periodsWithin(query.from ?? EARLIEST, query.to ?? LATEST, indicator.frequency);
      // The decision that held when the span began is older than the span.
      const oldest = indicator.decision && isSeries(query) ? EARLIEST : first;
      const rows = inForceFrom(
        first,
        await read<ObservationRow>(statementOf(query), [slug, asOf, oldest, last, regions]),
      );
      const newest = await newestPeriods(read, slug, query, asOf, rows, regions);
      const { shown: groups, ranking } = ranked([...byRegion(rows).values()], indicator, query);
      const early = rows.length > 0 ? [] : await this.beforeHeld(read, slug, regions, asOf, context.locale);
      return {
        data: {
          indicator: showIndicator(indicator, context.locale, cite),
          ranking,
          series: groups.map((group) => {
            const [{ region: code, regionName, currency, source }] = group;
            const last = newest.get(code) ?? null;
            const age = ageOf(indicator.timetable, last, asOf);
            cite.age({ ...age, newest: last });
            return {
              ...this.urls.links(context.locale, ['macro', slug], {
                region: code,
                ...asOfQuery(query.asOf, context.today),
              }),
              region: { code, name: regionName[context.locale] },
              currency: isExchangeRate(indicator.unit) ? currency : null,
              observations: shown(
                new Observations(group, indicator.unit, cite, context.locale, indicator.decision),
                query,
              ),
              changedPeriods: null,
              ...age,
              source: cite.source(source),
            };
          }),
        },
        // Only `publishedSince` divides a response.
        page: { limit: groups.length, next: null },
        ...(rows.length === 0 && isWindow(query)
          ? { nearest: await nearestDays(read, [slug, asOf, first, last, regions]) }
          : {}),
        notices:
          early.length > 0
            ? early
            : await this.withoutFigures(read, slug, regions ?? [], rows, context.locale),
      };
    });
  }

  /** Notices that name the requested economies without figures in the selection, and those without any. */
  private async withoutFigures(
    read: Read,
    slug: string,
    regions: readonly string[],
    rows: readonly ObservationRow[],
    locale: Locale,
  ): Promise<string[]> {
    const present = new Set(rows.map(({ region }) => region));
    const absent = regions.filter((code) => !present.has(code));
    if (absent.length === 0) return [];
    const named = await read<{ name: Localized; stored: boolean }>(STORED_REGIONS, [slug, absent]);
    return [true, false].flatMap((stored) => {
      const names = named.filter((one) => one.stored === stored).map(({ name }) => name[locale]);
      if (names.length === 0) return [];
      const key = stored ? 'resources.no_figures_of' : 'resources.never_stored';
      return [this.texts.say(locale, key, { names: names.join(locale === 'en' ? ', ' : '、') })];
    });
  }

  /** Before the first vintage the list is empty, and a notice names the earliest stored day. */
  private async beforeHeld(
    read: Read,
    slug: string,
    regions: readonly string[] | null,
    asOf: string,
    locale: Locale,
  ): Promise<string[]> {
    const [earliest] = await read<{ day: string | null }>(EARLIEST_DAY, [slug, regions]);
    if (earliest?.day == null || earliest.day <= asOf) return [];
    return [this.texts.say(locale, 'resources.before_held', { day: formatDay(locale, earliest.day) })];
  }
}

const isSeries = ({ region, rank }: MacroQuery): boolean => region !== undefined && rank === undefined;

const isWindow = ({ from, to }: MacroQuery): boolean => from !== undefined || to !== undefined;

/** The nearest days outside a window without figures, each the end of a period. */
async function nearestDays(
  read: Read,
  parameters: readonly unknown[],
): Promise<NonNullable<Result<unknown>['nearest']>> {
  const [row] = await read<{ before: string | null; after: string | null }>(NEAREST_PERIODS, parameters);
  const dayOf = (period: string | null | undefined) => (period == null ? null : lastDayOf(period));
  return { before: dayOf(row?.before), after: dayOf(row?.after) };
}

/** The newest period with a value of each region, also where the window of the query leaves it out. */
async function newestPeriods(
  read: Read,
  slug: string,
  { to }: MacroQuery,
  asOf: string,
  rows: readonly ObservationRow[],
  regions: readonly string[] | null,
): Promise<ReadonlyMap<string, string>> {
  const known =
    to === undefined
      ? rows.filter(({ withdrawn, knownUntil }) => !withdrawn && knownUntil == null)
      : await read<{ region: string; period: string }>(NEWEST_PERIODS, [slug, asOf, regions]);
  const newest = new Map<string, string>();
  for (const { region, period } of known) {
    if (period > (newest.get(region) ?? '')) newest.set(region, period);
  }
  return newest;
}

/** @throws ApiError `invalid_parameter` */
function requireOneRegion({ rank, vintages, region = [] }: MacroQuery): void {
  if (vintages === 'all' && (region.length !== 1 || rank !== undefined))
    throw invalidParameter({ parameter: 'vintages', reason: 'one_region' });
}

/** @throws ApiError `invalid_parameter` */
function requireRank({ rank, limit }: MacroQuery): void {
  if (limit !== undefined && rank === undefined)
    throw invalidParameter({ parameter: 'limit', reason: 'only_with', args: { other: 'rank' } });
}

function statementOf({ region, rank, vintages }: MacroQuery): string {
  if (rank !== undefined) return region === undefined ? LATEST_TWO_OF_COUNTRIES : LATEST_TWO;
  if (region === undefined) return LATEST_TWO;
  return vintages === 'all' ? ALL_VINTAGES : WHOLE_SERIES;
}

function shown(observations: Observations, { region, rank, vintages }: MacroQuery): SeriesFigure[] {
  if (vintages === 'all') return observations.vintages();
  return region === undefined || rank !== undefined ? observations.held() : observations.whole();
}
