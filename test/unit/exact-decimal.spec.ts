import Big from 'big.js';
import fc from 'fast-check';
import { ExactDecimal } from '../../src/domain/figures/exact-decimal.js';

/** Plain decimal texts, many of them with zeros at either end. */
const number = fc
  .record({
    digits: fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -99n, max: 99n })),
    places: fc.integer({ min: -12, max: 12 }),
  })
  .map(({ digits, places }) => new Big(`${digits}e${-places}`).toFixed(Math.max(places, 0)));

/** Half-even is exact for any quotient with so many more digits than it keeps. */
const Long = Big();
Long.DP = 90;

describe('ExactDecimal', () => {
  it('computes and compares like big.js', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [one, other] = [ExactDecimal.of(a), ExactDecimal.of(b)];
        expect(one.toText()).toBe(new Big(a).toFixed());
        expect(one.abs().toText()).toBe(new Big(a).abs().toFixed());
        expect(one.plus(other).toText()).toBe(new Big(a).plus(b).toFixed());
        expect(one.minus(other).toText()).toBe(new Big(a).minus(b).toFixed());
        expect(one.times(other).toText()).toBe(new Big(a).times(b).toFixed());
        expect(one.compare(other)).toBe(new Big(a).cmp(b));
        expect(one.equals(other)).toBe(new Big(a).eq(b));
      }),
    );
  });

  it('rounds half away from zero to decimals, also to tens and hundreds', () => {
    fc.assert(
      fc.property(number, fc.integer({ min: -10, max: 10 }), (text, decimals) => {
        const rounded = new Big(text).round(decimals, Big.roundHalfUp);
        expect(ExactDecimal.of(text).round(decimals).toText()).toBe(rounded.toFixed());
      }),
    );
    expect(['2.5', '-2.5', '-0.4'].map((text) => ExactDecimal.of(text).round(0).toText())).toEqual(['3', '-3', '0']);
  });

  it('rounds half-even to significant digits, and quotients only once', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 14 }), (a, b, digits) => {
        const kept = (value: Big) => value.prec(digits, Big.roundHalfEven).toFixed();
        expect(ExactDecimal.of(a).significant(digits).toText()).toBe(kept(new Big(a)));
        fc.pre(!new Big(b).eq(0));
        expect(ExactDecimal.of(a).dividedBy(ExactDecimal.of(b), digits).toText()).toBe(kept(new Long(a).div(b)));
      }),
    );
    const quotient = (a: string, b: string) => ExactDecimal.of(a).dividedBy(ExactDecimal.of(b), 2).toText();
    expect([quotient('1', '8'), quotient('3', '8'), quotient('-1', '8')]).toEqual(['0.12', '0.38', '-0.12']);
    expect(quotient('0.12500000000000000001', '1')).toBe('0.13');
  });

  it('knows the power of ten of its first digit and the digits that it needs', () => {
    const of = (text: string) => {
      const { magnitude, significantDigits } = ExactDecimal.of(text);
      return [magnitude, significantDigits];
    };
    expect([of('1000'), of('9999.90'), of('-0.050'), of('12e-4')]).toEqual([
      [3, 1],
      [3, 5],
      [-2, 1],
      [-3, 2],
    ]);
    expect(of('0.00')).toEqual([-Infinity, 1]);
  });

  it('prints at a scale with the decimals that it needs, and those that are asked for', () => {
    const value = ExactDecimal.of('-1230000');
    expect(value.decimalsAt(6)).toBe(2);
    expect([value.shifted(6, 0), value.shifted(6, 4), value.shifted(9, 0)]).toEqual(['-1.23', '-1.2300', '-0.00123']);
    expect(ExactDecimal.of('0').shifted(6, 1)).toBe('0.0');
  });

  it.each(['', '-', '.5', '1,000', 'NaN', '0x10', '1 '])('refuses %j', (text) => {
    expect(() => ExactDecimal.of(text)).toThrow(RangeError);
  });
});
