import { normalizeText } from '../../../domain/search/normalize.js';

/** Leaves room for the longest suffix. */
const LONGEST = 40;

/** A company and the identifiers that distinguish it from its namesakes. */
export interface Identified {
  readonly name: string;
  readonly lei: string | null;
  readonly cik: number | null;
}

/** The name as a URL segment: Latin letters and digits, words joined by hyphens; `''` for a name without any. */
export function slugOfName(name: string): string {
  const slug = normalizeText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug.length <= LONGEST) return slug;
  const cut = slug.slice(0, LONGEST + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), LONGEST / 2)).replace(/-+$/, '');
}

/**
 * Possible slugs, best first: the name, the name with the last six characters of the LEI or the digits of the CIK,
 * and the unique identifier alone.
 */
export function slugCandidates({ name, lei, cik }: Identified): string[] {
  const base = slugOfName(name);
  const whole = lei?.toLowerCase() ?? `cik-${String(cik)}`;
  const short = lei === null ? String(cik) : lei.slice(-6).toLowerCase();
  return base === '' ? [whole] : [base, `${base}-${short}`, `${base.slice(0, LONGEST)}-${whole}`];
}
