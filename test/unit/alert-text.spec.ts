import { crossingHeadline } from '../../src/domain/figures/alert-text.js';
import type { UnitCode } from '../../src/domain/figures/units.js';

const all = (en: string, zh: string, ja: string) => ({ en, zh, ja });
const US = all('United States', '美国', '米国');
const GDP = all('Nominal GDP (annual rate)', '名义GDP（折年率）', '名目GDP（年率換算）');
const BRENT = all('Brent crude oil', '布伦特原油', '北海ブレント原油');
const YEN = all('Euro/Japanese yen', '欧元兑日元', 'ユーロ／円');

const figure = (period: string, value: string) => ({ period, value });
const above = (threshold: string) => ({ metric: 'value_above', threshold }) as const;

describe('The headline of an alert', () => {
  it('counts in dollars if the figure is printed in billions of them', () => {
    const subject = { name: GDP, region: US, unit: 'usd_billions' as UnitCode, currency: null };
    const crossing = { figure: figure('2026-Q1', '30485.729'), previous: figure('2025-Q4', '29962') };
    expect(crossingHeadline(subject, above('30000'), crossing)).toEqual({
      en: 'United States: nominal GDP (annual rate) $30.486 trillion in Q1 2026, above $30.000 trillion',
      zh: '美国2026年第一季度名义GDP（折年率）为30.486万亿美元，高于30.000万亿美元',
      ja: '米国の2026年1～3月期の名目GDP（年率換算）は30兆4860億ドル、30兆ドルを上回る',
    });
  });

  it('names the unit once, and for a currency pair not at all', () => {
    const brent = { name: BRENT, region: null, unit: 'usd_per_barrel' as UnitCode, currency: null };
    const fall = { figure: figure('2026-04-17', '98.63'), previous: figure('2026-04-16', '116.60') };
    expect(crossingHeadline(brent, { metric: 'move_percent', threshold: '5' }, fall)).toEqual({
      en: 'Brent crude oil $98.63 a barrel on 17 April 2026, down 15.4% from $116.60',
      zh: '布伦特原油2026年4月17日报每桶98.63美元，较前值116.60美元下跌15.4%',
      ja: '北海ブレント原油、2026年4月17日は1バレル98.63ドル、直前の値（116.60ドル）比マイナス15.4%',
    });
    const yen = { name: YEN, region: null, unit: 'currency_per_eur' as UnitCode, currency: 'JPY' };
    const rise = { figure: figure('2026-04-17', '162.5'), previous: figure('2026-04-16', '159.2') };
    expect(crossingHeadline(yen, above('160'), rise)).toEqual({
      en: 'Euro/Japanese yen 162.50 yen per euro on 17 April 2026, above 160.00',
      zh: '欧元兑日元2026年4月17日报1欧元兑162.50日元，升破160.00日元',
      ja: 'ユーロ／円、2026年4月17日は1ユーロ＝162.50円となり160.00円を上回る',
    });
  });
});
