import { masked, tokensOf } from './reading.js';
import type { Said } from './said-twice.js';
import { factsOf } from './structure-facts.js';

export interface Break {
  readonly what: string;
  readonly apply: () => Said;
}

/** The same result with one fact of the structure changed or left out, or one number or date of the text changed. */
export function breaksOf(said: Said): Break[] {
  return [...inStructure(said), ...exchanged(said), ...inText(said)];
}

function inStructure(said: Said): Break[] {
  const { numbers, dates } = factsOf(said.structure);
  return [...numbers, ...dates].map(({ path }) => {
    const other = (value: unknown) => (typeof value === 'number' ? value * 1.37 + 41.53 : otherPeriod(String(value)));
    return { what: `${path} is another`, apply: () => edited(said, path, other) };
  });
}

/** Two neighbours of a series with each other's values: each number is still there, of another period. */
function exchanged(said: Said): Break[] {
  const { pairs } = factsOf(said.structure);
  return pairs.flatMap((one, at): Break[] => {
    const next = pairs[at + 1];
    const isSeries = next?.path.replace(/\d+\]$/, '') === one.path.replace(/\d+\]$/, '');
    if (next === undefined || !isSeries || one.path === next.path || one.value.eq(next.value)) return [];
    const apply = () => {
      const first = edited(said, `${one.path}.value`, () => Number(next.value));
      return edited(first, `${next.path}.value`, () => Number(one.value));
    };
    return [{ what: `${one.path} has the value of its neighbour`, apply }];
  });
}

function inText(said: Said): Break[] {
  const { text, locale, structure } = said;
  const { prose, names } = factsOf(structure);
  const read = masked(
    text.replace(/https?:\/\/\S+/g, (link) => '\uE000'.repeat(link.length)),
    [...prose.map((one) => one.text), ...names],
  );
  return tokensOf(read, locale).map(({ at, end, text: token }) => ({
    what: `the text says ${otherDigits(token)} for ${token}`,
    apply: () => ({ ...said, text: text.slice(0, at) + otherDigits(token) + text.slice(end) }),
  }));
}

/** The result with another value in one place of its structure. */
function edited(said: Said, path: string, other: (value: unknown) => unknown): Said {
  const structure = JSON.parse(JSON.stringify(said.structure)) as Said['structure'];
  const names = path.match(/[^.[\]]+/g) ?? [];
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((one, name) => (one as Record<string, unknown>)[name], structure);
  const members = holder as Record<string, unknown>;
  members[last] = other(members[last]);
  return { ...said, structure };
}

/** Another period of the same form, or instant of the same day. */
function otherPeriod(text: string): string {
  const at = text.length > 10 ? 15 : text.search(/\d{4}/) + 3;
  return text.slice(0, at) + otherDigits(text.charAt(at)) + text.slice(at + 1);
}

/** A number or date of the same form: its last digit is another. */
function otherDigits(text: string): string {
  return text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10));
}
