import { contextText } from '../../src/publish/derive/context-texts.js';
import { contextOf, type FigureContext, type DatedValue } from '../../src/publish/derive/context.rule.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import { LOCALES } from '../../src/domain/locale/locale.js';

const yearly = (first: number, values: readonly number[]): DatedValue[] =>
  values.map((value, at) => ({ period: String(first + at), value: String(value) }));

const RATE = { unit: 'percent', wording: { verb: 'rise', sides: null } } as const;
const AMOUNT = { unit: 'usd', wording: { verb: 'increase', sides: null } } as const;

describe('The context of a released figure', () => {
  it('is that nothing in the data was as high, or as low', () => {
    const context = { kind: 'record', of: 'level', side: 'high', since: '2015', value: '4' };
    expect(contextOf(yearly(2015, [3, 2, 4, 3, 2, 1, 5]), RATE)).toEqual(context);
    const low = { ...context, side: 'low', value: '2' };
    expect(contextOf(yearly(2015, [3, 2, 4, 3, 2, 4, 1]), RATE)).toEqual(low);
  });

  it('is the newest figure as high, from five years on', () => {
    const since = { kind: 'since', of: 'level', side: 'high', since: '2016', value: '5' };
    expect(contextOf(yearly(2015, [3, 5, 4, 3, 2, 3, 5]), RATE)).toEqual(since);
    expect(contextOf(yearly(2015, [3, 5, 4, 6, 2, 1.5, 4]), RATE)).toBeNull();
  });

  it('says no record of a trend, nor of data that begin less than five years before', () => {
    expect(contextOf(yearly(2015, [1, 2, 3, 4, 4, 5, 6]), RATE)).toBeNull();
    expect(contextOf(yearly(2020, [1, 3, 2, 4]), RATE)).toBeNull();
  });

  it('reaches across no missing period', () => {
    const values = yearly(2012, [9, 9, 3, 2, 4, 3, 2, 1, 5]);
    expect(contextOf(values, RATE)).toMatchObject({ kind: 'since', since: '2013' });
    // Nothing after the gap was as high, but the data begin before it.
    expect(contextOf([...values.slice(0, 2), ...values.slice(3)], RATE)).toBeNull();
  });

  it('is a run of steps in one direction, unless it is so long that it is a trend', () => {
    expect(contextOf(yearly(2018, [3, 4, 5, 6, 7]), RATE)).toMatchObject({ kind: 'streak', since: '2018', value: '4' });
    const trend = Array.from({ length: 30 }, (_, at) => at);
    expect(contextOf(yearly(1990, trend), RATE)).toMatchObject({ kind: 'mean', since: '2009', value: '23.5' });
  });

  it('compares steps of an amount in percent, in their direction only', () => {
    const values = yearly(2015, [100, 110, 90, 99, 100, 101, 60]);
    expect(contextOf(values, AMOUNT)).toMatchObject({
      kind: 'record',
      of: 'step',
      since: '2016',
      value: '18.1818181818',
    });
  });

  it('compares the step of an amount with the mean of ten years, and names a run of falls only', () => {
    const rising = [100, 110, 121, 133.1, 140, 154, 165, 180, 198, 210, 225, 240];
    expect(contextOf(yearly(2013, rising), AMOUNT)).toMatchObject({ kind: 'mean', of: 'step', since: '2014' });
    const falling = [100, 70, 80, 78, 76.5, 75.5, 75];
    expect(contextOf(yearly(2018, falling), AMOUNT)).toMatchObject({ kind: 'streak', since: '2020' });
  });

  it('is no mean near which the figure lies as it usually does', () => {
    const years = [4, 2, 4, 2, 4, 2, 4, 2, 4, 2];
    expect(contextOf(yearly(2015, [...years, 3.3]), RATE)).toMatchObject({ kind: 'mean', value: '3' });
    expect(contextOf(yearly(2015, [...years, 3.1]), RATE)).toBeNull();
  });

  it('compares a deficit with deficits', () => {
    const balance = { unit: 'usd', wording: { verb: 'widen', sides: null } } as const;
    const values = yearly(2015, [-9, 4, -3, 2, -1, 5, -4]);
    expect(contextOf(values, balance)).toMatchObject({ kind: 'since', of: 'amount', side: 'high', since: '2015' });
    expect(contextOf(yearly(2015, [3, -4, -3, -5, -4, -3, -1]), balance)).toBeNull();
  });

  it('compares a monthly index by its change on the year', () => {
    const months = Array.from({ length: 90 }, (_, at) => {
      const period = `${2015 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      return { period, value: String(100 + 0.1 * at + (at === 89 ? 9 : 0)) };
    });
    const index = { unit: 'index_1982_84_100', wording: RATE.wording } as const;
    expect(contextOf(months, index)).toMatchObject({ kind: 'record', of: 'year', side: 'high', since: '2016-01' });
    const before = (at: number): string => String(Number(months[at]?.value) + 9);
    const since = (at: number) =>
      contextOf(months.with(at, { period: months[at]?.period ?? '', value: before(at) }), index);
    // The rate of 13 months before was higher; one of eleven months before is too near.
    expect(since(76)).toMatchObject({ kind: 'since', of: 'year', since: '2021-05' });
    expect(since(78)).toBeNull();
    expect(contextOf(months.toSpliced(80, 1), index)).toMatchObject({ kind: 'record' });
    expect(contextOf(months.toSpliced(80, 2), index)).toBeNull();
  });
});

const NO_CONTEXT = { kind: 'mean', of: null, side: null, since: '2009', value: '0' } as const;

describe('The sentence of a context', () => {
  const figure = { unit: 'percent', currency: null, period: '2025' } as const;
  const words = { noun: 'N', past: 'P', currency: 'C' };
  const say = (context: Partial<FigureContext>): string[] =>
    LOCALES.map((locale) => contextText(locale, { ...NO_CONTEXT, ...context }, figure, words));

  it('has the same facts in each language', () => {
    expect(say({ kind: 'since', of: 'level', side: 'low', since: '2009' })).toEqual([
      ' It was the lowest since 2009.',
      '这是2009年以来的最低水平。',
      '2009年以来の低水準だった。',
    ]);
    expect(say({ kind: 'record', of: 'level', side: 'high', since: '1990' })).toEqual([
      ' It was the highest to that date in our data, which begin in 1990.',
      '创1990年有收录数据以来的新高。',
      '収録データが始まる1990年以降で最も高い水準だった。',
    ]);
    expect(say({ kind: 'streak', value: '4' })).toEqual([
      ' That makes four years of Ns in a row.',
      '至此已连续4年P。',
      'これで4年連続のNとなった。',
    ]);
    expect(say({ kind: 'mean', value: '2.345' })).toEqual([
      ' The average of the ten years before was 2.3%.',
      '此前十年的平均值为2.3%。',
      '直前10年間の平均は2.3%だった。',
    ]);
  });

  it('says of a record of dollars that it is one, and of a share of GDP that it is high or low', () => {
    const context = { ...NO_CONTEXT, kind: 'since', of: 'amount', side: 'low', since: '2010' } as const;
    const of = (unit: 'usd' | 'percent_of_gdp', currency: string): string[] =>
      LOCALES.map((locale) => contextText(locale, context, { unit, currency, period: '2025' }, words));
    expect(of('usd', 'JPY')).toEqual([
      ' It was the smallest in US dollars since 2010.',
      '按美元计，规模为2010年以来最小。',
      'ドル建てでは2010年以来の小ささだった。',
    ]);
    expect(of('usd', 'USD')[0]).toBe(' It was the smallest since 2010.');
    expect(of('percent_of_gdp', 'EUR')).toEqual([
      ' It was the lowest since 2010.',
      '这是2010年以来的最低水平。',
      '2010年以来の低水準だった。',
    ]);
  });

  it('names the sign of an average beside figures of which one is below zero', () => {
    const turn = indicators.find(({ slug }) => slug === 'gdp-deflator-inflation')?.wording.sides?.turn ?? null;
    const average = (value: string): string[] =>
      LOCALES.map((locale) => contextText(locale, { ...NO_CONTEXT, value }, { ...figure, turn }, words));
    expect(average('1.62')).toEqual([
      ' The average of the ten years before was a rise of 1.62%.',
      '此前十年平均上涨1.62%。',
      '直前10年間の平均は1.62%の上昇だった。',
    ]);
    expect(average('-0.42')[0]).toBe(' The average of the ten years before was a fall of 0.42%.');
  });

  it('is of the decline where growth below zero is the lowest', () => {
    const turn = indicators.find(({ slug }) => slug === 'population-growth')?.wording.sides?.turn ?? null;
    const context = { ...NO_CONTEXT, kind: 'since', of: 'level', side: 'low', since: '2011' } as const;
    const of = (actual: string): string[] =>
      LOCALES.map((locale) => contextText(locale, context, { ...figure, turn, actual }, words));
    expect(of('-0.03')).toEqual([
      ' The decline was the largest since 2011.',
      '降幅为2011年以来最大。',
      'マイナス幅は2011年以来の大きさだった。',
    ]);
    expect(of('0.03')[0]).toBe(' It was the lowest since 2011.');
  });
});
