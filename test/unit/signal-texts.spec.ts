import type { UnitCode } from '../../src/domain/figures/units.js';
import type { Locale } from '../../src/domain/locale/locale.js';
import { stepWords } from '../../src/publish/read-models/signals/signal-texts.js';

const step = (locale: Locale, unit: UnitCode, from: string, to: string) => {
  const before = { period: '2025-Q4', value: from };
  const { previous, actual } = stepWords(
    locale,
    { unit, currency: unit === 'currency_per_eur' ? 'GBP' : null },
    before,
    { period: '2026-Q1', value: to },
  );
  return [previous, actual];
};

describe('The two figures of a signal', () => {
  it('count in dollars if they are printed in billions of them, and name the unit once', () => {
    const gdp = ['usd_billions', '29962', '30485.729'] as const;
    expect(step('en', ...gdp)).toEqual(['$29.962 trillion', '$30.486 trillion']);
    expect(step('zh', ...gdp)).toEqual(['29.962万亿美元', '30.486万亿美元']);
    expect(step('zh', 'usd_per_barrel', '91.74', '84.25')).toEqual(['每桶91.74美元', '84.25美元']);
  });

  it('show every digit of a currency pair and name the currency', () => {
    expect(step('ja', 'currency_per_eur', '0.9467', '0.9381')).toEqual(['1ユーロ＝0.94670英ポンド', '0.93810英ポンド']);
  });
});
