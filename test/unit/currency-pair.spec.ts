import { currencyPair, rateOfCurrency } from '../../src/serve/resources/search/currency-pair.rule.js';

describe('The currencies of a pair', () => {
  it.each([
    ['USD/JPY', 'USD JPY'],
    ['usdjpy', 'USD JPY'],
    ['ドル円', 'USD JPY'],
    ['ポン円', 'GBP JPY'],
    ['ポンドル', 'GBP USD'],
    ['ドル/円 レート', 'USD JPY'],
    ['米ドル・円相場', 'USD JPY'],
    ['美元兑人民币', 'USD CNY'],
    ['美元对日元汇率', 'USD JPY'],
    ['人民币兑美元', 'CNY USD'],
    ['港元兑人民币', 'HKD CNY'],
    ['港幣兌人民幣', 'HKD CNY'],
    ['スイスフラン円', 'CHF JPY'],
    ['ポンド円', 'GBP JPY'],
    ['韩元兑人民币', 'KRW CNY'],
    ['dollar yen exchange rate', 'USD JPY'],
    ['yen per dollar', 'USD JPY'],
    ['US dollars per pound', 'GBP USD'],
    ['1 USD to JPY', 'USD JPY'],
    ['pound sterling against the Swiss franc', 'GBP CHF'],
    ['how many yen for a dollar', 'USD JPY'],
    ['how many Swiss francs for a pound', 'GBP CHF'],
    ['how many dollars in one euro', 'EUR USD'],
    ['yen to the dollar', 'USD JPY'],
    ['how many yen to the dollar', 'USD JPY'],
    ['dollar to yen', 'USD JPY'],
    ['how much is a pound in francs', 'GBP CHF'],
    ['多少日元换一美元', 'USD JPY'],
    ['一英镑换多少瑞士法郎', 'GBP CHF'],
    ['円建てのポンド', 'GBP JPY'],
    ['円ドル相場', 'USD JPY'],
    ['円/ドル', 'USD JPY'],
    ['cable', 'GBP USD'],
    ['ケーブル', 'GBP USD'],
    ['swissie', 'USD CHF'],
    ['欧美', 'EUR USD'],
    ['AUDNZD=X', 'AUD NZD'],
    ['100円は何ウォン', 'JPY KRW'],
    ['loonie', 'USD CAD'],
    ['EUR-USD', 'EUR USD'],
    ['美加', 'USD CAD'],
    ['ドルカナダ', 'USD CAD'],
    ['カナダ円', 'CAD JPY'],
    ['ドルストレート 豪ドル米ドル', 'AUD USD'],
    ['欧元汇率', null],
    ['dollar', null],
    ['usdusd', null],
    ['brents', null],
    ['gdp per capita', null],
    ['dollar yen euro', null],
    ['dollar yen forecast', null],
  ])('%s is %s', (words, expected) => {
    expect(currencyPair(words)?.join(' ') ?? null).toBe(expected);
  });

  it.each([
    ['円相場', 'USD JPY', 'EUR JPY'],
    ['日元汇率', 'USD JPY', 'EUR JPY'],
    ['sterling exchange rate', 'GBP USD', 'EUR GBP'],
    ['纽币', 'EUR NZD', 'EUR NZD'],
    ['dollar rate', 'EUR USD', 'EUR USD'],
    ['gold price', '', ''],
    ['yen forecast', '', ''],
  ])('of %s alone are %s where rates are computed, else %s', (words, computed, printed) => {
    const found = [true, false].map((isComputed) => rateOfCurrency(words, isComputed)?.join(' ') ?? '');
    expect(found).toEqual([computed, printed]);
  });
});
