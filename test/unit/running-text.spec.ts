import { differenceInUnit, fromTo, withUnit, withUnitSaid } from '../../src/figures/running-text.js';
import { UNITS } from '../../src/figures/units.js';
import { LOCALES } from '../../src/locale/locale.js';

const inAll = (say: (locale: (typeof LOCALES)[number]) => unknown) => LOCALES.map(say);

describe('a number with its unit', () => {
  const barrel = UNITS.usd_per_barrel;

  it('says what it is per, in the order of the language', () => {
    expect(inAll((locale) => withUnit(locale, barrel, '98.63'))).toEqual([
      '98.63 US dollars per barrel',
      '每桶98.63美元',
      '1バレル当たり98.63米ドル',
    ]);
  });

  it('is short beside one that has said it', () => {
    expect(inAll((locale) => withUnitSaid(locale, barrel, '98.63'))).toEqual([
      '98.63',
      '98.63美元',
      '98.63米ドル',
    ]);
    expect(withUnitSaid('en', UNITS.percent_of_gdp, '5')).toBe('5%');
    expect(withUnitSaid('zh', UNITS.lcu_per_usd, '151.37')).toBe('151.37本币单位');
  });

  it('names the unit once from one number to another: at the end in English, else at the beginning', () => {
    expect(fromTo('en', barrel, '90', '95')).toEqual({ from: '90', to: '95 US dollars per barrel' });
    expect(fromTo('zh', barrel, '90', '95')).toEqual({ from: '每桶90美元', to: '95美元' });
  });

  it('leaves out of a difference what the prices are per', () => {
    expect(inAll((locale) => differenceInUnit(locale, barrel, '55.29'))).toEqual([
      '55.29 US dollars',
      '55.29美元',
      '55.29米ドル',
    ]);
  });
});
