// Numbers as each language writes them in running text: its own scale, its own grouping, its own sign.
import Big from 'big.js';
import type { Locale } from '../locale/locale.js';
import { decimalsOf } from './decimal.js';

/** How exactly a unit is written in running text. */
export interface Precision {
  /** Decimals that are always written, and the most that are. */
  readonly least: number;
  readonly most: number;
  /** Whether large numbers are shortened: 4.2 trillion, 4.2万亿, 4兆2000億. */
  readonly compact: boolean;
  /** Whether small differences may be rounded like the numbers, as long as different numbers look different. */
  readonly coarse?: boolean | undefined;
  /** Decimals that a shortened number always has: a figure that is estimated again reads the same in each text. */
  readonly shortened?: number | undefined;
}

/** How the numbers of one sentence are written, all alike. */
export interface NumberStyle {
  /** Power of ten of the word that follows the number: 12 for trillion. */
  readonly scale: number;
  /** Decimals at that scale. Japanese writes them as whole parts: 1.12兆 as 1兆1200億. */
  readonly decimals: number;
}

type Scales = readonly (readonly [power: number, word: string])[];

const MYRIADS = { zh: ['', '万', '亿', '万亿'], ja: ['', '万', '億', '兆', '京'] } as const;
const SCALES: Readonly<Record<Locale, Scales>> = {
  en: [
    [12, ' trillion'],
    [9, ' billion'],
    [6, ' million'],
  ],
  zh: [3, 2, 1].map((power) => [power * 4, MYRIADS.zh[power] ?? ''] as const),
  ja: [3, 2, 1].map((power) => [power * 4, MYRIADS.ja[power] ?? ''] as const),
};
/** From here on a shortened number reads more easily. */
const COMPACT_FROM: Readonly<Record<Locale, string>> = { en: '1e6', zh: '1e5', ja: '1e5' };

/**
 * One style for numbers that stand side by side. It has more decimals than the unit's where different numbers would
 * look alike, one other than zero like zero, or their difference would be a quarter off; of shortened numbers, whose
 * difference stands beside its percentage, a fiftieth. Rates only look different.
 * @param values plain decimal texts
 */
export function styleOf(locale: Locale, values: readonly string[], precision: Precision): NumberStyle {
  const numbers = values.map((value) => new Big(value));
  const scale = precision.compact ? scaleOf(locale, numbers) : 0;
  const style = styleAt(scale, values, numbers, precision);
  // Chinese statistics write 14351.3万人 rather than 1.43513亿人, but 3.4563万亿.
  const long = locale === 'zh' && scale > 0 && style.decimals > 4;
  return long ? styleAt(scale - 4, values, numbers, precision) : style;
}

function styleAt(
  scale: number,
  values: readonly string[],
  numbers: readonly Big[],
  precision: Precision,
): NumberStyle {
  const largest = largestOf(numbers).times(`1e${-scale}`);
  // Four digits of a shortened number say enough, unless their difference says too little.
  const most = scale === 0 ? precision.most : largest.gte(1000) ? 0 : largest.gte(100) ? 1 : 2;
  const exact = Math.max(...values.map((value) => exactDecimals(value, scale)));
  let decimals = Math.max(Math.min(most, exact), scale === 0 ? precision.least : 0);
  const exactness = precision.coarse === true ? null : scale === 0 ? 4 : 50;
  while (decimals < exact && !faithful(numbers, { scale, decimals }, exactness)) decimals += 1;
  // A shortened number ends with no zero that all share: $910 billion, not $910.0 billion.
  const shown = numbers.map((number) => roundedTo(number, { scale, decimals }).toFixed());
  if (scale > 0)
    decimals = Math.max(precision.shortened ?? 0, ...shown.map((value) => exactDecimals(value, scale)));
  return { scale, decimals };
}

/** Decimals at which two numbers look different, at least those of the style; equal numbers need no more. */
export function decimalsApart(pair: readonly [string, string], { scale, decimals }: NumberStyle): number {
  const [one, other] = pair.map((value) => new Big(value));
  if (one === undefined || other === undefined || one.eq(other)) return decimals;
  let enough = decimals;
  while (roundedTo(one, { scale, decimals: enough }).eq(roundedTo(other, { scale, decimals: enough })))
    enough += 1;
  return enough;
}

/** The number that is read where `value` is written in the style. */
export function roundedTo(value: string | Big, { scale, decimals }: NumberStyle): Big {
  return new Big(value).times(`1e${-scale}`).round(decimals, Big.roundHalfUp).times(`1e${scale}`);
}

/** Never `-0`. */
export function writeNumber(locale: Locale, value: string, style: NumberStyle): string {
  const rounded = roundedTo(value, style);
  const sign = rounded.lt(0) ? (locale === 'ja' ? 'マイナス' : '-') : '';
  return sign + writeAbsolute(locale, rounded.abs(), style);
}

/** What lies between two numbers as they are written, which is what a reader computes. */
export function writeDifference(
  locale: Locale,
  [a, b]: readonly [string, string],
  style: NumberStyle,
  precision: Precision,
): string {
  const apart = roundedTo(a, style).minus(roundedTo(b, style)).abs();
  // 9.5万 beside 1808.8万, although 95000 alone would be written in full.
  const beside = apart.gte(`1e${style.scale}`) ? style.scale : 0;
  const scale = precision.compact ? Math.max(scaleOf(locale, [apart]), beside) : 0;
  const unscaled = scale === 0 && style.scale === 0;
  const decimals = unscaled ? style.decimals : exactDecimals(apart.toFixed(), scale);
  return writeAbsolute(locale, apart, { scale, decimals });
}

function writeAbsolute(locale: Locale, rounded: Big, { scale, decimals }: NumberStyle): string {
  if (locale === 'ja') return inMyriads(rounded.toFixed(Math.max(decimals - scale, 0)));
  const own = ownScale(locale, rounded, scale);
  const text = rounded.times(`1e${-own}`).toFixed(Math.max(decimals - scale + own, 0));
  const word = SCALES[locale].find(([power]) => power === own)?.[1] ?? '';
  return (locale === 'en' ? text.replace(/\B(?<!\..*)(?=(\d{3})+(?!\d))/g, ',') : text) + word;
}

/** $736 billion beside $1.044 trillion, never $0.736 trillion; 7360亿 beside 1.044万亿. */
function ownScale(locale: Locale, number: Big, scale: number): number {
  if (number.eq(0) || number.gte(`1e${scale}`)) return scale;
  return SCALES[locale].find(([power]) => power < scale && number.gte(`1e${power}`))?.[0] ?? scale;
}

/** `90027` as 9万27, `1119500000000` as 1兆1195億. */
function inMyriads(text: string): string {
  const [whole = '0', fraction] = text.split('.');
  let written = '';
  for (const [power, word] of MYRIADS.ja.entries()) {
    const end = whole.length - 4 * power;
    const last = power === MYRIADS.ja.length - 1;
    const digits = whole.slice(last ? 0 : Math.max(end - 4, 0), Math.max(end, 0)).replace(/^0+/, '');
    if (digits !== '') written = digits + word + written;
  }
  return (written === '' ? '0' : written) + (fraction === undefined ? '' : `.${fraction}`);
}

/** The scale of the largest, if the smallest has at least a tenth of it; else that of the smallest. */
function scaleOf(locale: Locale, numbers: readonly Big[]): number {
  const sizes = numbers.map((number) => number.abs()).filter((size) => size.gt(0));
  const largest = largestOf(sizes);
  if (largest.lt(COMPACT_FROM[locale])) return 0;
  const powerFor = (size: Big): number => SCALES[locale].find(([power]) => size.gte(`1e${power}`))?.[0] ?? 0;
  const smallest = sizes.reduce((least, size) => (size.lt(least) ? size : least), largest);
  const power = powerFor(largest);
  return smallest.gte(`1e${power - 1}`) ? power : powerFor(smallest);
}

const largestOf = (numbers: readonly Big[]): Big =>
  numbers.reduce((most, number) => (number.abs().gt(most) ? number.abs() : most), new Big(0));

/** Decimals that lose nothing of the value. An unscaled number keeps the zeros that its source printed. */
function exactDecimals(value: string, scale: number): number {
  if (scale === 0) return decimalsOf(value);
  return decimalsOf(new Big(value).times(`1e${-scale}`).toFixed());
}

/** @param exactness the part of a difference that its rounding must be smaller than; null: it only has to be seen */
function faithful(numbers: readonly Big[], style: NumberStyle, exactness: number | null): boolean {
  const shown = numbers.map((number) => roundedTo(number, style));
  return numbers.every(
    (number, at) =>
      (number.eq(0) || !shown[at]?.eq(0)) &&
      numbers.slice(at + 1).every((other, next) => {
        const apart = number.minus(other);
        const written = shown[at]?.minus(shown[at + 1 + next] ?? 0) ?? apart;
        return (
          apart.eq(0) ||
          (!written.eq(0) &&
            (exactness === null || written.minus(apart).abs().times(exactness).lte(apart.abs())))
        );
      }),
  );
}
