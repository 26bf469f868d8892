import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { asOfQuery, UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../../store/snapshots.js';
import { invalidParameter } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import type { SeriesFigure } from '../../../domain/figures/figure.schema.js';
import { seriesName } from '../../../domain/calculation/measures.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { formatPeriod } from '../../../domain/locale/format.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { REGIONS_OF_CODES } from '../closed-sets.rows.js';
import { EARLIEST } from '../parameters.schema.js';
import { nextDecisions } from '../series/point.rows.js';
import { beginningNotice, checkWindow, firstVintageNotice, nearestEnds, periodSpanOf } from '../series/window.rule.js';
import {
  ALL_REGIONS,
  ALL_VINTAGES,
  COUNTRIES_BESIDE,
  LATEST_TWO,
  LATEST_TWO_OF_COUNTRIES,
  NEAREST_PERIODS,
  NEWEST_PERIODS,
  requestedRegions,
  requireIndicator,
  REGIONS_STORED,
  WHOLE_SERIES,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type MacroQuery, type MacroSeries } from './macro.schema.js';
import { inForceFrom, type Observations } from './observations.view.js';
import { IndicatorView } from './indicator.view.js';
import { ranked } from './ranking.rule.js';
import { grouped } from '../../../domain/grouped.js';

/** So many economies with figures of an indicator are named where others were requested. */
const FEW = 3;
/** Countries that a ranking leaves out; more of them are only counted. */
const MOST_UNRANKED = 5;

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
      await checkWindow(faults, query, context);
      await faults.check(['vintages', 'region', 'rank'], () => requireOneRegion(query));
      await faults.check(['limit', 'rank'], () => requireRank(query));
      const { region } = query;
      return (await faults.check(['region'], () => requestedRegions(read, slug, region))) ?? null;
    };
    return this.reader.readChecked(dependent, context, checks, async (read, cite, regions) => {
      const { asOf = context.today } = query;
      const indicator = await requireIndicator(read, slug);
      const [first, last] = periodSpanOf(query, indicator.frequency);
      // The decision that held when the span began is older than the span.
      const oldest = indicator.decision && isSeries(query) ? EARLIEST : first;
      const rows = inForceFrom(
        first,
        await read<ObservationRow>(statementOf(query), [slug, asOf, oldest, last, regions]),
      );
      const newest = await newestPeriods(read, slug, query, asOf, rows, regions);
      const groups = [...grouped(rows, ({ region }) => region).values()];
      const { shown: series, compared, ranking } = ranked(groups, indicator, query);
      const view = new IndicatorView(indicator, cite, this.urls, context);
      if (ranking !== null) cite.ranking(slug, asOf);
      const link = asOfQuery(query.asOf, context.today);
      const where = 's.indicator = $1 AND ($2::text[] IS NULL OR s.region = ANY ($2))';
      const isEmpty = rows.length === 0;
      const next = indicator.decision ? await nextDecisions(read, { where, parameters: [slug, regions] }, asOf) : [];
      const early = isEmpty
        ? await firstVintageNotice(read, { where, parameters: [slug, regions] }, asOf, this.texts, context)
        : [];
      return {
        data: {
          indicator: view.describe(),
          ranking,
          series: series.map((group) => {
            const [{ region }] = group;
            const following = next.find((one) => one.region === region)?.period;
            const age = { newest: newest.get(region) ?? null, day: asOf, next: following };
            return view.series(group[0], shown(view.observations(group), query), age, link);
          }),
        },
        // Only `publishedSince` divides a response.
        page: { limit: series.length, next: null },
        ...(isEmpty && isWindow(query) ? { nearest: await nearestTo(read, [slug, asOf, first, last, regions]) } : {}),
        notices: [
          ...this.beginning(groups, indicator.shortName, query, context),
          ...(early.length > 0 ? early : await this.withoutFigures(read, slug, regions ?? [], rows, query)),
          ...(ranking === null ? [] : await this.notRanked(read, slug, compared, query)),
        ],
      };
    });
  }

  /** Of one economy: many would have as many notices. */
  private beginning(
    [only, ...others]: readonly (readonly [ObservationRow, ...ObservationRow[]])[],
    name: Localized,
    query: MacroQuery,
    { locale }: RequestContext,
  ): string[] {
    if (only === undefined || others.length > 0) return [];
    const [{ period, regionName }] = only;
    return beginningNotice(query, period, seriesName(locale, name, regionName), { texts: this.texts, locale });
  }

  /** Notices that name the requested economies without figures in the selection, and those without any. */
  private async withoutFigures(
    read: Read,
    slug: string,
    regions: readonly string[],
    rows: readonly ObservationRow[],
    { locale, asOf }: Pick<MacroQuery, 'locale' | 'asOf'>,
  ): Promise<string[]> {
    const present = new Set(rows.map(({ region }) => region));
    const absent = regions.filter((code) => !present.has(code));
    if (absent.length === 0 && rows.length > 0) return [];
    const all = await read<{ code: string; name: Localized; newest: string | null }>(REGIONS_STORED, [slug]);
    if (all.length === 0) return [this.texts.say(locale, 'resources.indicator_not_stored')];
    const named = await read<{ code: string; name: Localized }>(REGIONS_OF_CODES, [absent]);
    const listed = (some: typeof named) => some.map(({ name }) => name[locale]).join(VOICES[locale].comma);
    const [stored, never] = [true, false].map((is) =>
      named.filter(({ code }) => all.some((one) => one.code === code) === is),
    ) as [typeof named, typeof named];
    const newest = new Map(all.map((one) => [one.code, one.newest]));
    const nameWithNewest = (code: string, name: string): string => {
      const period = newest.get(code) ?? null;
      // All figures of a series may be withdrawn; and on an earlier day, another period was the newest.
      if (period === null || asOf !== undefined) return name;
      return this.texts.say(locale, 'resources.with_newest', { name, period: formatPeriod(locale, period) });
    };
    const withNewest = (some: typeof named) =>
      some.map(({ code, name }) => nameWithNewest(code, name[locale])).join(VOICES[locale].comma);
    const key = all.length > FEW ? 'resources.never_stored' : 'resources.stored_only_for';
    return [
      ...(stored.length > 0 ? [this.texts.say(locale, 'resources.no_figures_of', { names: withNewest(stored) })] : []),
      ...(never.length > 0 ? [this.texts.say(locale, key, { names: listed(never), stored: listed(all) })] : []),
    ];
  }

  /** A notice that names the countries with figures of the indicator that the ranking leaves out. */
  private async notRanked(
    read: Read,
    slug: string,
    compared: readonly (readonly [ObservationRow, ...ObservationRow[]])[],
    { locale }: Pick<MacroQuery, 'locale'>,
  ): Promise<string[]> {
    const codes = compared.map(([{ region }]) => region);
    const left = await read<{ name: Localized }>(COUNTRIES_BESIDE, [slug, codes]);
    if (left.length === 0) return [];
    const names = left
      .slice(0, MOST_UNRANKED)
      .map(({ name }) => name[locale])
      .join(VOICES[locale].comma);
    const count = left.length - MOST_UNRANKED;
    const rest = count > 0 ? this.texts.say(locale, 'resources.not_ranked_rest', { count }) : '';
    return [this.texts.say(locale, 'resources.not_ranked', { names, rest })];
  }
}

const isSeries = ({ region, rank }: MacroQuery): boolean => region !== undefined && rank === undefined;

const isWindow = ({ from, to }: MacroQuery): boolean => from !== undefined || to !== undefined;

/** The nearest days outside a window without figures, each the end of a period. */
async function nearestTo(read: Read, parameters: readonly unknown[]) {
  const [row] = await read<{ before: string | null; after: string | null }>(NEAREST_PERIODS, parameters);
  return nearestEnds(row ?? { before: null, after: null });
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
  if (vintages === 'all' && (region.length !== 1 || region[0] === ALL_REGIONS || rank !== undefined))
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
  return region === undefined || rank !== undefined ? observations.stored() : observations.whole();
}
