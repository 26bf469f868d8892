// The two currencies of a pair as people say it: USDJPY, usd/jpy, ドル円, 美元兑日元, yen per dollar.
import { CURRENCIES } from '../../../domain/figures/currencies.js';
import { LOCALES } from '../../../domain/locale/locale.js';
import { normalizeText } from '../../../domain/search/normalize.js';

/** Shorter than the names of the catalogue. */
const NAMES = new Map(
  Object.entries({
    USD: 'dollar dollars greenback 美金 米ドル ドル 弗',
    EUR: 'euro euros 欧元 ユーロ',
    JPY: 'yen 日元 日圆 日币 日円 円',
    GBP: 'pound pounds sterling poundsterling britishpound cable 英镑 英ポンド ポンド ポン',
    CNY: 'yuan renminbi rmb 人民币 人民元 元',
    CHF: 'franc francs swissie swissy 瑞郎 フラン スイス',
    AUD: 'aussie aussiedollar 澳元 澳币 豪ドル 豪 オージー',
    MXN: '比索 ペソ メキシコ',
    NZD: 'kiwi kiwidollar 纽元 纽币 nzドル nz キウイ',
    CAD: 'loonie 加元 加币 カナダドル 加ドル カナダ',
    KRW: 'won 韩元 韩币 ウォン',
    HKD: '港元 港币 香港ドル',
    TWD: '新台币 台币 台湾ドル',
    SGD: '新元 新币 新加坡元 坡币 シンガポールドル',
    INR: 'rupee rupees 印度卢比 卢比 ルピー',
    BRL: 'real reais 雷亚尔 レアル',
    TRY: 'lira 里拉 リラ トルコ',
    ZAR: 'rand 兰特 ランド 南アランド 南ア',
    THB: 'baht 泰铢 バーツ',
    PLN: 'zloty zlotys 兹罗提 ズロチ',
    HUF: 'forint forints 福林 フォリント',
    ILS: 'shekel shekels 谢克尔 シェケル',
    IDR: 'rupiah 印尼盾 ルピア',
    MYR: 'ringgit 林吉特 令吉 马币 リンギット',
    RON: 'leu lei 列伊 レウ',
    RUB: 'rouble ruble roubles rubles 卢布 ルーブル',
  }),
);

/** Economies that stand for their currencies beside another currency: カナダ円. Two of them are two economies. */
const ECONOMIES: ReadonlySet<string> = new Set(
  ['カナダ', 'スイス', 'メキシコ', 'トルコ', '南ア', '豪', 'nz'].map(normalizeText),
);

/** Between the currency of a price and what it is the price of: yen per dollar, yen to the dollar, how many yen in a dollar. */
const PRICED_IN =
  /\bper\b|建ての|\bfor (?:a|the|one|1)\b|(?<=(?:s|yen|won|yuan|baht|rand|lei))\s+to (?:a|the|one|1)\b|(?<=^how many .+)\s(?:to|in|is|equals?)\s|(?<=^多少.+)[换兑]/u;

/** Between the names and around them. */
const BESIDE = new RegExp(
  `${['汇率', '外汇', '牌价', '为替', 'レート', '相场', 'ドルストレート', '兑换', '换', '一', '百', '兑', '对', 'の', '多少', '何', 'いくら', 'あたり', '当たり', 'につき', 'は', '是', '等于'].map(normalizeText).join('|')}|\\b(?:exchange|cross|fx|rates?|spot|price|the|a|one|of|current|latest|\\d+|x|how|many|much|for|is|worth|vs|versus|against|to|in|into|and)\\b|\\s`,
  'gu',
);

const squeezed = (text: string): string => text.replaceAll(BESIDE, '');

/** What traders call a pair. */
const NICKNAMES = new Map(
  Object.entries({
    AUDJPY: '澳日',
    AUDUSD: 'aussie 澳美',
    EURCHF: '欧瑞',
    EURGBP: 'chunnel 欧镑',
    EURJPY: '欧日',
    EURUSD: 'fiber 欧美 ユロル',
    GBPJPY: '镑日 磅日',
    GBPUSD: 'cable 镑美 ケーブル',
    NZDUSD: 'kiwi 纽美',
    USDCAD: 'loonie 美加',
    USDCHF: 'swissy swissie 美瑞',
    USDJPY: '美日 円ドル 円の対ドル',
  }).flatMap(([pair, names]) =>
    names
      .split(' ')
      .map((name) => [squeezed(normalizeText(name)), [pair.slice(0, 3), pair.slice(3)] as const] as const),
  ),
);

let words: readonly (readonly [name: string, code: string])[] | undefined;

function currencyNames(): readonly (readonly [name: string, code: string])[] {
  words ??= Object.entries(CURRENCIES)
    .flatMap(([code, { name, amount }]) => {
      const own = LOCALES.flatMap((locale) => [name[locale], amount[locale]]);
      return [code, ...own, ...(NAMES.get(code)?.split(' ') ?? [])].map(
        (one) => [squeezed(normalizeText(one)), code] as const,
      );
    })
    .sort(([one], [other]) => other.length - one.length);
  return words;
}

/** What one unit of the first costs in the second. Null unless the whole text is two currencies: a pair is never one of its legs. */
export function currencyPair(q: string): readonly [base: string, quote: string] | null {
  const pair = namedTwo(q);
  return pair === null || pair[0] === pair[1] ? null : pair;
}

/** Whether a text is a currency against itself, such as dollar/USD: it is no pair, and not one of its legs. */
export function isOneCurrency(q: string): boolean {
  const pair = namedTwo(q);
  return pair !== null && pair[0] === pair[1];
}

/** Says that a currency's price in another is asked for. */
const EXCHANGE = new RegExp(
  `\\b(?:exchange|fx|rate)\\b|${normalizeText('汇率 牌价 为替 レート 相场').replaceAll(' ', '|')}`,
  'u',
);
/** Quoted in dollars each; the dollar is quoted in the others. */
const IN_DOLLARS: ReadonlySet<string> = new Set(['EUR', 'GBP', 'AUD', 'NZD']);

/**
 * The rate of the one currency that the whole text names: by the name alone against the euro, as its source prints it; with a
 * word for exchange against the dollar, as people mean it, where rates are computed.
 */
export function rateOfCurrency(q: string, isComputed: boolean): readonly [base: string, quote: string] | null {
  const text = normalizeText(q);
  const [, code] = currencyNames().find(([name]) => name === squeezed(text)) ?? [];
  // Before another word, real means adjusted for prices: a real exchange rate is not that of Brazil.
  if (code === undefined || (squeezed(text) === 'real' && text.startsWith('real '))) return null;
  if (code === 'USD' || code === 'EUR') return ['EUR', 'USD'];
  if (!isComputed || !EXCHANGE.test(text)) return ['EUR', code];
  return IN_DOLLARS.has(code) ? [code, 'USD'] : ['USD', code];
}

function namedTwo(q: string): readonly [base: string, quote: string] | null {
  const [first = '', second, ...others] = normalizeText(q).split(PRICED_IN);
  if (others.length > 0) return null;
  const nickname = NICKNAMES.get(squeezed(first));
  if (nickname !== undefined && second === undefined) return nickname;
  const text = squeezed(second === undefined ? first : `${second} ${first}`);
  // カナダドル is one currency, and not Canada's with the dollar.
  if (currencyNames().some(([name]) => name === text)) return null;
  let same: readonly [base: string, quote: string] | null = null;
  for (const [name, base] of currencyNames()) {
    if (!text.startsWith(name)) continue;
    const rest = text.slice(name.length);
    if (ECONOMIES.has(name) && ECONOMIES.has(rest)) continue;
    const [, quote] = currencyNames().find(([one]) => one === rest) ?? [];
    if (quote === base) same = [base, quote];
    else if (quote !== undefined) return [base, quote];
  }
  return same;
}
