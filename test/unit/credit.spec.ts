import { creditOf } from '../../src/publish/derive/credit.js';
import sources from '../../data/catalogue/sources.json' with { type: 'json' };

function named(id: string) {
  const entry = sources.find((one) => one.id === id);
  if (entry === undefined) throw new Error(`The catalogue has no ${id}`);
  return entry;
}

describe('The credit of a sentence', () => {
  it('names who made a modelled estimate, and after it who published it', () => {
    const maker = named('ilo-modelled');
    const { publisher } = named('worldbank-wdi');
    expect(maker.modelled).toBe(true);
    expect(creditOf({ publisher: maker.publisher, survey: maker.name, portal: publisher, modelled: true })).toEqual({
      en: 'International Labour Organization (modelled estimates, via World Bank)',
      zh: '国际劳工组织（模型估算，世界银行发布）',
      ja: '国際労働機関（ILO）のモデル推計（世界銀行公表）',
    });
  });

  it('names the publisher of what it made itself', () => {
    const { publisher } = named('worldbank-wdi');
    expect(creditOf({ publisher, survey: null, portal: null, modelled: false })).toBe(publisher);
  });
});
