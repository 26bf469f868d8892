import { inAll } from '../../src/domain/locale/locale.js';
import { sectionSentence } from '../../src/publish/read-models/briefs/section-sentence.js';
import { mentionedMove as moved } from '../support/mentioned-changes.js';

const of = (change: ReturnType<typeof moved>) => ({
  change,
  changes: 1,
  regions: 1,
  economies: 1,
  periods: 1,
});

describe('Steps that are larger than a move, and not unusual', () => {
  const lead = of(moved('wti', '91.8', '84.25', '2026-07-27'));
  const [brent, gas] = [
    moved('brent', '100.35', '91.82', '2026-07-27'),
    moved('henry-hub', '2.87', '2.63', '2026-07-27'),
  ];

  it('end the sentence on the moves of their day', () => {
    const text = inAll((locale) => sectionSentence(locale, [lead], false, [brent, gas]));
    expect(text.en).toContain(
      '; spot Brent crude oil fell 8.5% to $91.82 a barrel and spot Henry Hub natural gas fell 8.4% to $2.63 per million Btu, each within its usual swings.',
    );
    expect(text.zh).toContain(
      '；亨利枢纽天然气现货价格下跌8.4%，报每百万英热单位2.63美元，幅度更大，但按各自平时的波动不算异常。',
    );
    expect(text.ja).toContain('2.63ドルとなったが、いずれも平時の変動幅からは異例ではなかった。');
    expect(sectionSentence('en', [lead], false, [brent])).toMatch(/, within its usual swings\.$/);
  });
});
