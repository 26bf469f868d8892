// What a computed figure is counted in, which need not be a unit of the catalogue.
import { currencyAmount, currencyName } from '../figures/currencies.js';
import { describedUnit } from '../figures/figure.js';
import type { Unit } from '../figures/figure.schema.js';
import { textInUnit } from '../figures/figure-text.js';
import { UNITS, unitNamed, type UnitCode, type UnitDefinition } from '../figures/units.js';
import { capitalised, formatPeriod } from '../locale/format.js';
import { inAll, type Locale, type Localized } from '../locale/locale.js';
import { SENTENCES, VOICES } from '../locale/voice/voices.js';
import type { Operation, Transform } from './sequence.js';

/** The place of the number in a display. */
const n = '{n}';
/** A number without a unit. */
const NUMBER = inAll(() => n);

export interface ResultMeasure {
  /** Null unless the catalogue has the unit. */
  readonly code: UnitCode | null;
  readonly definition: UnitDefinition;
  /** Of an exchange rate: the currency whose amount it states, where known. */
  readonly currency: string | null;
}

export const measureOf = (code: UnitCode, currency: string | null): ResultMeasure => ({
  code,
  definition: unitNamed(code),
  currency,
});

/** Percentages change by points. */
export const changesByPoints = ({ definition }: ResultMeasure): boolean =>
  definition.dimension === 'ratio' && definition.scale === 0;

export const measureText = (locale: Locale, { definition, currency }: ResultMeasure, value: string): string =>
  textInUnit(locale, definition, currency, value);

export function measureUnit({ code, definition, currency }: ResultMeasure, locale: Locale) {
  return { code, ...describedUnit(definition, locale, currency) } as Omit<Unit, 'code'> & {
    readonly code: UnitCode | null;
  };
}

const derived = (definition: Pick<UnitDefinition, 'dimension' | 'label'> & Partial<UnitDefinition>): ResultMeasure => ({
  code: null,
  currency: null,
  definition: {
    currency: null,
    scale: 0,
    per: null,
    limits: {},
    display: NUMBER,
    precision: { least: 0, most: 4, compact: true },
    ...definition,
  },
});

const POINTS = derived({
  dimension: 'ratio',
  label: inAll((locale) => SENTENCES[locale].measures.points({})),
  display: inAll((locale) => VOICES[locale].percentagePoints(n)),
  one: VOICES.en.percentagePoints('1').replace('1', n),
  precision: { least: 0, most: 2, compact: false, coarse: true },
});

/** What one unit of a currency costs in another. */
export const pairMeasure = (base: string, quote: string): ResultMeasure => ({
  ...derived({
    dimension: 'exchange_rate',
    per: base,
    label: inAll((locale) => SENTENCES[locale].measures.unit(namesOf(locale, base, quote))),
    display: inAll((locale) => SENTENCES[locale].measures.rate({ n, ...namesOf(locale, base, quote) })),
    precision: { least: 0, most: 2, compact: false },
  }),
  currency: quote,
});

const namesOf = (locale: Locale, base: string, quote: string) => ({
  base: (VOICES[locale].oneOfCurrency === 'name' ? currencyName(base) : currencyAmount(base))[locale],
  quote: currencyAmount(quote)[locale],
});

/** Real GDP growth, Japan. */
export const seriesName = (locale: Locale, name: Localized, region: Localized | null): string =>
  region === null ? name[locale] : SENTENCES[locale].measures.of({ name: name[locale], region: region[locale] });

export const pairName = (base: string, quote: string): Localized =>
  inAll((locale) => {
    const [first, second] = [currencyName(base)[locale], currencyName(quote)[locale]];
    return SENTENCES[locale].measures.pair({ base: capitalised(first), quote: second });
  });

/** As the unit of a figure is called, with the currency of a rate. */
const labelOf = ({ definition, currency }: ResultMeasure): Localized =>
  inAll((locale) => describedUnit(definition, locale, currency).label);

/** A difference of rates is not what a currency costs. */
const bare = (definition: UnitDefinition): UnitDefinition => ({ ...definition, display: NUMBER });

/** Whether one is a percentage, and the other is not. */
export const isShareOf = (left: ResultMeasure, right: ResultMeasure): boolean =>
  changesByPoints(left) !== changesByPoints(right);

/** Null where the two cannot be combined so. */
export function combinedMeasure(left: ResultMeasure, operation: Operation, right: ResultMeasure): ResultMeasure | null {
  const [a, b] = [left.definition, right.definition];
  const isSame =
    left.code === right.code && left.currency === right.currency && a.dimension === b.dimension && a.per === b.per;
  const bothRates = changesByPoints(left) && changesByPoints(right);
  if (operation === 'minus') {
    if (bothRates) return POINTS;
    return !isSame ? null : a.dimension === 'exchange_rate' ? { ...left, definition: bare(a) } : left;
  }
  // A percentage of an amount is an amount; anything else of it means nothing.
  if (isShareOf(left, right)) {
    const [of] = [left, right].filter((one) => !changesByPoints(one));
    return operation === 'times' && of?.definition.dimension === 'money' ? of : null;
  }
  const [first, second] = [labelOf(left), labelOf(right)];
  const label = inAll((locale) => SENTENCES[locale].measures[operation]({ a: first[locale], b: second[locale] }));
  // Dollars a barrel over what a euro costs in dollars are euros a barrel; times what a dollar costs in yen, yen a barrel.
  const [from, to] = operation === 'per' ? [right.currency, b.per] : [b.per, right.currency];
  if (b.dimension === 'exchange_rate' && to !== null && a.currency !== null) {
    if (from !== a.currency) return null;
    if (a.labelWith !== undefined || a.per === null) return converted(a, to);
  }
  if (operation === 'per') {
    if (isSame || bothRates)
      return derived({ dimension: 'count', label: inAll((locale) => SENTENCES[locale].measures.ratio({})) });
    const each = Object.entries(UNITS).find(
      ([code, unit]) =>
        b.dimension === 'count' &&
        unit.per === right.code &&
        unit.currency === a.currency &&
        unit.scale === 0 &&
        unit.dimension === a.dimension &&
        a.scale === 0 &&
        a.per === null &&
        b.scale === 0 &&
        code !== left.code,
    );
    return each === undefined ? derived({ dimension: a.dimension, label }) : measureOf(each[0], null);
  }
  return derived({ dimension: a.dimension, label });
}

/** An amount or a price in another currency. */
function converted(unit: UnitDefinition, currency: string): ResultMeasure {
  const { precision, dimension, scale, per, labelWith } = unit;
  const own = { precision, dimension, scale, per, currency };
  if (labelWith !== undefined)
    return derived({
      ...own,
      label: inAll((locale) => describedUnit({ ...unit, currency: null }, locale, currency).label),
    });
  return derived({
    ...own,
    label: currencyName(currency),
    display: inAll((locale) => SENTENCES[locale].measures.amount({ n, currency: currencyAmount(currency)[locale] })),
    precision: { least: 0, most: 2, compact: true },
  });
}

/** @param base the period that is 100 */
export function transformedMeasure(measure: ResultMeasure, transform: Transform, base: string | null): ResultMeasure {
  if (transform === 'index' || transform === 'compound')
    return derived({
      dimension: 'index',
      label: inAll((locale) =>
        SENTENCES[locale].measures.index({ base: base === null ? '' : formatPeriod(locale, base) }),
      ),
      precision: { least: 0, most: 2, compact: false },
    });
  const counted = transform === 'change' ? measure : measureOf('percent', null);
  const own = changesByPoints(measure) ? POINTS : counted;
  // A change is counted as what changes, so its unit says that it is one.
  const unit = labelOf(own);
  const label = inAll((locale) => SENTENCES[locale].measures[transform]({ unit: unit[locale] }));
  return { ...own, definition: { ...own.definition, label, labelWith: undefined } };
}
