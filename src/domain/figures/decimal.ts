// Exact arithmetic on figures as publishers print them. Figures are texts, so no printed digit is lost; results are
// rounded half-even to 12 significant digits.
import { ExactDecimal } from './exact-decimal.js';

/** Fast path: nearly every printed figure is plain decimal text already. */
const PLAIN = /^(?:0|-?[1-9]\d*)(?:\.\d+)?$/;
const PRINTED = /^([+-]?)(0|[1-9]\d*)?(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Longer than any figure that a double represents. */
const LONGEST_TEXT = 400;
const SIGNIFICANT_DIGITS = 12;
const DIGITS_ALWAYS_CARRIED = 15;
const DIGITS_OF_DOUBLE = 17;
/** The maximum of `Number.prototype.toPrecision`. */
const MOST_DIGITS = 100;

/**
 * Normalises a printed number to plain decimal text with the same decimals: `12.50`, `.5` as `0.5`, `1.2E+10` as
 * `12000000000`, `1.50E-3` as `0.00150`, `-0.0` as `0.0`. `null` if it is not a number: blanks, thousands separators,
 * leading zeros, a bare point, NaN.
 */
export function parseDecimal(text: string): string | null {
  if (text.length > LONGEST_TEXT) return null;
  if (PLAIN.test(text)) return text;
  const match = PRINTED.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const magnitude = shiftPoint(whole, fraction, Number(exponent));
  return sign === '-' && /[1-9]/.test(magnitude) ? `-${magnitude}` : magnitude;
}

function shiftPoint(whole: string, fraction: string, places: number): string {
  const digits = whole + fraction;
  const point = whole.length + places;
  const before = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '');
  const after = '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  return (before === '' ? '0' : before) + (after === '' ? '' : `.${after}`);
}

/** A number as plain decimal text: the fewest digits that identify it, and zeros up to the decimals. */
export const printedText = (value: number, decimals: number | null): string =>
  exactly(parseDecimal(String(value)) ?? '0').toText(decimals ?? 0);

/** The size of a plain decimal text. */
export const unsigned = (text: string): string => text.replace(/^-/, '');

/** Decimals of a plain decimal text. */
export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/**
 * Whether a JSON number represents the figure: the nearest double, printed with as many significant digits as the
 * figure has, equals it. Takes plain decimal text, as `parseDecimal` returns it.
 */
export function doubleCarries(text: string): boolean {
  if (digitsAtMost(text) <= DIGITS_ALWAYS_CARRIED) return true;
  const double = Number(text);
  if (!Number.isFinite(double)) return false;
  const exact = exactly(text);
  const digits = exact.significantDigits;
  return digits <= MOST_DIGITS && exact.equals(exactly(double.toPrecision(digits)));
}

/**
 * A program that prints a double in full gives 85.159999999999996589… for 85.16: what `doubleCarries` and has digits beyond
 * the seventeenth is the shortest text of that double. Other texts are as printed.
 */
export function shortestOf(text: string): string {
  if (digitsAtMost(text) <= DIGITS_OF_DOUBLE) return text;
  const shortest = parseDecimal(String(Number(text))) ?? text;
  return exactly(text).equals(exactly(shortest)) ? text : shortest;
}

const digitsAtMost = (text: string): number =>
  text.length - (text.startsWith('-') ? 1 : 0) - (text.includes('.') ? 1 : 0);

const exactly = (text: string): ExactDecimal => ExactDecimal.of(text);

const HALF = exactly('0.5');
const HUNDRED = exactly('100');

export const sameNumber = (a: string, b: string): boolean => exactly(a).equals(exactly(b));

export const isAbove = (a: string, b: string): boolean => exactly(a).compare(exactly(b)) > 0;

/** Half-way between the two, exactly. */
export const midpoint = (a: string, b: string): string => exactly(a).plus(exactly(b)).times(HALF).toText();

/** `a - b`. */
export const difference = (a: string, b: string): string => rounded(exactly(a).minus(exactly(b)));

/** The median of the absolute values, exactly; at least one value. */
export function medianSize(values: readonly string[]): string {
  const sizes = values.map((value) => exactly(value).abs()).sort((a, b) => a.compare(b));
  const [lower, upper] = [sizes[Math.ceil(sizes.length / 2) - 1], sizes[Math.floor(sizes.length / 2)]];
  if (lower === undefined || upper === undefined) throw new Error('Nothing has no median');
  return rounded(lower.plus(upper).times(HALF));
}

/** The mean, from the exact sum; at least one value. */
export function meanOf(values: readonly string[]): string {
  const sum = values.map(exactly).reduce((total, value) => total.plus(value));
  return sum.dividedBy(exactly(String(values.length)), SIGNIFICANT_DIGITS).toText();
}

/** Percent by which `to` exceeds `from`; `null` if `from` is not above zero. */
export function percentChange(from: string, to: string): string | null {
  const [base, reached] = [exactly(from), exactly(to)];
  if (base.isZero || base.isNegative || reached.isNegative) return null;
  return reached.minus(base).times(HUNDRED).dividedBy(base, SIGNIFICANT_DIGITS).toText();
}

/**
 * Whether the two differ by more than `share` of the larger absolute value; a difference of exactly the share is not
 * more.
 */
export function differsByMoreThan(a: string, b: string, share = '0.001'): boolean {
  const [left, right] = [exactly(a), exactly(b)];
  const [one, other] = [left.abs(), right.abs()];
  const larger = one.compare(other) > 0 ? one : other;
  return (
    left
      .minus(right)
      .abs()
      .compare(larger.times(exactly(share))) > 0
  );
}

const rounded = (number: ExactDecimal): string => number.significant(SIGNIFICANT_DIGITS).toText();
