import Big from 'big.js';
import fc from 'fast-check';
import { figureText, writeFigures, writeSeries } from '../../src/domain/figures/figure-text.js';
import { UNITS, type UnitCode } from '../../src/domain/figures/units.js';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';

const inAll = (say: (locale: Locale) => unknown) => LOCALES.map(say);
const text = (unit: UnitCode, value: string, currency: string | null = null) =>
  inAll((locale) => figureText(locale, { unit, currency }, value));

/** Reads a written number by a separate rule: the words for powers of ten, and the sign. */
function read(locale: Locale, written: string): Big {
  const plain = written.replaceAll(',', '').replace(/人|個|people|person/g, '');
  const sign = /^(-|マイナス)/.test(plain) ? -1 : 1;
  const body = plain.replace(/^(-|マイナス)/, '').trim();
  const words: Readonly<Record<string, string>> = {
    '': '1',
    ' trillion': '1e12',
    ' billion': '1e9',
    ' million': '1e6',
    万: '1e4',
    亿: '1e8',
    億: '1e8',
    万亿: '1e12',
    兆: '1e12',
    京: '1e16',
  };
  const parts = [...body.matchAll(/([\d.]+)(万亿|[万亿億兆京]| trillion| billion| million|)/g)];
  expect(parts.map(([part]) => part).join('')).toBe(body);
  if (locale !== 'ja') expect(parts).toHaveLength(1);
  return parts
    .reduce((sum, [, digits = '', word = '']) => sum.plus(new Big(digits).times(words[word] ?? NaN)), new Big(0))
    .times(sign);
}

describe('Figure texts', () => {
  it('use the number words of each language', () => {
    expect(text('usd', '1371449000000.12')).toEqual(['$1.37 trillion', '1.37万亿美元', '1兆3700億ドル']);
    expect(text('usd', '910037000000')).toEqual(['$910 billion', '9100亿美元', '9100億ドル']);
    expect(text('person', '608637')).toEqual(['608,637 people', '60.86万人', '60万8600人']);
    expect(text('jpy_thousands', '242.1')).toEqual(['242,100 yen', '24.21万日元', '24万2100円']);
    expect(text('currency_per_eur', '20000.05', 'IDR')[2]).toBe('1ユーロ＝2万0.05インドネシアルピア');
    expect(text('usd_per_person', '90026.52')).toEqual(['$90,027', '90027美元', '9万27ドル']);
  });

  it('have the form for one in English', () => {
    expect(text('person', '1')).toEqual(['1 person', '1人', '1人']);
    expect(text('person', '2')[0]).toBe('2 people');
  });

  it('name the currency of an exchange rate', () => {
    expect(text('lcu_per_usd', '39.4478', 'TRY')).toEqual([
      '39.45 Turkish lira per US dollar',
      '1美元兑39.45土耳其里拉',
      '1ドル＝39.45トルコリラ',
    ]);
    expect(text('currency_per_eur', '182.52', 'JPY')).toEqual([
      '182.52 yen per euro',
      '1欧元兑182.52日元',
      '1ユーロ＝182.52円',
    ]);
    expect(text('lcu_per_usd', '0.92389', null)).toEqual(['0.9239 per US dollar', '1美元兑0.9239', '1ドル＝0.9239']);
  });

  it('show the sign as each language writes it', () => {
    expect(text('percent', '-0.921')).toEqual(['−0.9%', '−0.9%', 'マイナス0.9%']);
    expect(text('usd_per_barrel', '-37.63')).toEqual([
      '−$37.63 a barrel',
      '每桶−37.63美元',
      '1バレルマイナス37.63ドル',
    ]);
    expect(text('percent', '-0.001')).toEqual(['−0.001%', '−0.001%', 'マイナス0.001%']);
  });

  it('show the zeros of prices, and for other numbers those that the source printed', () => {
    expect(text('usd_per_barrel', '88.9')[0]).toBe('$88.90 a barrel');
    expect(text('percent', '5')[0]).toBe('5%');
    expect(text('percent', '4.00')[0]).toBe('4.00%');
  });

  it('show a rate of a hundred-millionth beside an ordinary one as zero', () => {
    const pair = (newest: string, before: string) =>
      writeFigures('en', { unit: 'percent', currency: null }, [newest, before]).full;
    expect(pair('8.19407845338984', '0.0000000000113')).toEqual(['8.2%', '0.0%']);
    expect(pair('0.00002', '0.00001')).toEqual(['0.00002%', '0.00001%']);
  });

  it('show neighbouring numbers alike, and their difference as a reader computes it', () => {
    const pair = (unit: UnitCode, now: string, before: string) =>
      inAll((locale) => {
        const { full, beside, difference } = writeFigures(locale, { unit, currency: null }, [now, before]);
        return [full[0], beside[1], difference];
      });
    expect(pair('percent', '24.98', '25.4353')).toEqual([
      ['25.0%', '25.4%', '0.4 percentage points'],
      ['25.0%', '25.4%', '0.4个百分点'],
      ['25.0%', '25.4%', '0.4ポイント'],
    ]);
    expect(pair('person', '143513328', '143669648')).toEqual([
      ['143.513 million people', '143.670 million', '157,000'],
      ['14351.3万人', '14367.0万人', '15.7万人'],
      ['1億4351万3000人', '1億4367万人', '15万7000人'],
    ]);
    expect(pair('usd', '30769700000000', '29298000000000')[0]).toEqual([
      '$30.77 trillion',
      '$29.30 trillion',
      '$1.47 trillion',
    ]);
  });

  it('of a series have equal decimals at equal scales', () => {
    const series = (unit: UnitCode, ...values: string[]) =>
      LOCALES.map((locale) => writeSeries(locale, { unit, currency: 'USD' }, values));
    expect(series('percent', '2.45', '2.5', '-3')[0]).toEqual(['2.45%', '2.50%', '−3.00%']);
    expect(series('currency_per_eur', '1.1689', '1.17')[0]).toEqual([
      '1.1689 US dollars per euro',
      '1.1700 US dollars per euro',
    ]);
    expect(series('usd', '1370000000000', '910000000000', '1400000000000')).toEqual([
      ['$1.37 trillion', '$910 billion', '$1.40 trillion'],
      ['1.37万亿美元', '9100亿美元', '1.40万亿美元'],
      ['1兆3700億ドル', '9100億ドル', '1兆4000億ドル'],
    ]);
  });

  it('of a series look different where neighbours differ, so that a turn can be seen', () => {
    const people = (locale: Locale) =>
      writeSeries(locale, { unit: 'person', currency: null }, ['1410710000', '1412175000', '1412360000']);
    expect(inAll(people)).toEqual([
      ['1.4107 billion people', '1.4122 billion people', '1.4124 billion people'],
      ['14.107亿人', '14.122亿人', '14.124亿人'],
      ['14億1070万人', '14億1220万人', '14億1240万人'],
    ]);
  });

  const decimal = fc
    .record({ digits: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), decimals: fc.integer({ min: 0, max: 12 }) })
    .map(({ digits, decimals }) => new Big(String(digits)).times(`1e${-decimals}`).toFixed());
  const near = fc
    .tuple(decimal, fc.integer({ min: -100_000, max: 100_000 }))
    .map(([value, drift]) => [value, new Big(value).times(new Big(drift).times('1e-6').plus(1)).toFixed()]);
  const pairs = fc.oneof(fc.tuple(decimal, decimal), near) as fc.Arbitrary<[string, string]>;
  const units = fc.constantFrom<UnitCode>('person', 'percent', 'usd_per_person', 'index_1982_84_100');

  it.each(LOCALES)('of %s never look equal for different values, and differ by the printed difference', (locale) => {
    fc.assert(
      fc.property(pairs, units, ([a, b], unit) => {
        const bare = (written: string) =>
          written
            .replace('−', '-')
            .replace(/^(-?)\$/, '$1')
            .replace(/ people| person|人|%|美元|ドル/g, '');
        const { full, difference } = writeFigures(locale, { unit, currency: null }, [a, b]);
        const [first = '', second = ''] = full.map(bare);
        expect(first === second).toBe(new Big(a).eq(b));
        const apart = read(locale, first).minus(read(locale, second)).abs();
        const n = difference
          .replace(/^\$/, '')
          .replace(/ percentage points?| people| person|个百分点|ポイント|人|美元|ドル/g, '');
        expect(read(locale, n).eq(apart)).toBe(true);
        if (!new Big(a).eq(0)) expect(read(locale, first).eq(0)).toBe(false);
      }),
    );
  });

  it.each(LOCALES)('of %s have one number of decimals and one scale', (locale) => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { full } = writeFigures(locale, { unit: 'percent', currency: null }, [a, b]);
        const [first, second] = full.map((one) => /\.(\d+)%/.exec(one)?.[1]?.length ?? 0);
        expect(first).toBe(second);
      }),
    );
  });

  it('never put a decimal before 億 or 兆, or a comma above 万, in Japanese', () => {
    fc.assert(
      fc.property(decimal, fc.constantFrom(...Object.keys(UNITS)), (value, unit) => {
        const written = figureText('ja', { unit, currency: 'JPY' }, value);
        expect(written).not.toMatch(/,|\.\d+[万億兆]/);
      }),
    );
  });
});
