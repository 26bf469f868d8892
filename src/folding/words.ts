import { fold } from './fold.js';

const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[^\s]/gu;
/** Japanese particles between words that are not in hiragana, and the Chinese 的: they join, they do not name. */
const PARTICLES = /(?<=[^\p{Script=Hiragana}])[のとやをはがにでへも](?=[^\p{Script=Hiragana}])|的/u;
const MOST_CHARACTERS = 64;
const ASCII = /^[\0-\x7f]*$/;

/** A piece of a text that is compared as a whole: one Latin word, or a run of Han and kana. */
export interface Piece {
  readonly script: 'latin' | 'cjk';
  readonly text: string;
}

/** The pieces of a text in its order, folded. Whatever is no Han and no kana counts as Latin. */
export function pieces(text: string): Piece[] {
  return fold(text)
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
  // Most tokens of most texts, and an import cuts millions.
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

/** Two characters at a time; a character that stands alone is a word. */
export function bigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** The words by which a text is found, each once: Latin words, and bigrams of Han and kana. */
export function words(text: string): string[] {
  const all = pieces(text).flatMap((piece) => (piece.script === 'cjk' ? bigrams(piece.text) : [piece.text]));
  return [...new Set(all)];
}
