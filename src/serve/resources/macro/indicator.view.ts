import { unitOf } from '../../../domain/figures/figure.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { IndicatorRow } from './macro.rows.js';
import type { MacroSeries } from './macro.schema.js';

/** What a series measures. */
export function showIndicator(row: IndicatorRow, locale: Locale, cite: Citations): MacroSeries['indicator'] {
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
