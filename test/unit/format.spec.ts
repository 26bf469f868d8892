import { formatDay, formatPeriod, formatWhen } from '../../src/domain/locale/format.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { VOICES } from '../../src/domain/locale/voice/voices.js';

const everywhere = (write: (locale: (typeof LOCALES)[number]) => string): string[] => LOCALES.map(write);

describe('Days and periods', () => {
  it('have the name that each language gives them', () => {
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

  it('have their preposition in an English sentence', () => {
    expect(formatWhen('en', '2025')).toBe('in 2025');
    expect(formatWhen('en', '2026-08-14')).toBe('on 14 August 2026');
    expect(formatWhen('ja', '2025')).toBe('2025年');
  });
});

describe('Counts and lists', () => {
  it('follow the style of each language', () => {
    expect(everywhere((locale) => VOICES[locale].count(9))).toEqual(['nine', '9', '9']);
    expect(everywhere((locale) => VOICES[locale].count(7560))).toEqual(['7,560', '7560', '7560']);
    const lists = ['A, B and C', 'A、B和C', 'A、B、C'];
    expect(everywhere((locale) => VOICES[locale].list(['A', 'B', 'C']))).toEqual(lists);
    expect(everywhere((locale) => VOICES[locale].list(['A']))).toEqual(['A', 'A', 'A']);
  });
});
