// Numbers as each language writes them in running text: its own scale, its own grouping, its own sign.
import type { Locale } from '../locale/locale.js';
import { VOICES } from '../locale/voice/voices.js';
import { decimalsOf, percentChange, unsigned } from './decimal.js';
import { ExactDecimal } from './exact-decimal.js';

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

/** A number as it is read, and its text. */
export interface WrittenNumber {
  readonly shown: ExactDecimal;
  readonly sign: string;
  readonly size: string;
}

/** The most that rounding may take from a difference, of numbers in full and of shortened ones. */
const QUARTER = ExactDecimal.of('0.25');
const HALF = ExactDecimal.of('0.5');
const FIFTIETH = ExactDecimal.of('0.02');
const FAR = 7;

/**
 * One style for numbers that stand side by side. It has more decimals than the unit's where different numbers would
 * look alike, one other than zero like zero, or their difference would be a quarter off; of shortened numbers, whose
 * difference stands beside its percentage, a fiftieth; of rates with one decimal a half. Rates with two only look different.
 * @param values plain decimal texts
 */
export function styleOf(locale: Locale, values: readonly string[], precision: Precision): NumberStyle {
  const numbers = values.map((value) => ExactDecimal.of(value));
  const scale = precision.compact ? scaleOf(locale, numbers) : 0;
  const style = styleAt(scale, values, numbers, precision);
  const long = scale > 0 && style.decimals > VOICES[locale].number.mostDecimals;
  return long ? styleAt(scale - 4, values, numbers, precision) : style;
}

function styleAt(
  scale: number,
  values: readonly string[],
  numbers: readonly ExactDecimal[],
  precision: Precision,
): NumberStyle {
  const largest = Math.max(...numbers.map(({ magnitude }) => magnitude)) - scale;
  // Four digits of a shortened number say enough, unless their difference says too little.
  const most = scale === 0 ? precision.most : largest >= 3 ? 0 : largest >= 2 ? 1 : 2;
  // An unscaled number keeps the zeros that its source printed.
  const exact = Math.max(
    ...numbers.map((number, at) => (scale === 0 ? decimalsOf(values[at] ?? '') : number.decimalsAt(scale))),
  );
  let decimals = Math.max(Math.min(most, exact), scale === 0 ? precision.least : 0);
  const exactness = precision.coarse === true ? null : scale === 0 ? QUARTER : FIFTIETH;
  // Beside 8.19%, a rate of a hundred-millionth is a fault of its source, and as good as zero.
  const least = precision.coarse === true ? largest + scale - FAR : -Infinity;
  const counted = numbers.filter((one) => one.isZero || one.magnitude > least);
  // With one decimal, the step of a rate may be half off; else it has two.
  const isRounded = exactness === null && decimals === 1;
  if (isRounded && !faithful(counted, { scale, decimals }, HALF)) decimals = Math.min(2, exact);
  while (decimals < exact && !faithful(counted, { scale, decimals }, exactness)) decimals += 1;
  if (scale === 0) return { scale, decimals };
  // A shortened number ends with no zero that all share: $910 billion, not $910.0 billion.
  const shown = numbers.map((number) => roundedTo(number, { scale, decimals }).decimalsAt(scale));
  return { scale, decimals: Math.max(precision.shortened ?? 0, ...shown) };
}

/** Decimals at which two numbers look different, at least those of the style; equal numbers need no more. */
export function decimalsApart(pair: readonly [string, string], { scale, decimals }: NumberStyle): number {
  const [one, other] = pair.map((value) => ExactDecimal.of(value));
  if (one === undefined || other === undefined || one.equals(other)) return decimals;
  let enough = decimals;
  while (roundedTo(one, { scale, decimals: enough }).equals(roundedTo(other, { scale, decimals: enough }))) enough += 1;
  return enough;
}

/** The number that is read where `number` is written in the style. */
const roundedTo = (number: ExactDecimal, { scale, decimals }: NumberStyle): ExactDecimal =>
  number.round(decimals - scale);

/** English puts the sign before a unit: -$98.63. */
export function writeSigned(locale: Locale, value: string, style: NumberStyle): WrittenNumber {
  const shown = roundedTo(ExactDecimal.of(value), style);
  const { minus } = VOICES[locale].number;
  return { shown, sign: shown.isNegative ? minus : '', size: writeAbsolute(locale, shown.abs(), style) };
}

/** Never `-0`. */
export function writeNumber(locale: Locale, value: string, style: NumberStyle): string {
  const { sign, size } = writeSigned(locale, value, style);
  return sign + size;
}

/** What lies between two numbers as they are written, which is what a reader computes. */
export function writeDifference(
  locale: Locale,
  [a, b]: readonly [WrittenNumber, WrittenNumber],
  style: NumberStyle,
  precision: Precision,
): string {
  const apart = a.shown.minus(b.shown).abs();
  // 9.5万 beside 1808.8万, although 95000 alone would be written in full.
  const beside = apart.magnitude >= style.scale ? style.scale : 0;
  const scale = precision.compact ? Math.max(scaleOf(locale, [apart]), beside) : 0;
  const unscaled = scale === 0 && style.scale === 0;
  return writeAbsolute(locale, apart, { scale, decimals: unscaled ? style.decimals : apart.decimalsAt(scale) });
}

function writeAbsolute(locale: Locale, rounded: ExactDecimal, { scale, decimals }: NumberStyle): string {
  const { myriads, scales, grouped } = VOICES[locale].number;
  if (myriads !== null) return inMyriads(rounded.toText(Math.max(decimals - scale, 0)), myriads);
  const own = ownScale(locale, rounded, scale);
  const text = rounded.shifted(own, Math.max(decimals - scale + own, 0));
  const word = scales.find(([power]) => power === own)?.[1] ?? '';
  return (grouped ? inThousands(text) : text) + word;
}

/** `1234.5678` as 1,234.5678. */
export function inThousands(text: string): string {
  const [whole = '0', fraction] = text.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}

/** $736 billion beside $1.044 trillion, never $0.736 trillion; 7360亿 beside 1.044万亿. */
function ownScale(locale: Locale, { isZero, magnitude }: ExactDecimal, scale: number): number {
  if (isZero || magnitude >= scale) return scale;
  const smaller = VOICES[locale].number.scales.find(([power]) => power < scale && magnitude >= power);
  return smaller?.[0] ?? scale;
}

/** `90027` as 9万27, `1119500000000` as 1兆1195億, `20000.05` as 2万0.05. */
function inMyriads(text: string, myriads: readonly string[]): string {
  const [whole = '0', fraction] = text.split('.');
  let written = '';
  for (const [power, word] of myriads.entries()) {
    const end = whole.length - 4 * power;
    const last = power === myriads.length - 1;
    const digits = whole.slice(last ? 0 : Math.max(end - 4, 0), Math.max(end, 0)).replace(/^0+/, '');
    if (digits !== '') written = digits + word + written;
  }
  if (fraction === undefined) return written === '' ? '0' : written;
  return `${written}${/\d$/.test(written) ? '' : '0'}.${fraction}`;
}

/** The scale of the largest, if the smallest has at least a tenth of it; else that of the smallest. */
function scaleOf(locale: Locale, numbers: readonly ExactDecimal[]): number {
  const magnitudes = numbers.filter(({ isZero }) => !isZero).map(({ magnitude }) => magnitude);
  const [smallest, largest] = [Math.min(...magnitudes), Math.max(...magnitudes)];
  const { compactFrom, scales } = VOICES[locale].number;
  if (largest < compactFrom) return 0;
  const powerFor = (size: number): number => scales.find(([power]) => size >= power)?.[0] ?? 0;
  const power = powerFor(largest);
  return smallest >= power - 1 ? power : powerFor(smallest);
}

/** @param exactness the part of a difference that its rounding must not exceed; null: it only has to be seen */
function faithful(numbers: readonly ExactDecimal[], style: NumberStyle, exactness: ExactDecimal | null): boolean {
  const shown = numbers.map((number) => roundedTo(number, style));
  return numbers.every(
    (number, at) =>
      (number.isZero || shown[at]?.isZero === false) &&
      numbers.slice(at + 1).every((other, next) => {
        const apart = number.minus(other);
        const written = shown[at]?.minus(shown[at + 1 + next] ?? other) ?? apart;
        return (
          apart.isZero ||
          (!written.isZero &&
            (exactness === null || written.minus(apart).abs().compare(apart.abs().times(exactness)) <= 0))
        );
      }),
  );
}

/** A share of change: one decimal, and two below one percent unless one is what its publishers print. */
export function percentText(locale: Locale, percent: string, printed?: number): string {
  const small = Math.abs(Number(percent));
  const most = small < 0.95 && (printed === undefined || small < 0.05) ? 2 : 1;
  const number = writeNumber(locale, percent, { scale: 0, decimals: most });
  return `${number}%`;
}

/**
 * The same beside the two figures that it compares. Where these, as they are printed, give another percentage, it has one
 * decimal fewer, and is about that where they still differ.
 * @param percent unsigned, from all digits
 * @param shown as printed: the figure from which the percentage counts, and the other
 */
export function percentBeside(
  locale: Locale,
  percent: string,
  shown: readonly [from: string, to: string],
  decimals?: number,
): string {
  const write = (value: string, most = decimals): string =>
    most === undefined ? percentText(locale, value) : `${writeNumber(locale, value, { scale: 0, decimals: most })}%`;
  const own = unsigned(percentChange(...shown) ?? percent);
  if (write(own) === write(percent)) return write(percent);
  // As many digits as both have, and never “about” with more of them than a reader would round to.
  const fewer = Number(percent) < 0.95 ? 1 : 0;
  if (decimals !== undefined || Number(percent) < 0.1) return VOICES[locale].about(write(percent));
  return write(own, fewer) === write(percent, fewer)
    ? write(percent, fewer)
    : VOICES[locale].about(write(percent, fewer));
}
