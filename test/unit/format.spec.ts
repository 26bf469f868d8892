import { formatDay, formatNumber, formatPeriod, formatWhen, styleOf } from '../../src/locale/format.js';
import { LOCALES } from '../../src/locale/locale.js';

const everywhere = (write: (locale: (typeof LOCALES)[number]) => string): string[] => LOCALES.map(write);

describe('numbers in running text', () => {
  it('are grouped and rounded once, from all their digits', () => {
    const style = { decimals: 2, compact: false };
    expect(formatNumber('en', '85298.295', style)).toBe('85,298.30');
    expect(formatNumber('en', '12345678901234567890.125', style)).toBe('12,345,678,901,234,567,890.13');
  });

  it('are shortened as each language counts', () => {
    const style = { decimals: 2, compact: true };
    expect(everywhere((locale) => formatNumber(locale, '4190000000000', style))).toEqual([
      '4.19 trillion',
      '4.19万亿',
      '4.19兆',
    ]);
  });

  it('are grouped and signed as each language writes them', () => {
    const style = { decimals: 1, compact: false };
    expect(everywhere((locale) => formatNumber(locale, '-85298.3', style))).toEqual([
      '-85,298.3',
      '-85298.3',
      'マイナス85,298.3',
    ]);
  });

  it('are never a negative zero', () => {
    expect(formatNumber('en', '-0.001', { decimals: 2, compact: false })).toBe('0.00');
  });

  it('get two decimals at most, unless they would look alike or like zero', () => {
    expect(styleOf(['1.35039785', '0.08'], false)).toEqual({ decimals: 2, compact: false });
    expect(styleOf(['5', '6'], false).decimals).toBe(0);
    expect(styleOf(['1.23456', '1.23412'], false).decimals).toBe(3);
    expect(styleOf(['0.0004'], false).decimals).toBe(4);
    expect(styleOf(['1.23', '1.230'], false).decimals).toBe(2);
  });

  it('are shortened from a million on, where the unit allows it', () => {
    expect(styleOf(['999999'], true).compact).toBe(false);
    expect(styleOf(['1000000', '12'], true).compact).toBe(true);
    expect(styleOf(['-1000000'], true).compact).toBe(true);
    expect(styleOf(['1000000'], false).compact).toBe(false);
  });
});

describe('days and periods', () => {
  it('are named as each language names them', () => {
    expect(everywhere((locale) => formatDay(locale, '2026-07-01'))).toEqual([
      '1 July 2026',
      '2026年7月1日',
      '2026年7月1日',
    ]);
  });

  it.each([
    ['2025', ['2025', '2025年', '2025年']],
    ['FY2025', ['fiscal year 2025', '2025财年', '2025年度']],
    ['2025-H1', ['the first half of 2025', '2025年上半年', '2025年上半期']],
    ['2025-Q3', ['Q3 2025', '2025年第三季度', '2025年7～9月期']],
    ['2025-10', ['October 2025', '2025年10月', '2025年10月']],
    ['2026-W33', ['week 33 of 2026', '2026年第33周', '2026年第33週']],
    ['2026-08-14', ['14 August 2026', '2026年8月14日', '2026年8月14日']],
  ])('%s', (period, names) => {
    expect(everywhere((locale) => formatPeriod(locale, period))).toEqual(names);
  });

  it('stand in an English sentence with their preposition', () => {
    expect(formatWhen('en', '2025')).toBe('in 2025');
    expect(formatWhen('en', '2026-08-14')).toBe('on 14 August 2026');
    expect(formatWhen('ja', '2025')).toBe('2025年');
  });
});
