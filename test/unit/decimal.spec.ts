import fc from 'fast-check';
import {
  decimalsOf,
  difference,
  differsByMoreThan,
  doubleCarries,
  parseDecimal,
  percentChange,
  sameNumber,
  shortestOf,
} from '../../src/domain/figures/decimal.js';

/** Plain decimal texts as publishers print them, with their parts. */
const printed = fc
  .record({
    negative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    decimals: fc.integer({ min: 0, max: 12 }),
    tail: fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
  })
  .map(({ negative, whole, decimals, tail }) => {
    const fraction = tail.toString().padStart(12, '0').slice(0, decimals);
    const magnitude = decimals === 0 ? `${whole}` : `${whole}.${fraction}`;
    return negative && /[1-9]/.test(magnitude) ? `-${magnitude}` : magnitude;
  });

/** The same number as a fraction of integers: an independent exact arithmetic. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

describe('parseDecimal', () => {
  it.each([
    ['12.50', '12.50'],
    ['-0.5', '-0.5'],
    ['.5', '0.5'],
    ['+0.2', '0.2'],
    ['1.2E+10', '12000000000'],
    ['1.50E-3', '0.00150'],
    ['1.25e1', '12.5'],
    ['12e-1', '1.2'],
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['0E5', '0'],
    ['2817414584665.11', '2817414584665.11'],
  ])('reads %s as %s', (text, plain) => {
    expect(parseDecimal(text)).toBe(plain);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.',
    '-',
    'e5',
    '1,000',
    '1_000',
    '007',
    '0x10',
    'NaN',
    'Infinity',
    '..',
    '１',
    '1e9999',
    '1\n',
  ])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('keeps every plain decimal text unchanged', () => {
    fc.assert(fc.property(printed, (text) => parseDecimal(text) === text));
  });

  it('keeps the number of a text with an exponent', () => {
    fc.assert(
      fc.property(printed, fc.integer({ min: -30, max: 30 }), (text, exponent) => {
        const plain = parseDecimal(`${text}e${exponent}`);
        expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
        expect(sameNumber(plain ?? '', `${text}e${exponent}`)).toBe(true);
      }),
    );
  });
});

describe('decimalsOf', () => {
  it('counts the printed decimals', () => {
    expect([decimalsOf('12'), decimalsOf('12.50'), decimalsOf('-0.001')]).toEqual([0, 2, 3]);
  });
});

describe('shortestOf', () => {
  it.each([
    ['85.159999999999996589394868351519107818603515625', '85.16'],
    ['74.9500000000000028421709430404007434844970703125', '74.95'],
    ['-0.1000000000000000055511151231257827021181583404541015625', '-0.1'],
    ['85.16', '85.16'],
    ['2.7576090942427', '2.7576090942427'],
    [`12.50${'0'.repeat(30)}`, `12.50${'0'.repeat(30)}`],
    ['100000000000000000000000', '100000000000000000000000'],
    [`0.${'0'.repeat(38)}15`, `0.${'0'.repeat(38)}15`],
  ])('of %s is %s', (text, shortest) => {
    expect(doubleCarries(text)).toBe(true);
    expect(shortestOf(text)).toBe(shortest);
  });
});

describe('doubleCarries', () => {
  it.each(['0', '0.1', '2817414584665.11', '4.36364345647368', '0.30000000000000000', '100000000000000000000000'])(
    'accepts %s',
    (text) => {
      expect(doubleCarries(text)).toBe(true);
    },
  );

  it.each(['9007199254740993', '0.1234567890123456789', '12345678901234567890.5', `1${'0'.repeat(309)}`])(
    'refuses %s',
    (text) => {
      expect(doubleCarries(text)).toBe(false);
    },
  );

  it('accepts every number of at most fifteen digits, and every double in its own notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), fc.integer({ min: -20, max: 20 }), (n, e) =>
        doubleCarries(parseDecimal(`${n}e${e}`) ?? ''),
      ),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 }), (double) => {
        const plain = parseDecimal(String(double));
        return plain === null || doubleCarries(plain);
      }),
    );
  });
});

describe('difference', () => {
  it('is exact although doubles are not', () => {
    expect(difference('0.3', '0.1')).toBe('0.2');
    expect(difference('1.10', '1.10')).toBe('0');
    expect(difference('-0.5', '-0.5')).toBe('0');
  });

  it('rounds half to even at twelve significant digits', () => {
    expect(difference('1.000000000005', '0')).toBe('1');
    expect(difference('1.000000000015', '0')).toBe('1.00000000002');
    expect(difference('1.0000000000150001', '0')).toBe('1.00000000002');
    expect(difference('12345678901250', '0')).toBe('12345678901200');
  });

  it('equals the difference of the underlying integers if twelve digits suffice', () => {
    fc.assert(
      fc.property(printed, printed, (a, b) => {
        const exact = scaled(a, 12) - scaled(b, 12);
        fc.pre(exact.toString().replace('-', '').replace(/0+$/, '').length <= 12);
        expect(scaled(difference(a, b), 12)).toBe(exact);
      }),
    );
  });
});

describe('percentChange', () => {
  it.each([
    ['100', '103.5', '3.5'],
    ['3', '4', '33.3333333333'],
    ['3', '5', '66.6666666667'],
    ['80', '80', '0'],
    ['7', '0', '-100'],
    ['1000000000000', '1000000000000.01', '0.000000000001'],
  ])('from %s to %s is %s', (from, to, expected) => {
    expect(percentChange(from, to)).toBe(expected);
  });

  it('is unknown from zero and from below zero', () => {
    expect([percentChange('0', '5'), percentChange('-2', '5'), percentChange('0.00', '0')]).toEqual([null, null, null]);
  });

  it('does not round a value just above one half as one half', () => {
    // 1.0000000000050000000000000001 %: the digit that breaks the tie is far behind the twelfth.
    const base = `1${'0'.repeat(30)}`;
    expect(percentChange(base, '1010000000000050000000000000001')).toBe('1.00000000001');
    expect(percentChange(base, '1010000000000050000000000000000')).toBe('1');
    expect(percentChange(base, '1010000000000049999999999999999')).toBe('1');
  });

  it('lies within half a unit of the twelfth digit of the exact quotient', () => {
    fc.assert(
      fc.property(printed, printed, (from, to) => {
        fc.pre(scaled(from, 12) > 0n && scaled(to, 12) >= 0n && scaled(from, 12) !== scaled(to, 12));
        const result = percentChange(from, to) ?? '';
        expect(result).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
        const digits = result.replace(/[-.]/g, '').replace(/^0+/, '');
        expect(digits.replace(/0+$/, '').length).toBeLessThanOrEqual(12);
        const places = decimalsOf(result);
        const exact = (scaled(to, 12) - scaled(from, 12)) * 100n * 10n ** BigInt(places);
        const error = scaled(result, places) * scaled(from, 12) - exact;
        const unit = 10n ** BigInt(Math.max(digits.length - 12, 0));
        expect((error < 0n ? -error : error) * 2n <= scaled(from, 12) * unit).toBe(true);
      }),
    );
  });
});

describe('differsByMoreThan', () => {
  it('requires more than a thousandth of the larger absolute value', () => {
    expect(differsByMoreThan('1000', '999')).toBe(false);
    expect(differsByMoreThan('1000', '998.999')).toBe(true);
    expect(differsByMoreThan('-1000', '-998.999')).toBe(true);
    expect(differsByMoreThan('0', '0.00')).toBe(false);
    expect(differsByMoreThan('0', '0.0000001')).toBe(true);
    expect(differsByMoreThan('100', '98', '0.05')).toBe(false);
  });

  it('does not depend on the order of its arguments', () => {
    fc.assert(fc.property(printed, printed, (a, b) => differsByMoreThan(a, b) === differsByMoreThan(b, a)));
  });
});
