const NUMBER = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

const POWERS = Array.from({ length: 64 }, (_, power) => 10n ** BigInt(power));
const powerOfTen = (power: number): bigint => POWERS[power] ?? 10n ** BigInt(power);

/**
 * An exact decimal number: an integer and the place of its point. Integers of the engine, because publishing writes and
 * compares millions of figures.
 */
export class ExactDecimal {
  private lazyMagnitude: number | undefined;

  /** `digits` times ten to the power of -`places`. */
  private constructor(
    private readonly digits: bigint,
    private readonly places: number,
  ) {}

  /** @throws RangeError if the text is no number; one with an exponent is */
  static of(text: string): ExactDecimal {
    const match = NUMBER.exec(text);
    if (match === null) throw new RangeError(`"${text}" is not a decimal number`);
    const [, whole = '', fraction = '', exponent] = match;
    const places = fraction.length - (exponent === undefined ? 0 : Number(exponent));
    return new ExactDecimal(BigInt(whole + fraction), places);
  }

  get isNegative(): boolean {
    return this.digits < 0n;
  }

  get isZero(): boolean {
    return this.digits === 0n;
  }

  /** The power of ten of the first digit: 3 for 1000 and 9999. Minus infinity for zero. */
  get magnitude(): number {
    return (this.lazyMagnitude ??= this.isZero
      ? -Infinity
      : String(this.digits).length - (this.isNegative ? 2 : 1) - this.places);
  }

  /** Digits between the first and the last that is not zero, these included; 1 of zero. */
  get significantDigits(): number {
    return this.isZero ? 1 : this.decimalsAt(this.magnitude) + 1;
  }

  /** Decimals that lose nothing of the number times ten to the power of -`scale`. */
  decimalsAt(scale: number): number {
    if (this.isZero) return 0;
    const text = String(this.digits);
    let end = text.length;
    while (text.charAt(end - 1) === '0') end -= 1;
    return Math.max(this.places - (text.length - end) + scale, 0);
  }

  abs(): ExactDecimal {
    return this.isNegative ? new ExactDecimal(-this.digits, this.places) : this;
  }

  plus(other: ExactDecimal): ExactDecimal {
    const places = Math.max(this.places, other.places);
    return new ExactDecimal(this.at(places) + other.at(places), places);
  }

  minus(other: ExactDecimal): ExactDecimal {
    const places = Math.max(this.places, other.places);
    return new ExactDecimal(this.at(places) - other.at(places), places);
  }

  times(other: ExactDecimal): ExactDecimal {
    return new ExactDecimal(this.digits * other.digits, this.places + other.places);
  }

  /** The quotient, rounded half-even to that number of significant digits. */
  dividedBy(divisor: ExactDecimal, significant: number): ExactDecimal {
    if (this.isZero) return this;
    const leading = this.magnitude + this.places - (divisor.magnitude + divisor.places);
    const shift = Math.max(significant + 1 - leading, 0);
    const dividend = this.digits * powerOfTen(shift);
    const [quotient, rest] = [dividend / divisor.digits, dividend % divisor.digits];
    // One more digit says whether more follow, so that half-even never mistakes "just above half" for half.
    const sign = this.isNegative === divisor.isNegative ? 1n : -1n;
    const more = quotient * 10n + (rest === 0n ? 0n : sign);
    return new ExactDecimal(more, this.places + shift - divisor.places + 1).significant(significant);
  }

  /** Below zero, zero or above, as this number is below, equal to or above the other. */
  compare(other: ExactDecimal): number {
    const places = Math.max(this.places, other.places);
    const [own, others] = [this.at(places), other.at(places)];
    return own < others ? -1 : own > others ? 1 : 0;
  }

  equals(other: ExactDecimal): boolean {
    return this.compare(other) === 0;
  }

  /** Rounded half away from zero; `decimals` below zero round to tens, hundreds … */
  round(decimals: number): ExactDecimal {
    if (decimals >= this.places) return this;
    const unit = powerOfTen(this.places - decimals);
    const half = this.isNegative ? -unit / 2n : unit / 2n;
    return new ExactDecimal((this.digits + half) / unit, decimals);
  }

  /** Rounded half-even to that number of digits, the first of them not zero. */
  significant(count: number): ExactDecimal {
    if (this.isZero) return this;
    const decimals = count - 1 - this.magnitude;
    if (decimals >= this.places) return this;
    const unit = powerOfTen(this.places - decimals);
    const rest = this.digits % unit;
    const kept = this.digits / unit;
    const twice = 2n * (rest < 0n ? -rest : rest);
    const up = twice > unit || (twice === unit && kept % 2n !== 0n);
    return new ExactDecimal(up ? kept + (this.isNegative ? -1n : 1n) : kept, decimals);
  }

  /** Plain decimal text, without zeros at its end unless `least` decimals need them. Never `-0`. */
  toText(least = 0): string {
    return this.shifted(0, least);
  }

  /** The same of the number times ten to the power of -`scale`. */
  shifted(scale: number, least: number): string {
    const decimals = Math.max(this.decimalsAt(scale), least);
    const digits = String(this.abs().at(decimals - scale)).padStart(decimals + 1, '0');
    const sign = this.isNegative ? '-' : '';
    if (decimals === 0) return sign + digits;
    return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  }

  /** The digits with that many places, which lose none that is not zero. */
  private at(places: number): bigint {
    if (places >= this.places) return this.digits * powerOfTen(places - this.places);
    return this.digits / powerOfTen(this.places - places);
  }
}
