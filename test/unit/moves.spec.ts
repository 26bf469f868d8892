import {
  deriveMove,
  FACTOR,
  FEWEST,
  importanceOfMove,
  isOfAnchor,
  priceOf,
  WINDOW,
  type Move,
  type Price,
} from '../../src/publish/derive/moves/moves.rule.js';
import { moveContextOf } from '../../src/publish/derive/moves/move-context.rule.js';
import { moveTexts } from '../../src/publish/derive/moves/move-texts.js';

const START = Date.parse('2024-01-01');
const dayAfter = (days: number): string => new Date(START + days * 86_400_000).toISOString().slice(0, 10);

/** Prices of consecutive days. */
const prices = (...values: readonly string[]): Price[] =>
  values.map((value, index) => priceOf(dayAfter(index), value, dayAfter(index)));

/** `count` steps of about one percent, alternately up and down, ending at 100. */
const calm = (count: number): string[] =>
  Array.from({ length: count + 1 }, (_, index) => ((count - index) % 2 === 0 ? '100.00' : '101.00'));

const last = (series: readonly Price[], kind: 'rate' | 'price' = 'price') =>
  deriveMove(series, series.length - 1, kind, 'D');

describe('The rule of moves', () => {
  it('finds a step of five times the ordinary one, and no smaller one', () => {
    // One percent of a hundred up, and 1/101 down: the median lies between.
    const ordinary = (1 + 100 / 101) / 2;
    const [below, above] = [(ordinary * FACTOR - 0.01).toFixed(2), (ordinary * FACTOR + 0.01).toFixed(2)];
    expect(last(prices(...calm(100), String(100 + Number(below))))).toBeNull();
    const move = last(prices(...calm(100), String(100 + Number(above))));
    expect(move).toMatchObject({ measure: 'share', count: 100, previous: { value: '100.00' } });
    expect(move?.ordinary).toBeCloseTo(ordinary, 6);
    expect(move?.ratio).toBeGreaterThanOrEqual(FACTOR);
  });

  it('needs a step beyond the recent ones too: the tenth wild day is no longer unusual', () => {
    const wild = ['106.00', '100.00', '106.00', '100.00', '106.00', '100.00', '106.00', '100.00', '106.00'];
    const moves = wild.map((_, index) => last(prices(...calm(100), ...wild.slice(0, index + 1))));
    expect(moves[0]).not.toBeNull();
    expect(moves.at(-1)).toBeNull();
    expect(last(prices(...calm(100), ...wild, '85.00'))).not.toBeNull();
  });

  it('measures falls like rises', () => {
    expect(last(prices(...calm(100), '94.00'))?.step).toBeCloseTo(-6, 9);
  });

  it(`needs ${FEWEST} steps before it`, () => {
    expect(last(prices(...calm(FEWEST - 1), '120.00'))).toBeNull();
    expect(last(prices(...calm(FEWEST), '120.00'))).not.toBeNull();
  });

  it(`uses ${WINDOW} earlier steps and no more`, () => {
    const wild = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? '100.00' : '150.00'));
    const move = last(prices(...wild, ...calm(WINDOW), '106.00'));
    expect(move).toMatchObject({ count: WINDOW });
  });

  it('ignores later prices', () => {
    const series = prices(...calm(100), '106.00');
    const longer = prices(...calm(100), '106.00', '10.00', '500.00');
    expect(deriveMove(longer, 101, 'price', 'D')).toEqual(last(series));
  });

  it('measures a rate in percentage points, with a minimum of a tenth', () => {
    const quiet = Array.from({ length: 101 }, (_, index) => (index % 2 === 0 ? '4.00' : '4.01'));
    expect(last(prices(...quiet, '4.09'), 'rate')).toBeNull();
    expect(last(prices(...quiet, '4.11'), 'rate')).toMatchObject({
      measure: 'rate',
      ordinary: expect.closeTo(0.01, 9) as number,
    });
  });

  it('measures a price by its difference if one is not above zero', () => {
    const move = last(prices(...calm(100), '-36.98'));
    expect(move).toMatchObject({ measure: 'amount', step: expect.closeTo(-136.98, 9) as number });
    const after = prices(...calm(100), '-36.98', '120.00');
    expect(last(after)).toMatchObject({ measure: 'amount', previous: { value: '-36.98' } });
  });

  it('uses the smallest printable step as the ordinary one if most steps are zero', () => {
    const pegged = Array.from({ length: 101 }, () => '1.9558');
    expect(last(prices(...pegged, '1.9600'))).toBeNull();
    const broken = last(prices(...pegged, '2.1000'));
    expect(broken).toMatchObject({ ordinary: 0 });
    expect(Number.isFinite(broken?.ratio)).toBe(true);
  });

  it('makes no move below half a percent, however quiet the price is', () => {
    const quiet = Array.from({ length: 101 }, (_, index) => (index % 2 === 0 ? '7.4600' : '7.4603'));
    expect(last(prices(...quiet, '7.4900'))).toBeNull();
  });

  it('counts no step across a long pause, neither as a move nor as an ordinary one', () => {
    const series = prices(...calm(100));
    const later = priceOf(dayAfter(100 + 11), '150.00', dayAfter(111));
    expect(deriveMove([...series, later], series.length, 'price', 'D')).toBeNull();
    const over = priceOf(dayAfter(100 + 10), '150.00', dayAfter(110));
    expect(deriveMove([...series, over], series.length, 'price', 'D')).not.toBeNull();
  });

  it('is no move of a pegged currency where the other one moved as far', () => {
    const rate = prices(...calm(100), '110.00');
    const move = last(rate);
    expect(move !== null && isOfAnchor(move, prices(...calm(100), '110.40'))).toBe(true);
    expect(move !== null && isOfAnchor(move, prices(...calm(100), '109.00'))).toBe(false);
    expect(move !== null && isOfAnchor(move, [])).toBe(false);
  });

  it('makes no move of a missing price', () => {
    expect(deriveMove(prices(...calm(100)), -1, 'price', 'D')).toBeNull();
    expect(deriveMove([], 0, 'price', 'D')).toBeNull();
  });
});

describe('The context of a move', () => {
  const contextOf = (values: readonly string[]) => {
    const series = prices(...values);
    const move = last(series);
    if (move === null) throw new Error('no move');
    return moveContextOf(move, series, 'D');
  };
  const shock = (days: number, before: readonly string[]) => contextOf([...before, ...calm(days), '106.00']);

  it('is the last step in its direction that was as large, if it is more than a year old', () => {
    const step = { of: 'step', side: 'high' };
    expect(shock(400, ['90.00', '100.00'])).toMatchObject({ kind: 'since', ...step, since: dayAfter(1) });
    expect(shock(5 * 365, ['110.00', '100.00'])).toMatchObject({ kind: 'record', ...step, since: dayAfter(0) });
    // The sentence says when the figures begin.
    expect(shock(2 * 365, ['110.00', '100.00'])).toMatchObject({ kind: 'record' });
    expect(shock(300, ['110.00', '100.00'])?.kind).not.toBe('record');
  });

  it('is the price, if none was as high or as low for more than a year', () => {
    const values = ['107.00', '90.00', ...calm(390), '90.00', ...calm(10), '106.00'];
    expect(contextOf(values)).toEqual({
      kind: 'since',
      of: 'level',
      side: 'high',
      since: dayAfter(0),
      value: '107.00',
    });
  });

  it('is an opposite step just before it, a run, the largest step of thirty, or the distance from the year’s low', () => {
    const early = ['50.00', '107.00', ...calm(10), '80.00', '107.00', ...calm(398)];
    const recent = [...early, '90.00', '107.00', ...calm(60)];
    expect(contextOf([...recent, '96.00', '102.00'])).toMatchObject({ kind: 'swing', side: 'low' });
    const run = ['100.10', '100.20', '100.30', '106.00'];
    expect(contextOf([...recent, '100.00', ...run])).toMatchObject({ kind: 'streak', value: '4' });
    expect(contextOf([...recent, '106.00'])).toMatchObject({ kind: 'since', of: 'step', since: dayAfter(415) });
    expect(contextOf([...early, '90.00', '107.00', ...calm(27), '106.00'])).toMatchObject({
      kind: 'distance',
      of: 'level',
      side: 'low',
      value: '90.00',
    });
  });

  it('is omitted if the figures reach back less than a year', () => {
    expect(shock(300, ['100.00'])).toBeNull();
  });
});

describe('The importance of a move', () => {
  it('grows with the distance from the threshold and with how much people watch the instrument', () => {
    expect(importanceOfMove({ ratio: FACTOR }, 30)).toBe(38);
    expect(importanceOfMove({ ratio: FACTOR }, 100)).toBe(55);
    expect(importanceOfMove({ ratio: 2 * FACTOR }, 100)).toBe(78);
    expect(importanceOfMove({ ratio: 1e9 }, 100)).toBe(100);
  });
});

describe('The texts of a move', () => {
  const publisher = { en: 'European Central Bank', zh: '欧洲中央银行', ja: '欧州中央銀行（ECB）' };
  const named = (en: string, zh: string, ja: string) => ({ en, zh, ja });
  const move = (measure: Move['measure'], from: string, to: string, traits: Partial<Move> = {}): Move => ({
    actual: priceOf('2025-04-03', to, '2025-04-03'),
    previous: priceOf('2025-04-02', from, '2025-04-02'),
    measure,
    step: measure === 'share' ? (100 * (Number(to) - Number(from))) / Number(from) : Number(to) - Number(from),
    ordinary: 0.2312,
    count: 250,
    ratio: 11,
    ...traits,
  });

  it('describe a currency pair as a newswire does', () => {
    const name = named('Euro/US dollar', '欧元兑美元', 'ユーロ／米ドル');
    const context = { kind: 'since', of: 'step', side: 'high', since: '2022-11-11', value: '3' } as const;
    const { headline, summary } = moveTexts({
      name,
      publisher,
      context,
      unit: 'currency_per_eur',
      currency: 'USD',
      move: move('share', '1.0803', '1.1097'),
    });
    expect(headline).toEqual({
      en: 'The euro rose 2.7% against the US dollar to 1.1097 on 3 April 2025',
      zh: '欧元兑美元参考汇率2025年4月3日上涨2.7%，报1欧元兑1.1097美元',
      ja: 'ユーロ、対ドルで2.7%上昇し1ユーロ＝1.1097ドルに（2025年4月3日）',
    });
    expect(summary).toEqual({
      en: 'The euro rose 2.7% against the US dollar on 3 April 2025, to 1.1097 from 1.0803 on 2 April. It was the largest one-day rise since 11 November 2022. The median daily move, up or down, over the previous 250 trading days was 0.23%. Source: European Central Bank, reference rates.',
      zh: '欧元兑美元参考汇率2025年4月3日较4月2日的1欧元兑1.0803美元上涨2.7%，报1.1097美元。当日涨幅为2022年11月11日以来最大。此前250个交易日单日变动幅度的中位数为0.23%。数据来源：欧洲中央银行。',
      ja: 'ユーロの対ドル参照レートは2025年4月3日、4月2日の1.0803ドルから2.7%上昇し、1ユーロ＝1.1097ドルとなった。1日の上昇率としては2022年11月11日以来の大きさだった。直前250営業日の1日の変動（絶対値）の中央値は0.23%だった。出典：欧州中央銀行（ECB）。',
    });
  });

  it('state a difference in dollars if the price fell below zero', () => {
    const name = named('WTI crude oil', '西得克萨斯中质原油（WTI）', 'WTI原油');
    const { headline } = moveTexts({
      name,
      publisher,
      context: null,
      unit: 'usd_per_barrel',
      currency: null,
      move: move('amount', '18.31', '-36.98'),
    });
    expect(headline).toEqual({
      en: 'WTI crude oil fell $55.29 to −$36.98 a barrel on 3 April 2025',
      zh: '西得克萨斯中质原油（WTI）2025年4月3日下跌55.29美元，报每桶−36.98美元',
      ja: 'WTI原油、55.29ドル下落し1バレルマイナス36.98ドルに（2025年4月3日）',
    });
  });

  it('state basis points of a yield, and months for a monthly figure', () => {
    const name = named('US yield', '美国国债收益率', '米国債利回り');
    const monthly = {
      actual: priceOf('2025-04', '4.58', '2025-05-01'),
      previous: priceOf('2025-03', '4.20', '2025-04-01'),
      ordinary: 0.07,
    };
    const { headline, summary } = moveTexts({
      name,
      publisher,
      context: { kind: 'record', of: 'step', side: 'high', since: '1953-04', value: '0.3' },
      unit: 'percent',
      currency: null,
      move: move('rate', '4.20', '4.58', monthly),
    });
    expect(headline.en).toBe('The US yield rose 38 basis points to 4.58% in April 2025');
    expect(headline.zh).toBe('美国国债收益率2025年4月上升38个基点，报4.58%');
    expect(headline.ja).toBe('米国債利回り、0.38ポイント上昇し4.58%に（2025年4月）');
    expect(summary.en).toContain(
      'to 4.58% from 4.20% in March. It was the largest one-month rise to that date in our data, which begin in April 1953. The median monthly move, up or down, over the previous 250 months was 7 basis points.',
    );
    expect(summary.ja).toContain('1カ月の上昇幅としては、収録データが始まる1953年4月以降で最大だった。');
  });
});

describe('A step of printed figures', () => {
  /** Daily steps of 0.02 percentage points, then 0.1, which binary fractions make a little less. */
  const yields = Array.from({ length: 101 }, (_, at) => (at % 2 === 0 ? '4.05' : '4.07'));

  it('counts at exactly the smallest size and at exactly five times the ordinary one', () => {
    expect(4.15 - 4.05).not.toBe(0.1);
    expect(last(prices(...yields, '4.15'), 'rate')).toMatchObject({ step: 0.1, ratio: FACTOR });
    expect(last(prices(...yields, '4.14'), 'rate')).toBeNull();
  });
});
