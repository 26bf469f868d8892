// Keys under which names are equal. Import and query both use these functions.
import { normalizeText } from './normalize.js';
import { pieces } from './words.js';

/** Spellings of one legal form, longest first, as normalised words. */
const SPELLINGS: readonly (readonly [spelling: string, form: string])[] = [
  ['gesellschaft mit beschrankter haftung', 'gmbh'],
  ['limited liability company', 'llc'],
  ['public limited company', 'plc'],
  ['besloten vennootschap', 'bv'],
  ['naamloze vennootschap', 'nv'],
  ['limited partnership', 'lp'],
  ['aktiengesellschaft', 'ag'],
  ['societas europaea', 'se'],
  ['kabushiki kaisha', 'kk'],
  ['societe anonyme', 'sa'],
  ['incorporated', 'inc'],
  ['corporation', 'corp'],
  ['companies', 'cos'],
  ['holdings', 'holding'],
  ['company', 'co'],
  ['limited', 'ltd'],
  ['sa rl', 'sarl'],
  ['p lc', 'plc'],
];
const SPELLING = new RegExp(`(?<= )(${SPELLINGS.map(([spelling]) => spelling).join('|')})(?= )`, 'gu');
const FORM_OF = new Map(SPELLINGS);

/** What may end a company's name and is left out as often. */
const FORMS = new Set([
  'ab',
  'ag',
  'aps',
  'as',
  'asa',
  'bv',
  'co',
  'corp',
  'cos',
  'gmbh',
  'group',
  'holding',
  'inc',
  'kg',
  'kgaa',
  'kk',
  'llc',
  'llp',
  'lp',
  'ltd',
  'ltda',
  'nv',
  'oy',
  'oyj',
  'plc',
  'pte',
  'pty',
  'sa',
  'sarl',
  'se',
  'spa',
  'srl',
  'trust',
]);
const CJK_FORMS = ['株式会社', '股份有限公司', '有限责任公司', '有限公司', '合同会社', '有限会社'].map(normalizeText);
const CJK_FORM = new RegExp(`^(?:${CJK_FORMS.join('|')})|(?:${CJK_FORMS.join('|')})$`, 'u');

const PLURAL = /^(\p{L}{2,}[^s\d])s$/u;

const SMALL_WORDS = new Set(['the', 'and']);
/** The state that tells registrants of one name apart: BANK OF AMERICA CORP /DE/. */
const FILED_IN = /\s*\/\s*[A-Z]{2,3}\s*\/?\s*$/;
const SHARE_CLASS = /\s*\(class [a-z]\)\s*$/i;

/** A registrant's name without the state that it was filed in. */
export const withoutState = (name: string): string => name.replace(FILED_IN, '');

/** Whether a key of several words leaves a normalised word out. */
export const isSmallWord = (word: string): boolean => SMALL_WORDS.has(word);

/** Whether a normalised word is a legal form in any spelling. */
export const isLegalForm = (word: string): boolean => FORMS.has(FORM_OF.get(word) ?? word);

/** Equal for spellings of one name: case, accents, punctuation, order of words, legal form written out or not. */
export function nameKey(name: string): string {
  return keyOf(canonicalWords(name));
}

/** A key with its words in the singular, as regular nouns form it: Domino's is Domino, inflation rates inflation rate. */
export const singularKey = (key: string): string => keyOf(key.split(' ').map((word) => word.replace(PLURAL, '$1')));

/** The keys of a company's name: whole, then without its state and without one legal form after another. Each once. */
export function companyKeys(name: string): string[] {
  const keys = new Set([nameKey(name)]);
  for (let words: string[] | null = canonicalWords(withoutState(name)); words !== null; words = withoutForm(words))
    keys.add(keyOf(words));
  return [...keys];
}

/** The key of words that a longer name begins with. No word contains an asterisk. */
export const leadingKey = (key: string): string => `${key} *`;

/** The keys of what a name begins with, for a company that people call by it: Cisco of Cisco Systems, Inc. */
export function leadingKeys(name: string): string[] {
  const all = canonicalWords(withoutState(name));
  const ends = all.slice(0, MOST_LEADING).map((_, index) => all.slice(0, index + 1));
  return ends.filter((words) => words.length < all.length).map((words) => leadingKey(keyOf(words)));
}

/** null if no legal form ends or begins the name, or nothing else is left. */
function withoutForm(words: readonly string[]): string[] | null {
  if (words.length > 1 && FORMS.has(words.at(-1) ?? '')) return words.slice(0, -1);
  const bare = words.map((word) => word.replace(CJK_FORM, '') || word);
  return bare.some((word, index) => word !== words[index]) ? bare : null;
}

/** People say the first words of a name, not six of seven. */
const MOST_LEADING = 4;
/** Longer names are not searched as names. */
const LONGEST_KEY = 200;

const keyOf = (words: readonly string[]): string => [...words].sort().join(' ').slice(0, LONGEST_KEY).trim();

const canonicalWords = (name: string): string[] =>
  canonical(pieces(name.replace(SHARE_CLASS, '')).map(({ text }) => text));

/** The key of a name that is cut into words already. */
export const keyOfWords = (words: readonly string[]): string => keyOf(canonical(words));

function canonical(all: readonly string[]): string[] {
  const meant = all.filter((word) => !SMALL_WORDS.has(word));
  return ` ${(meant.length > 0 ? meant : all).join(' ')} `
    .replace(SPELLING, (spelling) => FORM_OF.get(spelling) ?? spelling)
    .trim()
    .split(' ')
    .map((word) => word.replace(/^0+(?=\d)/, ''));
}
