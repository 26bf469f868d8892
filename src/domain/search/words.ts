import { normalizeText } from './normalize.js';

const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[^\s]/gu;
/** Japanese particles between words that are not in hiragana, and the Chinese 的: they join words and name nothing. */
const PARTICLES = /(?<=[^\p{Script=Hiragana}])[のとやをはがにでへも](?=[^\p{Script=Hiragana}])|的/u;
const MOST_CHARACTERS = 64;
const ASCII = /^[\0-\x7f]*$/;

/** A token: one Latin word, or a run of Han and kana. */
export interface Piece {
  readonly script: 'latin' | 'cjk';
  readonly text: string;
}

/** A number before a unit of time: 10-year, 3 months, 10年物, 3か月. A year of the calendar has four digits. */
const TENOR_NUMBER = /^\d{1,2}$/;
const TENOR_WORDS = new Map([
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((word, at): [string, string] => [word, `${at + 1}`]),
  ...([
    ['ten', '10'],
    ['twenty', '20'],
    ['thirty', '30'],
  ] satisfies [string, string][]),
]);
const TENOR_UNIT = /^(?:(years?|yrs?)|(months?))$/;
const TENOR_UNIT_CJK = /^(?:(年)|([かヶケヵカ个個箇]月))[期物]?/;
/** Tenors in Han numerals: 十年期, 七年期. */
const HAN_TENOR = /(三十|二十|十|七|六|五|三|[二两]|一)(?=年期|年$|年[国美]?[债債]|[かヶケヵカ個个箇]月)/gu;
const HAN_NUMBERS = new Map(
  ['三十 30', '二十 20', '十 10', '七 7', '六 6', '五 5', '三 3', '二 2', '两 2', '一 1'].map(
    (one) => one.split(' ') as [string, string],
  ),
);
const INITIAL = /^\p{L}$/u;

/** The normalised tokens of a text, in order. Everything but Han and kana counts as Latin. */
export function pieces(text: string): Piece[] {
  const found = normalizeText(text)
    .replace(HAN_TENOR, (number) => HAN_NUMBERS.get(number) ?? number)
    .split(' ')
    .flatMap(piecesOf)
    .filter((piece) => piece.text !== '');
  return joinTokens(found).map((piece) => (piece.text.length > MOST_CHARACTERS ? cut(piece) : piece));
}

/** Joins initials (J P Morgan is JP Morgan) and the s of a possessive (McDonald's), and writes each tenor in one way: 10y, 3m. */
function joinTokens(found: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let initials = false;
  for (const [index, piece] of found.entries()) {
    const before = joined.at(-1);
    const initial = piece.script === 'latin' && INITIAL.test(piece.text);
    const possessive = piece.text === 's' && !INITIAL.test(found[index + 1]?.text ?? '');
    const number = before?.script === 'latin' ? tenorNumber(before.text) : undefined;
    const tenor = number === undefined ? null : tenorOf(piece);
    if (before !== undefined && tenor !== null) {
      joined.splice(-1, 1, { script: 'latin', text: `${number ?? ''}${tenor.unit}` });
      if (tenor.rest !== '') joined.push({ script: 'cjk', text: tenor.rest });
    } else if (before?.script === 'latin' && (initials ? initial : possessive)) {
      joined.splice(-1, 1, { script: 'latin', text: `${before.text}${piece.text}` });
    } else joined.push(piece);
    initials = initial;
  }
  return joined;
}

const tenorNumber = (text: string): string | undefined => (TENOR_NUMBER.test(text) ? text : TENOR_WORDS.get(text));

function tenorOf({ script, text }: Piece): { readonly unit: 'y' | 'm'; readonly rest: string } | null {
  const found = (script === 'cjk' ? TENOR_UNIT_CJK : TENOR_UNIT).exec(text);
  if (found === null) return null;
  return { unit: found[1] === undefined ? 'm' : 'y', rest: text.slice(found[0].length) };
}

const cut = ({ script, text }: Piece): Piece => ({ script, text: Array.from(text).slice(0, MOST_CHARACTERS).join('') });

function piecesOf(token: string): Piece[] {
  // Fast path: most tokens are ASCII, and an import splits millions.
  if (ASCII.test(token)) return [{ script: 'latin', text: token }];
  const found: Piece[] = [];
  let latin = '';
  const flush = (): void => {
    if (latin !== '') found.push({ script: 'latin', text: latin });
    latin = '';
  };
  for (const [run] of token.matchAll(RUNS)) {
    if (!isCjk(run)) {
      latin += run;
      continue;
    }
    flush();
    for (const part of run.split(PARTICLES)) found.push({ script: 'cjk', text: part });
  }
  flush();
  return found;
}

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;

/** Whether a word is of Han and kana. */
export function isCjk(run: string): boolean {
  return CJK.test(run);
}

/** Bigrams; a single character is a word. */
export function bigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** The index words of a text, each once: Latin words, and bigrams of Han and kana. */
export function words(text: string): string[] {
  const all = pieces(text).flatMap((piece) => (piece.script === 'cjk' ? bigrams(piece.text) : [piece.text]));
  return [...new Set(all)];
}
