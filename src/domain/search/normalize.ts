import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../../data/han-variants.json');
const variants = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly pairs: readonly string[] };

const HAN = new Map<string, string>();
for (const pairs of variants.pairs) {
  const characters = Array.from(pairs);
  for (let at = 0; at + 1 < characters.length; at += 2) HAN.set(characters[at] ?? '', characters[at + 1] ?? '');
}

/** Letters without a Unicode decomposition, as written on another keyboard. */
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ı: 'i',
    ŋ: 'n',
    ĸ: 'k',
  }),
);

/** ヴ and the small vowel after it: foreign names are written both ways. */
const VU: ReadonlyMap<string, string> = new Map(Object.entries({ ァ: 'バ', ィ: 'ビ', ェ: 'ベ', ォ: 'ボ' }));

/** Letters one by one with a point between: U.S., S.A. */
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;
const ASCII = /^[\0-\x7f]*$/;
const MARKS = /[\u0300-\u036f]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
/** Between parts of a foreign name in katakana; as often left out. */
const MIDDLE_DOT = /(?<=[\p{Script=Katakana}ー])[・·](?=\p{Script=Katakana})/gu;

/**
 * The form in which names and queries are compared: NFKC, without case, Latin diacritics, punctuation and control
 * characters, and with one form of each Han character of China, Taiwan and Japan. One space separates words; a
 * text without letters and digits gives ''. The function is idempotent.
 */
export function normalizeText(text: string): string {
  // Fast path: one pass leaves ASCII without anything that another would change.
  if (ASCII.test(text)) return separate(text.toLowerCase());
  let folded = once(text);
  for (let again = once(folded); again !== folded; again = once(folded)) folded = again;
  return folded;
}

function once(text: string): string {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[^\0-\x7f]/gu, (character) => LATIN.get(character) ?? HAN.get(character) ?? character)
    .replace(/ヴ([ァィェォ]?)/g, (_, vowel: string) => VU.get(vowel) ?? 'ブ')
    .replace(MIDDLE_DOT, '');
  return separate(folded);
}

const separate = (text: string): string =>
  text
    .replace(INITIALS, (initials) => initials.replaceAll('.', ''))
    .replace(SEPARATORS, ' ')
    .trim();
