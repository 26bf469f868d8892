import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { asOfQuery, UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../database/snapshots.js';
import { invalidParameter, notFound } from '../../errors/api-error.js';
import { unitOf } from '../../figures/figure.js';
import { UNITS } from '../../figures/units.js';
import { periodsWithin } from '../../figures/periods.js';
import { formatDay } from '../../locale/format.js';
import type { Locale } from '../../locale/locale.js';
import { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { nearestMembers, resolveRegions } from '../closed-sets.rows.js';
import { EARLIEST, LATEST, requirePeriodOrder } from '../parameters.schema.js';
import {
  ALL_VINTAGES,
  EARLIEST_DAY,
  LATEST_TWO,
  LATEST_TWO_OF_COUNTRIES,
  ONE_INDICATOR,
  WHOLE_SERIES,
  type IndicatorRow,
  type ObservationRow,
} from './macro.rows.js';
import { macroResource, type MacroQuery, type MacroSeries, type SeriesFigure } from './macro.schema.js';
import { byRegion, Observations } from './observations.view.js';
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
    return this.reader.read(macroResource, context, async (read, cite) => {
      const { asOf = context.today } = query;
      if (asOf > context.today) throw invalidParameter({ parameter: 'asOf', reason: 'in_the_future' });
      requirePeriodOrder(query.from, query.to);
      requireOneRegion(query);
      const regions = query.region === undefined ? null : await resolveRegions(read, 'region', query.region);
      const [indicator] = await read<IndicatorRow>(ONE_INDICATOR, [slug]);
      if (indicator === undefined)
        throw notFound('indicator', 'no_indicator', slug, await nearestMembers(read, 'indicator', slug));
      const [first, last] = periodsWithin(query.from ?? EARLIEST, query.to ?? LATEST, indicator.frequency);
      const rows = await read<ObservationRow>(statementOf(query), [slug, asOf, first, last, regions]);
      const groups = ranked([...byRegion(rows).values()], indicator, query);
      return {
        data: {
          indicator: showIndicator(indicator, context.locale, cite),
          series: groups.map((group) => {
            const [{ region: code, regionName, currency, source }] = group;
            return {
              ...this.urls.links(context.locale, ['macro', slug], {
                region: code,
                ...asOfQuery(query.asOf, context.today),
              }),
              region: { code, name: regionName[context.locale] },
              currency: UNITS[indicator.unit].dimension === 'exchange_rate' ? currency : null,
              observations: shown(
                new Observations(group, indicator.unit, cite, context.locale, indicator.decision),
                query,
              ),
              source: cite.source(source),
            };
          }),
        },
        notices: rows.length > 0 ? [] : await this.beforeHeld(read, slug, regions, asOf, context.locale),
      };
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

/** @throws ApiError `invalid_parameter` */
function requireOneRegion({ rank, vintages, region = [] }: MacroQuery): void {
  if (vintages === 'all' && (region.length !== 1 || rank !== undefined))
    throw invalidParameter({ parameter: 'vintages', reason: 'one_region' });
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

function showIndicator(row: IndicatorRow, locale: Locale, cite: Citations): MacroSeries['indicator'] {
  const { slug, name, description, unit, frequency, seasonalAdjustment, priceBasis, baseYear } = row;
  return {
    slug: cite.series(slug),
    name: name[locale],
    description: description[locale],
    unit: unitOf(unit, locale),
    frequency,
    seasonalAdjustment,
    priceBasis,
    baseYear,
    providerCode: row.providerCode,
  };
}
