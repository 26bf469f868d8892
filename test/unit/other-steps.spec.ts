import { inAll } from '../../src/domain/locale/locale.js';
import { briefTexts } from '../../src/publish/read-models/briefs/brief-texts.js';
import { sectionSentence } from '../../src/publish/read-models/briefs/section-sentence.js';
import { mentionedMove as moved } from '../support/mentioned-changes.js';

const of = (change: ReturnType<typeof moved>) => ({ change, changes: 1, regions: 1, economies: 1, periods: 1 });

describe('Steps beside a move, which are none', () => {
  const lead = of(moved('wti', '91.8', '84.25', '2026-07-27'));
  const [brent, gas] = [
    moved('brent', '100.35', '91.82', '2026-07-27'),
    moved('henry-hub', '2.87', '2.63', '2026-07-27'),
  ];

  it('begin the sentence on the moves of their day where they are larger and of one unit, and else end it', () => {
    const text = inAll((locale) => sectionSentence(locale, [lead], false, [brent, gas]));
    expect(text.en).toBe(
      'Compared with 26 July, spot Brent crude oil fell 8.5% on 27 July 2026, to $91.82 a barrel; spot WTI crude oil fell 8.2% to $84.25 a barrel; spot Henry Hub natural gas fell 8.4% to $2.63 per million Btu.',
    );
    expect(text.zh).toContain('；亨利枢纽天然气现货价格下跌8.4%，报每百万英热单位2.63美元。');
    expect(text.ja).toContain('2.63ドルとなった。');
  });

  it('end the sentence on the moves of another kind, and no two sentences', () => {
    const [oil, dollar] = [
      moved('brent', '80.00', '72.00', '2026-07-27'),
      moved('eurusd', '1.0800', '1.1100', '2026-07-27'),
    ];
    const [own, fx] = [moved('us-par-yield-3m', '1.73', '1.90', '2026-07-27'), dollar];
    const summary = (...changes: (typeof own)[]) =>
      briefTexts({
        day: '2026-07-27',
        items: changes.map((change) => ({ ...of(change), section: change.unit ?? '', summary: inAll(() => '') })),
        ordinarySteps: [oil],
        changes: changes.length,
        publishers: [{ name: inAll(() => 'A'), basis: null }],
      }).summary.en;
    const text = 'spot Brent crude oil fell 10.0% to $72.00 a barrel';
    expect(summary(own)).toContain(text);
    expect(summary(own, fx).split(text)).toHaveLength(2);
    expect(summary(fx)).toContain(text);
  });

  it('lead the title where they are larger', () => {
    const title = (steps: readonly (typeof brent)[]) =>
      briefTexts({
        day: '2026-07-27',
        items: [{ ...lead, section: 'markets', summary: inAll(() => '') }],
        ordinarySteps: steps,
        changes: 1,
        publishers: [],
      }).title.en;
    expect(title([brent])).toBe(
      '27 July 2026: Spot Brent crude oil down 8.5% to $91.82 a barrel; spot WTI crude oil down 8.2% to $84.25 a barrel',
    );
    const slighter = moved('brent', '100.35', '95.00', '2026-07-27');
    expect(title([slighter])).toBe(
      '27 July 2026: Spot WTI crude oil down 8.2% to $84.25 a barrel; spot Brent crude oil down 5.3% to $95.00 a barrel',
    );
    expect(title([gas])).toBe('27 July 2026: Spot WTI crude oil down 8.2% to $84.25 a barrel');
  });
});
