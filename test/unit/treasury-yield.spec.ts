import { treasurySpread, withTreasuryNamed } from '../../src/domain/search/treasury-yield.js';

describe('A Treasury yield', () => {
  it.each([
    ['6-mo bill rate', '6-month'],
    ['10yr treasury yield', '10-year'],
    ['13-week T-bill', '3-month'],
    ['三个月国库券', '3-month'],
    ['美国一年期国库券利率', '1-year'],
    ['30年期國債', '30-year'],
    ['5年物米国債利回り', '5-year'],
    ['米国短期国債 6か月', '6-month'],
    ['美债五年', '5-year'],
  ])('is named by its maturity: %s', (words, maturity) => {
    expect(withTreasuryNamed(words)).toBe(`US Treasury ${maturity} par yield`);
  });

  it.each([
    '日本10年国債利回り',
    'German 10-year bond yield',
    '10-year mortgage rate',
    '10年期贷款利率',
    '1年期利率',
    '3-month rate',
    '5-year GDP growth rate',
    '30-year fixed rate',
    '10 year',
    '2s10s spread',
    '9-week bill',
  ])('is not what other words mean: %s', (words) => {
    expect(withTreasuryNamed(words)).toBe(words);
  });

  it.each([
    ['2s10s spread', '10y 2y'],
    ['10y-2y spread', '10y 2y'],
    ['3m 10y', '10y 3m'],
    ['逆イールド 10年-2年', '10y 2y'],
    ['美债收益率曲线倒挂 2年10年', '10y 2y'],
    ['长短端利差 10年减2年', '10y 2y'],
    ['長短金利差', '10y 2y'],
    ['美国国债倒挂', '10y 2y'],
    ['yield curve inversion', '10y 2y'],
    ['10-year', ''],
    ['2y 5y 10y', ''],
    ['2s10s of Germany', ''],
  ])('less another is a spread: %s', (words, keys) => {
    expect(treasurySpread(words)?.join(' ').replaceAll('us-par-yield-', '') ?? '').toBe(keys);
  });
});
