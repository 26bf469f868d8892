import { COMPUTED_MISSING } from '../../src/domain/calculation/sequence.js';
import { MISSING_REASONS } from '../../src/domain/figures/figure.schema.js';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { messageCalls } from './message-calls.js';
import { messageFiles, readMessages } from './messages.js';

const KANA = /[ぁ-ヿ]/;
const HAN = /[一-鿿]/;
/** Traditional and Japanese forms of characters that Simplified Chinese writes differently. */
const NOT_SIMPLIFIED = /[貿際經濟済國價価產産額險険務現實実權権總総勞労働縣県廣広圖図發発賣売氣気増観変対応確認録]/;

/** English needs a preposition before a period, so its `when` corresponds to `period` in the other languages. */
const placeholders = (text: string): string[] => {
  const named = text
    .replaceAll('{when}', '{period}')
    .replaceAll('{previousWhen}', '{previousPeriod}')
    .replaceAll('{nextWhen}', '{nextPeriod}')
    // In a headline that ends in a noun, the noun replaces the verb.
    .replaceAll('{noun}', '{past}');
  return [...new Set(named.match(/\{\w+\}/g) ?? [])].sort();
};

/**
 * Facts that a sentence states apart from its placeholders, with the words that express them: a message states the same
 * ones in each language.
 */
const FACTS: Readonly<Record<string, Readonly<Record<Locale, RegExp>>>> = {
  half: { en: /(?:less|more) than half|at least half|half of that/i, zh: /一半/, ja: /半分/ },
  due: { en: /\bdue on\b/, zh: /定于|将于/, ja: /予定/ },
  'local time': { en: /local time/, zh: /当地时间/, ja: /現地時間/ },
  'in force': { en: /effective|with effect|takes effect/, zh: /生效/, ja: /適用|発効/ },
  retrieved: { en: /(?:as|copies) retrieved on|^Retrieved on/, zh: /获取/, ja: /取得/ },
  updated: { en: /as updated on/, zh: /更新。?$/, ja: /更新。?$/ },
  released: { en: /released on/, zh: /发布。$/, ja: /公表。$/ },
  revised: { en: /revis|restated for/i, zh: /修订|上修|下修/, ja: /改定/ },
  withdrawn: { en: /withdrawn/, zh: /撤回/, ja: /取り下げ/ },
  'not published': { en: /No figure has been published/, zh: /未曾公布/, ja: /公表されていない/ },
  largest: { en: /largest/, zh: /最大/, ja: /最大|大きさ/ },
  'held here': { en: /held here|in our data/, zh: /收录/, ja: /収録/ },
  median: { en: /median/, zh: /中位数/, ja: /中央値/ },
  'in a row': { en: /in a row/, zh: /连续/, ja: /連続/ },
  direct: { en: /directly/, zh: /直接/, ja: /直接/ },
  'another base': { en: /base period/, zh: /基期/, ja: /基準時/ },
  'one factor': { en: /same factor/, zh: /同一比例/, ja: /同じ比率/ },
  'at the same time': {
    en: /same data update|one data update/,
    zh: /同一次更新|[此本]次(?:数据)?更新/,
    ja: /同じ更新|今回の/,
  },
  above: { en: /, above\b/, zh: /高于|升破/, ja: /を上回る/ },
  below: { en: /, below\b/, zh: /低于|跌破/, ja: /を下回る/ },
  'one day': { en: /one day/, zh: /请在一天内/, ja: /1日以内/ },
  'an hour': { en: /an hour/, zh: /一小时|1小时/, ja: /1時間/ },
  ignore: { en: /ignore/, zh: /忽略|无需理会|不必理会/, ja: /破棄/ },
  'a test': { en: /\btest\b/i, zh: /测试/, ja: /テスト/ },
};
/** Messages on the day on which this service stored or retrieved something: their verb is never the publisher's. */
const NOT_RELEASED = [
  'figure.known_since',
  'figure.known_on',
  'figure.known_until',
  'dated.retrieved',
  'figure.vintage_chart',
  'figure.known_chart',
  'calendar_page.empty',
  'company.none.no_register',
];
const RELEASED: Readonly<Record<Locale, RegExp>> = {
  en: /released|published|newest data|scheduled/i,
  zh: /公布|公表|发布于|已发布|最新数据/,
  ja: /公表|発表|公布/,
};

/** Messages of changes, signals, calendar events and briefs, and those that are sent. */
const NEWS = [
  'ahead',
  'alerts',
  'briefs',
  'changes',
  'decisions',
  'mail',
  'moves',
  'notifications',
  'signals',
  'sources',
  'structures',
];

/** All messages of a language by their keys; a message with plural forms also by its key without the form. */
const texts = (locale: Locale): ReadonlyMap<string, string> =>
  new Map(
    messageFiles(locale).flatMap((file) =>
      Object.entries(readMessages(locale, file)).flatMap(([key, text]) => [
        [`${file}.${key}`, text] as const,
        [`${file}.${key.replace(/\.other$/, '')}`, text] as const,
      ]),
    ),
  );

describe('The messages', () => {
  it('have the same files in every language', () => {
    for (const locale of LOCALES) expect(messageFiles(locale)).toEqual(messageFiles('en'));
  });

  it('receive from each call that names its arguments exactly the arguments that they contain', () => {
    const calls = messageCalls();
    expect(calls.length).toBeGreaterThan(20);
    const textsOf = (key: string) =>
      LOCALES.map((locale) => texts(locale).get(key) ?? texts(locale).get(`mcp.${key}`) ?? 'nowhere: {key}');
    for (const { place, key, args } of calls) {
      const filled = textsOf(key).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect({ place, key, args: [...args].sort() }).toEqual({ place, key, args: [...new Set(filled)].sort() });
    }
  });

  it.each(LOCALES)('word no day of storage or retrieval as one of publication in %s', (locale) => {
    const messages = readMessages(locale, 'site');
    for (const key of NOT_RELEASED) {
      const text = messages[key] ?? `no message ${key}`;
      expect({ key, text, verb: RELEASED[locale].exec(text)?.[0] }).toEqual({ key, text, verb: undefined });
    }
  });

  it('word each reason for which there is no figure', () => {
    expect(Object.keys(readMessages('en', 'mcp'))).toEqual(
      expect.arrayContaining(COMPUTED_MISSING.map((reason) => `missing.${reason}`)),
    );
    expect(Object.keys(readMessages('en', 'site'))).toEqual(
      expect.arrayContaining(MISSING_REASONS.map((reason) => `missing.${reason}`)),
    );
  });

  it('contain no braces except those of placeholders', () => {
    for (const locale of LOCALES) {
      for (const file of messageFiles(locale)) {
        for (const [key, text] of Object.entries(readMessages(locale, file))) {
          const rest = /[{}]/.exec(text.replaceAll(/\{\w+\}/g, ''));
          expect({ locale, key, rest }).toEqual({ locale, key, rest: null });
        }
      }
    }
  });

  describe.each(messageFiles('en'))('of %s', (file) => {
    const english = readMessages('en', file);
    const others = (['zh', 'ja'] as const).map((locale) => [locale, readMessages(locale, file)] as const);

    it.each(others)('have the keys of the English messages in %s', (_, messages) => {
      expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
    });

    it.each(others)('contain the placeholders of the English messages in %s', (_, messages) => {
      const differing = Object.keys(english).filter(
        (key) => placeholders(messages[key] ?? '').join() !== placeholders(english[key] ?? '').join(),
      );
      expect(differing).toEqual([]);
    });

    it('have no blank at their end, and are in their own language', () => {
      for (const locale of LOCALES) {
        for (const [key, text] of Object.entries(readMessages(locale, file))) {
          expect({ locale, key, trimmed: text === text.trimEnd() }).toEqual({ locale, key, trimmed: true });
          if (locale === 'en') expect({ key, foreign: HAN.exec(text) }).toEqual({ key, foreign: null });
          if (locale === 'zh') {
            expect({ key, foreign: KANA.exec(text) }).toEqual({ key, foreign: null });
            expect({ key, foreign: NOT_SIMPLIFIED.exec(text) }).toEqual({ key, foreign: null });
          }
        }
      }
    });

    it('are Japanese sentences, not copies of the Chinese', () => {
      const japanese = readMessages('ja', file);
      const chinese = readMessages('zh', file);
      const worded = Object.keys(chinese).filter((key) => HAN.test(chinese[key]?.replace(/\{\w+\}/g, '') ?? ''));
      const copied = worded.filter((key) => (chinese[key]?.length ?? 0) > 12 && chinese[key] === japanese[key]);
      expect(copied).toEqual([]);
    });
  });

  describe.each(NEWS)('of %s', (file) => {
    const english = readMessages('en', file);
    const factsIn = (locale: Locale, text = ''): string[] =>
      Object.keys(FACTS).filter((fact) => FACTS[fact]?.[locale].test(text));

    it.each(['zh', 'ja'] as const)('carry the facts of English in %s', (locale) => {
      const messages = readMessages(locale, file);
      for (const [key, text] of Object.entries(english)) {
        const facts = factsIn(locale, messages[key]);
        expect({ key, facts }).toEqual({ key, facts: factsIn('en', text) });
      }
    });
  });

  it.each(Object.keys(FACTS))('carry the fact "%s" somewhere', (fact) => {
    const told = NEWS.flatMap((file) => Object.values(readMessages('en', file)));
    expect(told.some((text) => FACTS[fact]?.en.test(text))).toBe(true);
  });
});
