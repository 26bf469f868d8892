import { ExactDecimal } from '../figures/exact-decimal.js';

const SIGNIFICANT_DIGITS = 12;
const ONE = ExactDecimal.of('1');

/** An exact quotient of decimals, so that a result is rounded once: when it is written. */
export class Fraction {
  /** @param below above zero */
  private constructor(
    private readonly above: ExactDecimal,
    private readonly below: ExactDecimal,
  ) {}

  /** @throws RangeError if the text is no decimal number */
  static of(text: string): Fraction {
    return new Fraction(ExactDecimal.of(text), ONE);
  }

  /** The sum in halves: the digits of the parts grow with their number. */
  static sum(parts: readonly Fraction[]): Fraction {
    const [first = Fraction.of('0')] = parts;
    if (parts.length < 2) return first;
    const middle = parts.length >> 1;
    return Fraction.sum(parts.slice(0, middle)).plus(Fraction.sum(parts.slice(middle)));
  }

  get isZero(): boolean {
    return this.above.isZero;
  }

  get isNegative(): boolean {
    return this.above.isNegative;
  }

  plus(other: Fraction): Fraction {
    if (this.below === other.below) return new Fraction(this.above.plus(other.above), this.below);
    const above = this.above.times(other.below).plus(other.above.times(this.below));
    return new Fraction(above, this.below.times(other.below));
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(ZERO.minus(other.above), other.below));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.above.times(other.above), this.below.times(other.below));
  }

  /** @throws RangeError for a divisor of zero */
  over(divisor: Fraction): Fraction {
    if (divisor.isZero) throw new RangeError('Nothing is divided by zero');
    const sign = divisor.isNegative ? MINUS_ONE : ONE;
    return new Fraction(this.above.times(divisor.below).times(sign), this.below.times(divisor.above).times(sign));
  }

  /** Below zero, zero or above, as this number is below, equal to or above the other. */
  compare(other: Fraction): number {
    return this.above.times(other.below).compare(other.above.times(this.below));
  }

  /** Plain decimal text, rounded half-even to 12 significant digits. */
  toText(): string {
    return this.above.dividedBy(this.below, SIGNIFICANT_DIGITS).toText();
  }
}

const ZERO = ExactDecimal.of('0');
const MINUS_ONE = ExactDecimal.of('-1');
