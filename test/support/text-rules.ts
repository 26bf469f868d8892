import type { Locale, Localized } from '../../src/domain/locale/locale.js';
import { LOCALES } from '../../src/domain/locale/locale.js';

/** What no text of ours may contain. docs/explanation/style.md says why; each rule has a text that breaks it. */
export interface TextRule {
  readonly name: string;
  readonly locales: readonly Locale[];
  readonly pattern: RegExp;
  /** A text that breaks the rule. */
  readonly wrong: string;
}

const CJK: readonly Locale[] = ['zh', 'ja'];
const HAN = '\\u3040-\\u30ff\\u4e00-\\u9fff';

const rule = (name: string, locales: readonly Locale[], pattern: RegExp, wrong: string): TextRule => ({
  name,
  locales,
  pattern,
  wrong,
});

export const TEXT_RULES: readonly TextRule[] = [
  rule('a missing value', LOCALES, /undefined|\bNaN\b|\bnull\b|\[object|\{\w*\}/, 'rose to undefined'),
  rule('empty brackets', LOCALES, /\(\s*\)|（\s*）|「」|“”|\[\]/, 'GDP []'),
  rule('more decimals than any source prints', LOCALES, /(?<![\d.])\d+\.\d{6,}/, '1.1234567'),
  rule(
    'that something does not exist, which only is not stored',
    LOCALES,
    /Nothing is scheduled|None is stated|没有安排发布|登记机构未载明|公表の予定はありません|登録機関の記載はありません/,
    'Nothing is scheduled in these days.',
  ),
  rule(
    'a month with the preposition of a day',
    ['en'],
    / on (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/,
    'before: $4,587.00 a troy ounce on May 2026',
  ),
  rule(
    'a day of storage as one of publication',
    CJK,
    /(?:收录|获取|収録|取得)(?:日|于)?(?:公布|发布|公表)|(?:公布|发布|公表)日?(?:收录|获取|収録|取得)/,
    '公布日收录',
  ),
  rule(
    'a phrase three times',
    ['en'],
    /\b(the \w+ \w+ \w+)\b(?:.*\b\1\b){2}/,
    'the year before that, the year before that, the year before that',
  ),
  rule('two spaces', LOCALES, / {2}| $|^ /, 'rose  to'),
  rule('doubled punctuation', LOCALES, /\.\.|,,|））|）（|，，|。。|、、/, 'Apple Inc..'),
  rule(
    'more than three decimals of a percentage',
    LOCALES,
    /^(?!.*\b0\.00\d).*\d\.\d{4,}(?:%| percentage|个百分点|ポイント)/,
    '8.3034%',
  ),
  rule('a percentage of hundreds in brackets', LOCALES, /[(（]\d{4,}(?:\.\d+)?%/, 'down (1233.0%)'),
  rule('a day in digits', LOCALES, /\d{4}-\d{2}-\d{2}/, 'on 2026-12-09'),
  rule('a unit of no country', LOCALES, /local currency|本币单位|現地通貨単位|米ドル当たり/, '39.45本币单位'),
  rule('a beginning of all data', LOCALES, /since data began|有数据以来|データのある/, '有数据以来'),
  rule(
    'a move of nothing',
    LOCALES,
    /(?:rose|fell|up|down|by) 0(?:\.0+)?(?:%| perc)|(?:上升|下降|增加|减少|上涨|下跌|上修|下修)0(?:\.0+)?(?:%|个|，|。)|(?<![\d.])0(?:\.0+)?(?:%|ポイント)(?:上昇|低下|下落|増加|減少)/,
    'fell 0.0%',
  ),
  rule('a doubled word', ['en'], /\b([a-z]+) \1\b/i, 'the the'),
  rule(
    'a plural of one',
    ['en'],
    /(?<![\d.])\b(?:1|one) (?:years|months|quarters|weeks|trading days|economies|percentage points)\b/i,
    'one years',
  ),
  rule(
    'a plural with “was”',
    ['en'],
    /: (?:total |gross )?(?:savings|exports|imports|reserves|earnings)[^.,]* was\b/,
    ': gross savings was',
  ),
  rule(
    'a deficit with a sign',
    ['en'],
    /(?:of|at|by|came to|rose to|fell to|widened to|narrowed to) [−-]\$?\d[\d.]* (?:million|billion|trillion)/,
    'came to -1.12 trillion',
  ),
  rule('another script', ['en'], /[\u3000-\u9fff\uff00-\uffef]/, 'GDP，'),
  rule(
    'punctuation of half width',
    CJK,
    new RegExp(`[${HAN}][,;:!?()]|[,;:!?()][${HAN}]|[${HAN}] [${HAN}]`),
    '卢森堡,美国',
  ),
  rule('grouped digits', CJK, /\d,\d{3}/, '1,234'),
  rule('kana', ['zh'], /[\u3040-\u30ff]/, 'の'),
  rule(
    'characters of Japanese or traditional Chinese',
    ['zh'],
    /[國際發對經濟貿報產項額變動顯極這們說實業東車長門問間開樣値円拡縮収増減転歳済実広権団図]/,
    '経済の実績',
  ),
  rule(
    'simplified characters',
    ['ja'],
    /[们这说时实业东车长门问间开样经济贸报对发产项额变动显极为个于币现级规统计较页]/,
    '经济増加',
  ),
  rule('a side with a sign', ['zh'], /(?:顺差|逆差|盈余|赤字|降幅)[^，。]*[−-]\d/, '逆差−1'),
  rule('a fall through zero in percent', ['zh'], /下降\d{3,}(?:\.\d+)?%/, '下降233.0%'),
  rule('a side with a sign', ['ja'], /(?:黒字|赤字|引き揚げ超過)[^、。]*マイナス/, '経常赤字マイナス1'),
  rule('a decimal before 万, 億 or 兆', ['ja'], /\d\.\d+[万億兆]/, '1.12兆ドル'),
  rule('a fraction without its zero', ['ja'], /[万億兆]\.\d/, '2万.05'),
  rule('a bare minus', ['ja'], /(?<![A-Za-z0-9])-\d|−/, '-4.2%'),
  rule('a hyphen for a minus', ['en', 'zh'], /(?:^|[ (（由至为报桶])-\$?\d/, 'from -0.23%'),
  rule('another word for 出典', ['ja'], /出所/, '出所：'),
  rule(
    'the same number on both sides of a difference',
    LOCALES,
    /(?<![\d.,万億兆亿])(\d[\d.,]*(?:万亿|[万亿億兆%]| trillion| billion| million))(?!\d)[^。；\n]{0,20}(?<![\d.,万億兆亿])\1(?!\d)[^。；\n]{0,12}(?:减少|下降|增加|上升|減少|増加|低下)/,
    '1.44亿人，比2024年（1.44亿人）减少',
  ),
];

/** Every text that an import renders and stores. Names of companies are their register's, so structures are left out. */
export const STORED_TEXTS = `
  SELECT headline AS text FROM changes WHERE kind <> 'structure'
  UNION ALL SELECT summary FROM changes WHERE kind <> 'structure'
  UNION ALL SELECT title FROM signals UNION ALL SELECT summary FROM signals
  UNION ALL SELECT title FROM briefs UNION ALL SELECT summary FROM briefs
  UNION ALL SELECT headline FROM brief_items`;

/** A figure with zeros at its end in one place and without them in another: 11.5180 and 11.518. */
export function isRespelled(text: string): boolean {
  const figures = text.matchAll(/(?<![\d.,])(\d[\d,]*\.\d+)(%| \w+illion|[万亿億兆])?/g);
  const spellings = new Map<string, string>();
  for (const [, number = '', unit = ''] of figures) {
    const value = `${String(Number(number.replaceAll(',', '')))}${unit}`;
    if ((spellings.get(value) ?? number) !== number) return true;
    spellings.set(value, number);
  }
  return false;
}

/** The rules that a text breaks, with the text. */
export function brokenRules(locale: Locale, text: string): string[] {
  const found = TEXT_RULES.filter((one) => one.locales.includes(locale) && one.pattern.test(text));
  const names = found.map(({ name }) => name);
  return [...names, ...(isBalanced(text) ? [] : ['an open bracket'])].map((name) => `${name}: ${text}`);
}

/** The same for texts in three languages. */
export const brokenIn = (texts: readonly Localized[]): string[] =>
  texts.flatMap((text) => LOCALES.flatMap((locale) => brokenRules(locale, text[locale])));

function isBalanced(text: string): boolean {
  const pairs = ['()', '（）', '「」', '“”', '[]'];
  return pairs.every(([open = '', close = '']) => text.split(open).length === text.split(close).length);
}
