import { chained } from '../../src/domain/calculation/chained.js';
import { Fraction } from '../../src/domain/calculation/fraction.js';
import { aggregated, sequenceOf, termText, transformed } from '../../src/domain/calculation/sequence.js';
import {
  combinedMeasure,
  measureOf,
  measureText,
  measureUnit,
  pairMeasure,
} from '../../src/domain/calculation/measures.js';
import { statisticsOf } from '../../src/domain/calculation/span-statistics.js';

const figures = (values: Readonly<Record<string, string | null>>) =>
  sequenceOf(
    Object.entries(values).map(([period, value]) => ({
      period,
      value: value ?? '0',
      knownSince: '2026-01-01',
      withdrawn: value === null,
    })),
  );
const shown = (terms: ReturnType<typeof figures>) => terms.map((term) => termText(term) ?? term.missing);

describe('Fractions', () => {
  it('round once: a third three times is one', () => {
    const third = Fraction.of('1').over(Fraction.of('3'));
    expect(Fraction.sum([third, third, third]).toText()).toBe('1');
    expect(third.times(Fraction.of('-3')).toText()).toBe('-1');
    expect(Fraction.of('2').over(Fraction.of('-3')).toText()).toBe('-0.666666666667');
  });

  it('are not divided by zero', () => {
    expect(() => Fraction.of('1').over(Fraction.of('0.0'))).toThrow(RangeError);
  });
});

describe('Sequences', () => {
  it('compare with nothing across a missing or withdrawn period', () => {
    const terms = figures({ '2020': '1.50', '2022': '3', '2023': null, '2024': '6', '2025': '9' });
    expect(shown(terms)).toEqual(['1.50', 'not_published', '3', 'withdrawn_by_source', '6', '9']);
    expect(shown(transformed(terms, 'pop', { isRate: false }))).toEqual([
      'not_defined',
      'not_published',
      'not_defined',
      'withdrawn_by_source',
      'not_defined',
      '50',
    ]);
  });

  it('have no percentage of what is not above zero', () => {
    const terms = figures({ '2020': '-1', '2021': '2' });
    expect(shown(transformed(terms, 'yoy', { isRate: false }))).toEqual(['not_defined', 'not_defined']);
    expect(shown(transformed(terms, 'yoy', { isRate: true }))).toEqual(['not_defined', '3']);
  });

  it('chain growth rates from the base, and not across a missing one', () => {
    const rates = figures({ '2019': '9', '2021': '5', '2022': '10', '2023': '-50', '2024': null, '2025': '1' });
    const level = ['not_defined', 'not_published', '100', '110', '55', 'withdrawn_by_source'];
    expect(shown(chained(rates, '2022'))).toEqual([...level, 'withdrawn_by_source']);
    expect(shown(chained(rates, '2025')).slice(-2)).toEqual(['withdrawn_by_source', '100']);
    expect(shown(chained(rates, undefined)).slice(0, 3)).toEqual(['100', '109', 'not_published']);
  });

  it('compare 29 February with the last price up to 28 February', () => {
    const terms = figures({ '2023-02-27': '100', '2024-02-29': '110' });
    expect(transformed(terms, 'yoy', { isRate: false }).at(-1)).toMatchObject({ base: '2023-02-27' });
  });

  it('mark a year that lacks a month', () => {
    const months = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`2024-${String(at + 1).padStart(2, '0')}`, String(at)]),
    );
    const whole = aggregated(figures({ ...months, '2025-01': '1' }), 'A', 'mean');
    expect(whole.map(({ period, complete }) => [period, complete])).toEqual([
      ['2024', true],
      ['2025', false],
    ]);
    expect(shown(whole)).toEqual(['5.5', '1']);
    const gap = figures({ ...months, '2024-05': null });
    expect(aggregated(gap, 'A', 'high')).toMatchObject([{ complete: false, printed: '11' }]);
    // The last figure of a year is that of its end, whatever lacks before.
    expect(aggregated(gap, 'A', 'last')).toMatchObject([{ complete: true, printed: '11' }]);
    expect(aggregated(gap.slice(0, -1), 'A', 'last')).toMatchObject([{ complete: false, printed: '10' }]);
  });
});

describe('Statistics of a span', () => {
  it('count days on each side of a level, runs and crossings; a figure on the level is on neither side', () => {
    const prices = ['1', '2', '3', '2', '1', '3', '3'];
    const days = prices.map((price, at) => [`2026-01-${String(at + 1).padStart(2, '0')}`, price] as const);
    const valueOn = (period: string, printed: string) => expect.objectContaining({ period, printed }) as object;
    expect(statisticsOf(figures(Object.fromEntries(days)), '2')?.level).toEqual({
      above: 3,
      equal: 2,
      below: 2,
      longestAbove: { figures: 2, first: '2026-01-06', last: '2026-01-07' },
      longestBelow: { figures: 1, first: '2026-01-01', last: '2026-01-01' },
      lastRun: { side: 'above', figures: 2, first: '2026-01-06', last: '2026-01-07' },
      crossings: [
        { term: valueOn('2026-01-03', '3'), direction: 'up' },
        { term: valueOn('2026-01-05', '1'), direction: 'down' },
        { term: valueOn('2026-01-06', '3'), direction: 'up' },
      ],
      lastAbove: valueOn('2026-01-07', '3'),
      lastBelow: valueOn('2026-01-05', '1'),
    });
  });

  it('end runs, crossings and steps at a missing period', () => {
    const terms = figures({ '2020': '1', '2021': null, '2022': '9' });
    expect(statisticsOf(terms, '5')).toMatchObject({
      figures: 2,
      missing: 1,
      largestRise: null,
      change: { from: { period: '2020' } },
      level: { crossings: [] },
    });
    expect(statisticsOf(terms, '5')?.change?.change.toText()).toBe('8');
    expect(statisticsOf(figures({ '2020': '1' }), undefined)?.change).toBeNull();
  });
});

describe('The price of a currency', () => {
  it.each([
    ['en', '19.7 yen per yuan'],
    ['zh', '1元人民币兑19.7日元'],
    ['ja', '1人民元＝19.7円'],
  ] as const)('is that of one unit, an amount where the language has no plural: %s', (locale, text) => {
    expect(measureText(locale, pairMeasure('CNY', 'JPY'), '19.7')).toBe(text);
  });
});

describe('The difference of two rates', () => {
  it('is a number of the second currency, not what a unit of the first costs', () => {
    const pair = pairMeasure('GBP', 'CHF');
    const difference = combinedMeasure(pair, 'minus', pair);
    expect(measureText('zh', pair, '1.0264')).toMatch(/^1英镑兑1\.0264/);
    expect(difference && measureText('zh', difference, '-0.0264')).toBe('−0.0264');
  });
});

describe('A price over an exchange rate', () => {
  it.each([
    ['en', 'Euros per barrel'],
    ['zh', '欧元/桶'],
    ['ja', 'ユーロ／バレル'],
  ] as const)('is counted in the other currency: %s', (locale, label) => {
    const [brent, dollars] = [measureOf('usd_per_barrel', 'USD'), measureOf('currency_per_eur', 'USD')];
    const inEuros = combinedMeasure(brent, 'per', dollars);
    expect(inEuros && measureUnit(inEuros, locale)).toMatchObject({ currency: 'EUR', per: 'barrel', label });
  });
});
