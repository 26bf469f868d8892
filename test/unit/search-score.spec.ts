import fc from 'fast-check';
import { nameKey } from '../../src/domain/search/names.js';
import { oneEdit } from '../../src/serve/resources/search/forms.rows.js';
import { inOrder, readPosition, writePosition } from '../../src/serve/resources/search/search-position.rule.js';
import { searchTermsOf } from '../../src/serve/resources/search/search-terms.rule.js';
import { scoreOf } from '../../src/serve/resources/search/score.rule.js';
import { OF_GDP } from '../../src/serve/resources/search/stop-words.rule.js';
import { queryOfAll, queryOfAny } from '../../src/serve/resources/search/word-query.rule.js';

const formsOf = (q: string) =>
  new Map(
    searchTermsOf(q)
      .terms.filter(({ script }) => script === 'latin')
      .map(({ text }) => [text, new Map([[text, 1]])]),
  );
const score = (q: string, names: string[], rank = 0, whole = false) =>
  scoreOf(searchTermsOf(q), formsOf(q), {
    names,
    rank,
    whole,
    named: names.map(nameKey).includes(nameKey(q)) ? 'whole' : null,
  });

describe('The score', () => {
  it('is 900 of 1000 for the name itself; the rank adds the rest', () => {
    expect(score('GDP', ['gdp'])).toBe(900);
    expect(score('GDP', ['gdp'], 100)).toBe(1000);
    expect(score('日本', ['日本'])).toBe(900);
  });

  it('puts a listed company that a name begins with between the named ones and those that contain the words', () => {
    const of = (named: 'whole' | 'loose' | 'leading' | null, rank: number) =>
      scoreOf(searchTermsOf('cisco'), formsOf('cisco'), { names: ['cisco cel plc'], rank, whole: true, named });
    expect(of('whole', 50)).toBe(950);
    expect(of('loose', 50)).toBe(928);
    expect(of('leading', 50)).toBe(860);
    // A stranger that consolidates a thousand entities.
    expect(of(null, 80)).toBeLessThan(860);
  });

  it('falls with other words in the name, and more with missing words of the query', () => {
    const exact = score('gdp growth', ['gdp growth']) ?? 0;
    const longer = score('gdp growth', ['gdp growth annual']) ?? 0;
    const half = score('gdp growth', ['gdp']) ?? 0;
    expect(exact).toBeGreaterThan(longer);
    expect(longer).toBeGreaterThan(half);
    expect(half).toBeGreaterThan(0);
  });

  it('counts a run by its covered characters', () => {
    expect(score('中国通胀', ['中国'])).toBeGreaterThan(0);
    expect(score('中国工商银行', ['中国'])).toBeNull();
  });

  it('is null without a match, and half if the words are in the description', () => {
    expect(score('gdp', ['population'])).toBeNull();
    expect(score('gdp', ['population'], 10, true)).toBe(405);
  });

  it('stays within 0 and 1000', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab 国内生')), maxLength: 20 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), fc.integer({ min: 0, max: 100 }), (q, names, rank) => {
        fc.pre(searchTermsOf(q).terms.length > 0);
        const given = score(q, names, rank);
        return given === null || (Number.isInteger(given) && given >= 0 && given <= 1000);
      }),
    );
  });
});

describe('One edit', () => {
  it.each([
    ['japn', 'japan'],
    ['japaan', 'japan'],
    ['jaban', 'japan'],
    ['jpaan', 'japan'],
    ['apan', 'japan'],
    ['japna', 'japan'],
  ])('turns %s into %s', (wrong, right) => {
    expect(oneEdit(wrong, right)).toBe(true);
    expect(oneEdit(right, wrong)).toBe(true);
  });

  it.each([
    ['japan', 'japan'],
    ['jpn', 'japan'],
    ['naapj', 'japan'],
    ['jabin', 'japan'],
  ])('does not turn %s into %s', (one, other) => {
    expect(oneEdit(one, other)).toBe(false);
  });
});

describe('A query of words', () => {
  const itself = (word: string) => [word];

  it('requires each character of a run in a bigram', () => {
    expect(queryOfAll(searchTermsOf('中国物価').terms, itself)).toBe(
      "('~:中国') & ('~:物价') & ('~:中国' | '~:国物') & ('~:国物' | '~:物价')",
    );
    expect(queryOfAll(searchTermsOf('物価').terms, itself)).toBe("('~:物价')");
    expect(queryOfAll(searchTermsOf('金').terms, itself)).toBe("('~:金')");
  });

  it('is null if a word has no match, except for any of the words', () => {
    const only = (word: string) => (word === 'gdp' ? ['gdp'] : []);
    expect(queryOfAll(searchTermsOf('gdp xyz').terms, only)).toBeNull();
    expect(queryOfAny(searchTermsOf('gdp xyz').terms, only)).toBe("('~:gdp')");
    expect(queryOfAny(searchTermsOf('xyz').terms, only)).toBeNull();
    expect(queryOfAll(searchTermsOf('🦄').terms, itself)).toBeNull();
  });
});

describe('A position in a search', () => {
  it('is read as it was written', () => {
    const place = { asOf: 1234, score: 987, type: 'company', id: 'a-b_C' };
    expect(readPosition(writePosition(place))).toEqual(place);
  });

  it('sorts higher scores first, then type and id', () => {
    const at = (score: number, type: string, id: string) => ({ score, type, id });
    const order = [at(9, 'b', 'b'), at(8, 'a', 'z'), at(8, 'b', 'a'), at(8, 'b', 'b')];
    expect([...order].reverse().sort(inOrder)).toEqual(order);
  });
});

describe('The GDP that a ratio is of', () => {
  it.each([
    ['tax to GDP', 'tax'],
    ['tax/GDP ratio', 'tax'],
    ['exports as a share of GDP, Japan', 'exports as a , Japan'],
    ['budget deficit % of gdp france', 'budget deficit  france'],
    ['政府债务占GDP的比重', '政府债务'],
    ['政府債務の対GDP比率', '政府債務の'],
  ])('is not GDP itself: %s', (q, rest) => expect(q.replace(OF_GDP, '').trim()).toBe(rest));

  it.each(['GDP of Japan', 'growth of GDP', 'contribution to GDP growth', 'GDP per capita', '日本GDP'])(
    'stays where there is no ratio: %s',
    (q) => expect(q.replace(OF_GDP, '')).toBe(q),
  );
});
