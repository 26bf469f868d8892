import { fold } from '../../../folding/fold.js';

/** Leaves room for the longest ending. */
const LONGEST = 40;

/** Who is to be told apart from its namesakes, and by what. */
export interface Identified {
  readonly name: string;
  readonly lei: string | null;
  readonly cik: number | null;
}

/** The name in an address: Latin letters and digits, words joined by hyphens. `''` where it has none. */
export function slugOfName(name: string): string {
  const slug = fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug.length <= LONGEST) return slug;
  const cut = slug.slice(0, LONGEST + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), LONGEST / 2)).replace(/-+$/, '');
}

/**
 * What may be taken as its slug, best first: the name, the name with the last six of the LEI or the digits of the
 * CIK, and the identifier alone, which nobody else has.
 */
export function slugCandidates({ name, lei, cik }: Identified): string[] {
  const base = slugOfName(name);
  const whole = lei?.toLowerCase() ?? `cik-${String(cik)}`;
  const short = lei === null ? String(cik) : lei.slice(-6).toLowerCase();
  return base === '' ? [whole] : [base, `${base}-${short}`, `${base.slice(0, LONGEST)}-${whole}`];
}
