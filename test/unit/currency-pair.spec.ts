import { currencyPair } from '../../src/serve/resources/search/currency-pair.rule.js';

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
    ['EUR-USD', 'EUR USD'],
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
});
