import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, type Locale } from '../../src/locale/locale.js';
import { GOLDEN } from './golden-texts.js';

const file = (locale: Locale): string => join(__dirname, 'golden', `${locale}.txt`);

/** Forbidden expressions; docs/explanation/style.md explains why. */
const FORBIDDEN: Readonly<Record<Locale, readonly RegExp[]>> = {
  en: [
    /\.\./,
    /: (?:total |gross )?(?:savings|exports|imports|reserves|earnings)[^.,]* was\b/,
    /\(\d{3,}(?:\.\d+)?%\)/,
    /\d\.\d{3,}%/,
    /\b1(?:\.0+)? percentage points/,
    /-\d[\d.]* (?:million|billion|trillion)/,
    /since data began|stands in the figures/,
    /[\u3000-\u9fff]/,
  ],
  zh: [
    /））|）（|，，|。。/,
    /下降\d{3,}(?:\.\d+)?%/,
    /本币单位/,
    /\d{4}-\d{2}-\d{2}/,
    /[一-鿿][,;:!?]|[,;:!?][一-鿿]/,
    /\d\.\d{3,}%/,
    /\d,\d{3}/,
    /有数据以来/,
    /(?:顺差|逆差|盈余|赤字|降幅)[^，。]*-\d/,
    /[぀-ヿ]/,
  ],
  ja: [
    /））|）（|、、|。。/,
    /現地通貨単位|米ドル当たり/,
    /\d{4}-\d{2}-\d{2}/,
    /\d,\d{3}/,
    /\d\.\d+[万億兆]/,
    /\d\.\d{3,}%/,
    /-\d/,
    /出所/,
    /データのある/,
    /(?:黒字|赤字|純流出)[^、。]*マイナス/,
  ],
};

/** The same amount on both sides of a word for a difference. */
const TWICE =
  /(?<![\d.,万億兆亿])(\d[\d.,]*(?:万亿|[万亿億兆%]| trillion| billion| million))[^。\n]{0,20}(?<![\d.,万億兆亿])\1[^。\n]{0,12}(?:减少|下降|增加|上升|減少|増加|低下)/;

describe('The texts of changes', () => {
  it.each(LOCALES)('of %s equal the reviewed and committed ones', (locale) => {
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file(locale), GOLDEN[locale]);
    expect(GOLDEN[locale]).toBe(readFileSync(file(locale), 'utf8'));
  });

  it.each(LOCALES)('of %s follow the style sheet', (locale) => {
    const found = GOLDEN[locale]
      .split('\n')
      .filter(
        (line) =>
          !line.startsWith('#') && [...FORBIDDEN[locale], TWICE].some((pattern) => pattern.test(line)),
      );
    expect(found).toEqual([]);
  });

  it.each(FORBIDDEN.zh.map((pattern) => [pattern]))('are checked for %s', (pattern) => {
    const seen = [
      '获取））。',
      '，下降233.0%',
      '39.45本币单位',
      '2026-12-09',
      '卢森堡,美国',
      '8.3034%',
      '1,234',
      '有数据以来',
      '逆差-1',
      'の',
    ];
    expect(seen.some((text) => pattern.test(text))).toBe(true);
  });
});
