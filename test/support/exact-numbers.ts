// Exact arithmetic on integers, independent of the service's decimals.

const SIGNIFICANT = 12;

/** A printed decimal as an integer and the power of ten that divides it. */
function integerOf(text: string): { readonly units: bigint; readonly places: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 };
}

function aligned(a: string, b: string): { readonly left: bigint; readonly right: bigint; readonly scale: bigint } {
  const [one, two] = [integerOf(a), integerOf(b)];
  const places = Math.max(one.places, two.places);
  const raise = ({ units, places: own }: typeof one) => units * 10n ** BigInt(places - own);
  return { left: raise(one), right: raise(two), scale: 10n ** BigInt(places) };
}

export function isSameNumber(a: string, b: string): boolean {
  const { left, right } = aligned(a, b);
  return left === right;
}

/** `actual − previous`, rounded half-even to 12 significant digits. */
export function exactDelta(actual: string, previous: string): number {
  const { left, right, scale } = aligned(actual, previous);
  return rounded(left - right, scale);
}

/** By how many percent `actual` differs from `previous`; null from zero or below, or to below zero. */
export function exactPercent(actual: string, previous: string): number | null {
  const { left, right } = aligned(actual, previous);
  return right <= 0n || left < 0n ? null : rounded((left - right) * 100n, right);
}

/** A fraction with a positive divisor, half-even to 12 significant digits. */
function rounded(numerator: bigint, divisor: bigint): number {
  if (numerator === 0n) return 0;
  const size = numerator < 0n ? -numerator : numerator;
  let power = SIGNIFICANT + String(divisor).length - String(size).length + 1;
  let digits = quotient(size, divisor, power);
  while (String(digits).length > SIGNIFICANT) {
    power -= 1;
    digits = quotient(size, divisor, power);
  }
  return Number(`${numerator < 0n ? '-' : ''}${String(digits)}e${String(-power)}`);
}

/** `size · 10^power / divisor` as an integer, half-even. */
function quotient(size: bigint, divisor: bigint, power: number): bigint {
  const [over, under] = power >= 0 ? [size * 10n ** BigInt(power), divisor] : [size, divisor * 10n ** BigInt(-power)];
  const [whole, rest] = [over / under, (over % under) * 2n];
  return rest > under || (rest === under && whole % 2n === 1n) ? whole + 1n : whole;
}
