import type { I18nService } from 'nestjs-i18n';
import { fiscalYearOf } from '../../src/domain/figures/fiscal-years.js';
import { Texts } from '../../src/domain/locale/texts.service.js';
import { Citations } from '../../src/domain/sources/citations.js';
import { fiscalYearNotices } from '../../src/serve/responses/fiscal-year-notice.js';
import en from '../../src/domain/locale/messages/en/resources.json' with { type: 'json' };
import ja from '../../src/domain/locale/messages/ja/resources.json' with { type: 'json' };
import zh from '../../src/domain/locale/messages/zh/resources.json' with { type: 'json' };

const files = { getTranslations: () => ({ en: { resources: en }, zh: { resources: zh }, ja: { resources: ja } }) };
const texts = new Texts(files as unknown as I18nService);

describe('The years of national accounts', () => {
  it.each([
    ['IN', '2024-04', '2025-03'],
    ['AU', '2023-07', '2024-06'],
    ['PK', '2023-07', '2024-06'],
  ])('have the months that the World Bank states for %s', (region, first, last) => {
    expect(fiscalYearOf('gdp-growth', region, '2024')).toEqual({ first, last });
  });

  it.each([
    ['gdp-growth', 'US', '2024'],
    ['cpi-inflation', 'IN', '2024'],
    ['population', 'IN', '2024'],
    ['nominal-gdp-annual-rate', 'IN', '2024-Q1'],
  ])('are calendar years otherwise: %s of %s', (indicator, region, period) => {
    expect(fiscalYearOf(indicator, region, period)).toBeNull();
  });

  it('have one notice for economies with the same months, by their newest year', () => {
    const cited = new Citations();
    for (const [series, newest] of [
      ['gdp@AU', '2024'],
      ['gdp-growth@PK', '2025'],
      ['gdp@IN', '2024'],
      ['gdp@US', '2024'],
      ['cpi-inflation@IN', '2024'],
    ] as const)
      cited.age({ series, newest, stale: false, expectedBy: null });
    expect(fiscalYearNotices(cited, texts, 'en')).toEqual([
      'Australia, Pakistan: national accounts are for fiscal years; 2025 is July 2024 to June 2025.',
      'India: national accounts are for fiscal years; 2024 is April 2024 to March 2025.',
    ]);
    expect(fiscalYearNotices(cited, texts, 'zh')[1]).toBe(
      '印度：国民账户数据按财政年度统计，2024年指2024年4月至2025年3月。',
    );
    expect(fiscalYearNotices(cited, texts, 'ja')[1]).toBe(
      'インド：国民経済計算は会計年度の値で、2024年は2024年4月から2025年3月までを指します。',
    );
  });
});
