import { countIn, listIn } from '../../src/publish/read-models/briefs/wording.js';

describe('Counts and lists', () => {
  it('follow the style of each language', () => {
    expect(['en', 'zh', 'ja'].map((locale) => countIn(locale as 'en', 9))).toEqual(['nine', '9', '9']);
    expect(['en', 'zh', 'ja'].map((locale) => countIn(locale as 'en', 7560))).toEqual([
      '7,560',
      '7560',
      '7560',
    ]);
    expect(['en', 'zh', 'ja'].map((locale) => listIn(locale as 'en', ['A', 'B', 'C']))).toEqual([
      ...['A, B and C', 'A、B和C', 'A、B、C'],
    ]);
  });
});
