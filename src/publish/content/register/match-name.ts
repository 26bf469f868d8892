// Decides when names of two registers mean one company: docs/explanation/companies.md says why so rarely.
import { withoutState } from '../../../domain/search/names.js';
import { normalizeText } from '../../../domain/search/normalize.js';

/** Spellings of the same legal form. Different forms stay different: Acme Inc is not Acme Corp. */
const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    incorporated: 'inc',
    corporation: 'corp',
    company: 'co',
    limited: 'ltd',
    companies: 'cos',
    'limited partnership': 'lp',
    'limited liability company': 'llc',
    'l p': 'lp',
    'l l c': 'llc',
    'n v': 'nv',
  }),
);
const FORM = new RegExp(`\\b(${[...FORMS.keys()].sort((a, b) => b.length - a.length).join('|')})$`, 'u');

/** Shorter names are too common to identify a company. */
const SHORTEST = 4;

/** Equal results mean equal names; `null` for a name that is too short to identify a company. */
export function matchName(name: string): string | null {
  const folded = normalizeText(name).replace(/^the /, '').replace(/ and /g, ' ');
  const alike = folded.replace(FORM, (form) => FORMS.get(form) ?? form);
  return alike.length < SHORTEST ? null : alike;
}

/** A registrant's name without the state that distinguishes it from namesakes. */
export function registrantMatchName(name: string): string | null {
  return matchName(withoutState(name));
}

interface Described {
  readonly name: string;
  readonly type: string;
  readonly country: string | null;
  readonly jurisdiction: string | null;
  readonly status: string;
}

/** Only active legal entities under United States law can match registrants by name. */
export function entityMatchName({ name, type, jurisdiction, status }: Described): string | null {
  const american = jurisdiction !== null && /^US(-|$)/.test(jurisdiction);
  return american && type === 'legal_entity' && status === 'active' ? matchName(name) : null;
}
