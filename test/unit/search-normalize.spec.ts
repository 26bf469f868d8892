import fc from 'fast-check';
import { normalizeText } from '../../src/domain/search/normalize.js';
import variants from '../../data/han-variants.json' with { type: 'json' };
import { bigrams, isCjk, words } from '../../src/domain/search/words.js';

/** Any strings, with lone surrogates and control characters, and strings with the characters of names. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('aZßİıŁé.’&-/ 円圓物价価價のとがヴァィ・ー゙々的１Ａﾄﾞ㍿\u0000\u0301\ud83e')),
    maxLength: 60,
  }),
);

describe('normalizeText', () => {
  it.each([
    ['Côte d’Ivoire', 'cote d ivoire'],
    ['Türkiye', 'turkiye'],
    ['İSTANBUL', 'istanbul'],
    ['Großbritannien', 'grossbritannien'],
    ['Łódź & Ørsted', 'lodz orsted'],
    ['U.S. Outlying Islands', 'us outlying islands'],
    ['J.P.Morgan', 'jp morgan'],
    ['S.à r.l.', 'sa rl'],
    ['ＧＤＰ　％', 'gdp'],
    ['國內生產總值', '国内生产总值'],
    ['物価', '物价'],
    ['経済', '经济'],
    ['ﾄﾞｲﾂ', 'ドイツ'],
    ['ヴェトナム', 'ベトナム'],
    ['ボスニア・ヘルツェゴビナ', 'ボスニアヘルツェゴビナ'],
    ['㍿トヨタ', '株式会社トヨタ'],
    [' a\u0000\n b ', 'a b'],
    ['🦄…', ''],
  ])('turns %j into %j', (text, folded) => {
    expect(normalizeText(text)).toBe(folded);
  });

  it('keeps similar but different letters apart', () => {
    expect(normalizeText('か')).not.toBe(normalizeText('が'));
    expect(normalizeText('ハ')).not.toBe(normalizeText('バ'));
    expect(normalizeText('ア')).not.toBe(normalizeText('あ'));
  });

  it('is idempotent for any text', () => {
    fc.assert(fc.property(anyText, (text) => normalizeText(normalizeText(text)) === normalizeText(text)));
  });

  it('separates letters, digits and marks by one space', () => {
    fc.assert(
      fc.property(anyText, (text) => /^([\p{L}\p{N}\p{M}]+( [\p{L}\p{N}\p{M}]+)*)?$/u.test(normalizeText(text))),
    );
  });

  it('ignores case, width and composition', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const same = normalizeText(text);
        return (
          normalizeText(text.normalize('NFD')) === same &&
          normalizeText(text.normalize('NFKC')) === same &&
          normalizeText(` ${text}\t`) === same
        );
      }),
    );
  });
});

describe('The forms of Han characters', () => {
  const pairs = variants.pairs.flatMap((line) => line.match(/../gu) ?? []).map((pair) => Array.from(pair));

  it('map to one form each, which maps to itself', () => {
    const from = pairs.map(([one]) => one);
    expect(new Set(from).size).toBe(pairs.length);
    expect(pairs.filter(([, to]) => from.includes(to))).toEqual([]);
    expect(pairs.length).toBeGreaterThan(3_000);
  });

  it.each([
    '价價価',
    '经經経',
    '济濟済',
    '银銀',
    '税稅',
    '汇匯',
    '圆円圓',
    '国國国',
    '气氣気',
    '产產産',
    '对對対',
    '图圖図',
  ])('are equal: %s', (forms) => {
    expect(new Set(Array.from(forms).map(normalizeText)).size).toBe(1);
  });
});

describe('Index words', () => {
  it.each([
    ['GDP growth (annual %)', ['gdp', 'growth', 'annual']],
    ['CPI通胀率', ['cpi', '通胀', '胀率']],
    ['中国', ['中国']],
    ['金（月平均）', ['金', '月平', '平均']],
    ['日本の物価と金利', ['日本', '物价', '金利']],
    ['一人当たり', ['一人', '人当', '当た', 'たり']],
    ['アメリカ', ['アメ', 'メリ', 'リカ']],
    ['10年国債', ['10y', '国债']],
    ['十年期国债', ['10y', '国债']],
    ['三カ月', ['3m']],
    ['ten-year Treasury', ['10y', 'treasury']],
    ['10-year yield, 3か月', ['10y', 'yield', '3m']],
    ['6月10日, 2025年', ['6', '月', '10', '日', '2025', '年']],
    ['J. P. Morgan, S&P', ['jp', 'morgan', 'sp']],
    ['Apple公司', ['apple', '公司']],
    ['gdp GDP ＧＤＰ', ['gdp']],
    ['', []],
  ])('split %j', (text, cut) => {
    expect(words(text)).toEqual(cut);
  });

  it('contain no space, quotation mark, operator or backslash, and no duplicates', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cut = words(text);
        return new Set(cut).size === cut.length && cut.every((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word));
      }),
    );
  });

  it('of a text include those of its parts', () => {
    const run = fc.string({
      unit: fc.constantFrom(...Array.from('国内生产总值物价日本')),
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(run, run, (one, other) => {
        const whole = words(`${one}${other}`);
        return words(one).every((word) => !isCjk(word) || whole.includes(word));
      }),
    );
  });

  it('have two characters, except a single one by itself', () => {
    expect(bigrams('国')).toEqual(['国']);
    expect(bigrams('𠮷野家')).toEqual(['𠮷野', '野家']);
  });
});
