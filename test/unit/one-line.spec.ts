import fc from 'fast-check';
import { givenName, oneLine } from '../../src/domain/names/one-line.js';

const HOSTILE =
  'aB 葛ශරක்്یم・"`\t\n\v\f\r\u0000\u001b\u007f\u0085\u009b\u00a0\u00ad\u034f\u061c\u0d4d\u0dca\u115f\u180e\u2028\u2029\u200b\u200c\u200d\u200e\u202a\u202e\u2060\u2066\u2069\u2800\u3000\u3164\ufe00\ufe0f\ufeff\ufff9\uffff\u{e0001}\u{e0041}\u{e007f}\u{e0100}';
const MARKS = '\u0301'.repeat(9);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...Array.from(HOSTILE), '\ud83e', MARKS), maxLength: 60 }),
);

describe('oneLine', () => {
  it.each([
    ['a line break', 'Beta\nSources:\r\n- [ecb] Forged', 'Beta Sources: - [ecb] Forged'],
    ['separators of lines and paragraphs', 'Beta\u2028AG\u2029', 'Beta AG'],
    ['white space of any kind', '\u3000株式会社\u3000東京\u00a0\u2009工業\t', '株式会社 東京 工業'],
    ['control characters', 'Beta\u001b[31m\u0000AG\u0085\u009b', 'Beta [31m AG'],
    ['bidirectional controls', 'Beta \u202eGA\u202c \u2066x\u2069\u200f', 'Beta GA x'],
    ['characters of no width', 'Be\u200bta\ufeff A\u00adG\u2060', 'Beta AG'],
    ['tags', `Beta\u{e0001}\u{e0049}\u{e0067}\u{e006e}\u{e007f} AG`, 'Beta AG'],
    ['fillers', 'Beta\u3164\uffa0\u115f AG\u2800', 'Beta AG'],
    ['a variation selector after a letter', 'A\ufe0fG\u{e0101}', 'AG'],
    ['a joiner between Latin letters', 'A\u200dG\u200c', 'AG'],
    ['half a character', 'Beta\ud83d AG', 'Beta AG'],
    ['marks that cover other lines', `Be${'\u0301'.repeat(150)}ta AG`, `Be${'\u0301'.repeat(8)}ta AG`],
  ])('removes %s', (_, text, name) => {
    expect(oneLine(text)).toBe(name);
  });

  it.each([
    ['a variant of a Han character', '葛\u{e0100}城株式会社'],
    ['a standardised variant of a Han character', '\u795e\ufe00戸'],
    ['a non-joiner between Persian letters', 'شرکت\u200cهای نفت'],
    ['a joiner in Sinhala', 'ශ්\u200dරී ලංකා'],
    ['a joiner after a virama at the end', 'അവന്\u200d'],
    ['combining marks', 'Mu\u0308ller & Søn A/S'],
    ['punctuation of names', '"Х" & Co. (1990) [in liquidation] `a`'],
    ['an emoji', 'Smile 🙂 Ltd'],
  ])('keeps %s', (_, text) => {
    expect(oneLine(text)).toBe(text);
  });

  it('is idempotent for any text', () => {
    fc.assert(fc.property(anyText, (text) => oneLine(oneLine(text)) === oneLine(text)));
  });

  it('returns one line without control or format characters, except joiners at their place', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = oneLine(text);
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|^ | $| {2}/u);
        expect(name).not.toMatch(/(?![\u200c\u200d])\p{Cf}/u);
        expect(name).not.toMatch(/(^|[^\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d]{2}/u);
      }),
    );
  });
});

describe('givenName', () => {
  it('is the name on one line', () => {
    expect(givenName('  my\u3000 alert\u200b\n', 100)).toBe('my alert');
  });

  it.each([
    ['nothing', ' \u200b '],
    ['a line break', 'a\nb'],
    ['a separator of lines', 'a\u2028b'],
    ['a control character', 'a\u001b[31mb'],
    ['half a character', 'a\ud83db'],
    ['more than is allowed', 'x'.repeat(101)],
  ])('refuses %s', (_, text) => {
    expect(givenName(text, 100)).toBeNull();
  });

  it('counts characters, not units of UTF-16', () => {
    expect(givenName('🙂'.repeat(100), 100)).not.toBeNull();
  });
});
