// Changes as a brief tells them, of the catalogue's indicators, instruments and regions.
import { previousPeriod } from '../../src/domain/figures/periods.js';
import type { Wording } from '../../src/domain/figures/wording.js';
import type { Localized } from '../../src/domain/locale/locale.js';
import type { MentionedChange } from '../../src/publish/read-models/briefs/mentioned-change.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import regions from '../../data/catalogue/regions.json' with { type: 'json' };

export const inEach = (en: string, zh = en, ja = en): Localized => ({ en, zh, ja });

export interface Traits {
  readonly kind?: string;
  readonly indicator?: string;
  readonly region?: string;
  readonly period?: string;
  readonly from: string | null;
  readonly to: string;
  readonly yearBefore?: string;
}

function found<Entry>(entry: Entry | undefined, what: string): Entry {
  if (entry === undefined) throw new Error(`The catalogue has no ${what}`);
  return entry;
}

export const indicatorNamed = (slug: string) =>
  found(
    indicators.find((one) => one.slug === slug),
    slug,
  );

export const instrumentNamed = (key: string) =>
  found(
    instruments.find((one) => one.key === key),
    key,
  );

export const regionNamed = (code: string) =>
  found(
    regions.find((one) => one.code === code),
    code,
  );

/** A change of an indicator. */
export function mentionedChange(traits: Traits): MentionedChange {
  const { kind = 'release', indicator = 'unemployment-rate', region = 'JP', period = '2025' } = traits;
  const { shortName, wording, unit } = indicatorNamed(indicator);
  const { name, currency, weight, kind: sort } = regionNamed(region);
  return {
    kind,
    subject: indicator,
    name: shortName,
    wording: wording as Wording,
    unit,
    region,
    period,
    weight,
    headline: inEach('its own headline', '自有标题', '自身の見出し'),
    instrumentName: null,
    curve: null,
    currency: indicator === 'official-exchange-rate' ? currency : null,
    regionName: name,
    economy: sort === 'country' || ['EMU', 'EUU', 'WLD'].includes(region),
    aggregate: sort === 'aggregate',
    actual: traits.to,
    previous: traits.from,
    previousPeriod: kind === 'revision' ? period : previousPeriod(period),
    rebasing: null,
    yearBefore: traits.yearBefore ?? null,
  };
}

/** A move of an instrument. */
export function mentionedMove(key: string, from: string, to: string, period = '2026-08-03'): MentionedChange {
  const { name, unit, currency, curve, attention: weight } = instrumentNamed(key);
  return {
    ...mentionedChange({ kind: 'move', from, to, period }),
    subject: key,
    name: null,
    wording: null,
    region: null,
    regionName: null,
    economy: false,
    instrumentName: name,
    unit,
    currency,
    curve: curve ?? null,
    weight,
  };
}
