import variants from './han-variants.json' with { type: 'json' };

const HAN = new Map<string, string>();
for (const pairs of variants.pairs) {
  const characters = Array.from(pairs);
  for (let at = 0; at + 1 < characters.length; at += 2)
    HAN.set(characters[at] ?? '', characters[at + 1] ?? '');
}

/** Letters that Unicode does not take apart, as they are written without their language's keyboard. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n', ĸ: 'k' },
};

/** ヴ and the small vowel after it: foreign names are written both ways. */
const VU: Readonly<Record<string, string>> = { ァ: 'バ', ィ: 'ビ', ェ: 'ベ', ォ: 'ボ' };

/** Letters one by one with a point between: U.S., S.A. */
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;
const MARKS = /[\u0300-\u036f]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
/** Between parts of a foreign name in katakana; as often left out. */
const MIDDLE_DOT = /(?<=[\p{Script=Katakana}ー])[・·](?=\p{Script=Katakana})/gu;

/**
 * The one form in which names and questions are compared: NFKC, without case, Latin diacritics, punctuation and
 * control characters, and with one form of each Han character whether it is written as in China, Taiwan or Japan.
 * Words stand one space apart; a text without letters and digits is ''. Folding twice is folding once.
 */
export function fold(text: string): string {
  let folded = once(text);
  for (let again = once(folded); again !== folded; again = once(folded)) folded = again;
  return folded;
}

function once(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[^\0-\x7f]/gu, (character) => LATIN[character] ?? HAN.get(character) ?? character)
    .replace(/ヴ([ァィェォ]?)/g, (_, vowel: string) => VU[vowel] ?? 'ブ')
    .replace(MIDDLE_DOT, '')
    .replace(INITIALS, (initials) => initials.replaceAll('.', ''))
    .replace(SEPARATORS, ' ')
    .trim();
}
