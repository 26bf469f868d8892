import { unitOf } from '../../../domain/figures/figure.js';
import { ageOf } from '../../../domain/figures/timetable.js';
import { isExchangeRate } from '../../../domain/figures/units.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { IndicatorRow, ObservationRow, SeriesRegionRow } from './macro.rows.js';
import type { MacroSeries } from './macro.schema.js';
import { Observations } from './observations.view.js';

type RegionSeries = MacroSeries['series'][number];

/** Shows one indicator and its series of regions. */
export class IndicatorView {
  constructor(
    private readonly indicator: IndicatorRow,
    private readonly cite: Citations,
    private readonly urls: UrlBuilder,
    private readonly context: RequestContext,
  ) {}

  /** What its series measure. */
  describe(): MacroSeries['indicator'] {
    const { slug, name, description, unit, ...row } = this.indicator;
    const { frequency, seasonalAdjustment, priceBasis, baseYear, providerCode } = row;
    const { locale } = this.context;
    return {
      slug: this.cite.series(slug),
      name: name[locale],
      description: description[locale],
      unit: unitOf(unit, locale),
      frequency,
      seasonalAdjustment,
      priceBasis,
      baseYear,
      providerCode,
    };
  }

  /**
   * @param newest the newest period with a value, whichever `observations` shows; its age counts to the day, and the decision that is known to follow
   * @param query of the link to the series
   */
  series(
    { region, regionName, currency, source }: SeriesRegionRow,
    observations: RegionSeries['observations'],
    { newest, day, next }: { readonly newest: string | null; readonly day: string; readonly next?: string | undefined },
    query: Readonly<Record<string, string>> = {},
    changedPeriods: RegionSeries['changedPeriods'] = null,
  ): RegionSeries {
    const { slug, unit, timetable } = this.indicator;
    const { locale } = this.context;
    const age = ageOf(timetable, newest, day, next);
    this.cite.age({ ...age, newest, series: `${slug}@${region}`, asOf: day });
    return {
      ...this.urls.links(locale, ['macro', slug], { region, ...query }),
      region: { code: region, name: regionName[locale] },
      currency: isExchangeRate(unit) ? currency : null,
      observations,
      changedPeriods,
      ...age,
      source: this.cite.source(source),
    };
  }

  observations(rows: readonly [ObservationRow, ...ObservationRow[]]): Observations {
    return new Observations(rows, this.indicator, this.cite, this.context.locale);
  }
}
