import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { ApiError, invalidParameter } from '../../errors/api-error.js';
import { unitOf } from '../../figures/figure.js';
import { periodsWithin } from '../../figures/periods.js';
import { formatDay } from '../../locale/format.js';
import type { Locale } from '../../locale/locale.js';
import { Texts } from '../../locale/texts.service.js';
import { resolveRegion } from '../closed-sets.js';
import { requirePeriodOrder } from '../parameters.schema.js';
import {
  EARLIEST_DAY,
  LATEST_TWO,
  ONE_INDICATOR,
  WHOLE_SERIES,
  type IndicatorRow,
  type ObservationRow,
} from './macro-rows.js';
import type { MacroQuery, MacroSeries } from './macro.schema.js';
import { byRegion, Observations } from './observations.js';

@Injectable()
export class MacroService {
  constructor(
    private readonly archive: Archive,
    private readonly texts: Texts,
  ) {}

  /** One indicator: a region's whole series, or the latest two periods of every region. @throws `not_found` */
  find(slug: string, query: MacroQuery, call: CallContext): Promise<Result<MacroSeries>> {
    return this.archive.answer('macro', call, async (read, cite) => {
      const { asOf = call.today } = query;
      if (asOf > call.today) throw invalidParameter({ parameter: 'asOf', reason: 'in_the_future' });
      requirePeriodOrder(query.from, query.to);
      const region = query.region === undefined ? null : await resolveRegion(read, 'region', query.region);
      const [indicator] = await read<IndicatorRow>(ONE_INDICATOR, [slug]);
      if (indicator === undefined) throw new ApiError('not_found');
      const rows = await observationRows(read, indicator, query, region, asOf);
      const groups = byRegion(rows);
      return {
        data: {
          indicator: showIndicator(indicator, call.locale),
          series: [...groups.values()].map((group) => {
            const observations = new Observations(group, indicator.unit, cite, indicator.decision);
            const [{ region: code, regionName, source }] = group;
            return {
              region: { code, name: regionName[call.locale] },
              observations: region === null ? observations.latestTwo() : observations.whole(),
              source: cite.source(source),
            };
          }),
        },
        notices: groups.size > 0 ? [] : await this.beforeHeld(read, slug, region, asOf, call.locale),
      };
    });
  }

  /** Before the first vintage there is nothing to show, and the earliest day held is named. */
  private async beforeHeld(
    read: Read,
    slug: string,
    region: string | null,
    asOf: string,
    locale: Locale,
  ): Promise<string[]> {
    const [earliest] = await read<{ day: string | null }>(EARLIEST_DAY, [slug, region]);
    if (earliest?.day == null || earliest.day <= asOf) return [];
    return [this.texts.say(locale, 'resources.before_held', { day: formatDay(locale, earliest.day) })];
  }
}

function observationRows(
  read: Read,
  { slug, frequency }: IndicatorRow,
  { from = '1500', to = '2499' }: MacroQuery,
  region: string | null,
  asOf: string,
): Promise<ObservationRow[]> {
  const [first, last] = periodsWithin(from, to, frequency);
  return region === null
    ? read<ObservationRow>(LATEST_TWO, [slug, asOf, first, last])
    : read<ObservationRow>(WHOLE_SERIES, [slug, asOf, first, last, region]);
}

function showIndicator(row: IndicatorRow, locale: Locale): MacroSeries['indicator'] {
  const { slug, name, description, unit, frequency, seasonalAdjustment, priceBasis, baseYear } = row;
  return {
    slug,
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
