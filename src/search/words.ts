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

/** The normalised tokens of a text, in order. Everything but Han and kana counts as Latin. */
export function pieces(text: string): Piece[] {
  return normalizeText(text)
    .split(' ')
    .flatMap(piecesOf)
    .filter((piece) => piece.text !== '')
    .map((piece) => (piece.text.length > MOST_CHARACTERS ? cut(piece) : piece));
}

const cut = ({ script, text }: Piece): Piece => ({
  script,
  text: Array.from(text).slice(0, MOST_CHARACTERS).join(''),
});

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
