import { inAll } from '../../src/domain/locale/locale.js';
import { clauseIn } from '../../src/publish/read-models/briefs/clause.js';
import { mentionedChange } from '../support/mentioned-changes.js';
import fc from 'fast-check';
import {
  MOST_A_BRIEF,
  MOST_A_SECTION,
  pickItems,
  type Candidate,
} from '../../src/publish/read-models/briefs/pick-items.js';

interface Ranked extends Candidate {
  readonly importance: number;
}

const SECTIONS = ['growth', 'prices', 'labour', 'trade', 'money', 'currency', 'people', 'markets', 'groups'];

/** Candidates in their order: by importance, most important first. */
const ranked = (candidates: readonly Ranked[]): Ranked[] => [...candidates].sort((a, b) => b.importance - a.importance);

const totalsOf = (candidates: readonly Candidate[], more = 0) =>
  [...new Set(candidates.map(({ section }) => section))].map((key) => ({
    key,
    changes: candidates.filter(({ section }) => section === key).reduce((sum, { changes }) => sum + changes, 0) + more,
  }));

const many = (section: string, count: number, from: number): Ranked[] =>
  Array.from({ length: count }, (_, index) => ({ section, changes: 1, importance: from - index }));

describe('The items of a brief', () => {
  it('are the ten most important of a section; the others are counted', () => {
    const candidates = ranked(many('growth', 14, 90));
    const { items, omitted } = pickItems(candidates, totalsOf(candidates, 100));
    expect(items).toEqual(candidates.slice(0, MOST_A_SECTION));
    expect(omitted).toEqual(new Map([['growth', 104]]));
  });

  it('count every change of an item as shown', () => {
    const candidates = [
      { section: 'growth', changes: 7, importance: 50 },
      { section: 'growth', changes: 1, importance: 40 },
    ];
    expect(pickItems(candidates, totalsOf(candidates)).omitted).toEqual(new Map([['growth', 0]]));
  });

  it('include every section, however unimportant its changes', () => {
    const heavy = ['growth', 'prices', 'labour', 'trade', 'money'].flatMap((key) => many(key, 10, 90));
    const candidates = ranked([...heavy, { section: 'groups', changes: 1, importance: 1 }]);
    const { items } = pickItems(candidates, totalsOf(candidates));
    expect(items).toHaveLength(MOST_A_BRIEF);
    expect(items.at(-1)).toEqual({ section: 'groups', changes: 1, importance: 1 });
  });

  const candidate = fc.record({
    section: fc.constantFrom(...SECTIONS),
    changes: fc.integer({ min: 1, max: 3000 }),
    importance: fc.integer({ min: 0, max: 100 }),
  });

  it('respect both bounds, their order, and the number of all changes', () => {
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 120 }), (given) => {
        const candidates = ranked(given);
        const totals = totalsOf(candidates);
        const { items, omitted } = pickItems(candidates, totals);
        expect(items.length).toBeLessThanOrEqual(MOST_A_BRIEF);
        expect(items).toEqual(candidates.filter((one) => items.includes(one)));
        for (const { key, changes } of totals) {
          const own = items.filter(({ section }) => section === key);
          expect(own.length).toBeGreaterThanOrEqual(1);
          expect(own.length).toBeLessThanOrEqual(MOST_A_SECTION);
          expect(own.reduce((sum, item) => sum + item.changes, omitted.get(key) ?? -1)).toBe(changes);
          // The brief omits nothing more important of the same section.
          expect(own).toEqual(candidates.filter(({ section }) => section === key).slice(0, own.length));
        }
      }),
    );
  });
});

describe('The sentence of a figure that its source withdrew, or gives again', () => {
  const prices = mentionedChange({
    kind: 'revision',
    indicator: 'cpi-inflation',
    region: 'WLD',
    period: '2024',
    from: '2.97',
    to: '3.01',
  });
  const said = (presence: 'withdrawn' | 'returned', actual: string | null) =>
    inAll((locale) => clauseIn(locale, 'sentence', { ...prices, presence, actual }));

  it('is one, unlike its headline', () => {
    expect(said('withdrawn', null)).toEqual({
      en: 'the source has withdrawn global annual average CPI inflation (median across economies), which was 2.97% in 2024',
      zh: '发布机构撤回全球消费者价格（CPI）全年平均涨幅（各经济体中位数）数据，2024年撤回前为2.97%',
      ja: '公表元は世界の年平均消費者物価上昇率（各国・地域の値の中央値）の値を取り下げた（2024年は2.97%）',
    });
    expect(said('returned', '3.01')).toEqual({
      en: 'the source gives global annual average CPI inflation (median across economies) again, at 3.01% in 2024',
      zh: '发布机构恢复提供全球消费者价格（CPI）全年平均涨幅（各经济体中位数）数据，2024年为3.01%',
      ja: '公表元は世界の年平均消費者物価上昇率（各国・地域の値の中央値）の値を再び掲載した（2024年は3.01%）',
    });
  });
});
