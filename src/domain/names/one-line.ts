// Names from registers, and names that users give to keys and alerts. The service shows them on one line.

/** Scripts in which a joiner between two letters changes how a word is written. */
const JOINED = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan', 'Myanmar', 'Khmer'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const VIRAMA = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u0f84\\u1039\\u103a\\u17d2';

const KEPT = [
  // Ideographic variation sequences are part of a registered Japanese name.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  `(?<=[${JOINED}])(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=[${JOINED}])(?=[\\p{L}\\p{M}])`,
  `(?<=[${VIRAMA}])[\\u200c\\u200d]`,
].join('|');

/** Invisible characters: formatting, fillers, variation selectors, tags, noncharacters and lone surrogates. */
const INVISIBLE = new RegExp(
  `(?!${KEPT})[\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]`,
  'gu',
);
/** No script stacks more marks on a letter; longer stacks cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu;
/** U+2800 is a Braille pattern without dots: blank, although its class is not white space. */
const BLANK = /[\s\p{Z}\p{Cc}\u2800]+/gu;
const GRAPHIC = '[!-~\\u00a1-\\u00ac\\u00ae-\\u024f\\u3041-\\u3096\\u30a1-\\u30fe\\u4e00-\\u9fff\\uac00-\\ud7a3]+';
/** Fast path for most names: without it, a register of three million takes some ten seconds more. */
const PLAIN = new RegExp(`^${GRAPHIC}(?: ${GRAPHIC})*$`);
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Puts a text on one line: white space and control characters become single spaces; invisible characters are removed, and stacks of
 * marks are cut. Joiners that a script needs and variants of Han characters stay. The function is idempotent.
 */
export function oneLine(text: string): string {
  if (PLAIN.test(text)) return text;
  const line = text.replace(INVISIBLE, '').replace(BLANK, ' ').trim();
  const cut = line.replace(STACKED_MARKS, '$1');
  // Without its marks, a joiner may not be needed any more.
  return cut === line ? line : oneLine(cut);
}

/** A user's name on one line; `null` if it is empty, longer than `most`, or contains control characters. */
export function givenName(text: string, most: number): string | null {
  if (CONTROL.test(text.trim())) return null;
  const name = oneLine(text);
  return name === '' || Array.from(name).length > most ? null : name;
}
