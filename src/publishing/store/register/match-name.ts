// When two registers' names are taken for one: docs/companies.md says why so rarely.
import { fold } from '../../../folding/fold.js';

/** Spellings of the same legal form. Different forms stay different: Acme Inc is not Acme Corp. */
const FORMS: Readonly<Record<string, string>> = {
  ...{ incorporated: 'inc', corporation: 'corp', company: 'co', limited: 'ltd', companies: 'cos' },
  ...{
    'limited partnership': 'lp',
    'limited liability company': 'llc',
    'l p': 'lp',
    'l l c': 'llc',
    'n v': 'nv',
  },
};
const FORM = new RegExp(
  `\\b(${Object.keys(FORMS)
    .sort((a, b) => b.length - a.length)
    .join('|')})$`,
  'u',
);

/** The state behind a slash that tells registrants of one name apart: BANK OF AMERICA CORP /DE/. */
const FILED_IN = /\s*\/\s*[A-Z]{2,3}\s*\/?\s*$/;
/** Less than this says too little to be one company's alone. */
const SHORTEST = 4;

/** Two names are alike when these are equal; `null` where a name says too little. */
export function matchName(name: string): string | null {
  const folded = fold(name).replace(/^the /, '').replace(/ and /g, ' ');
  const alike = folded.replace(FORM, (form) => FORMS[form] ?? form);
  return alike.length < SHORTEST ? null : alike;
}

/** A registrant's name, without what only tells it from namesakes; those are no certain match anyway. */
export function registrantMatchName(name: string): string | null {
  return FILED_IN.test(name) ? matchName(name.replace(FILED_IN, '')) : matchName(name);
}

interface Described {
  readonly name: string;
  readonly type: string;
  readonly country: string | null;
  readonly jurisdiction: string | null;
  readonly status: string;
}

/** Only active legal entities under the law of the United States can be registrants of the same name. */
export function entityMatchName({ name, type, jurisdiction, status }: Described): string | null {
  const american = jurisdiction !== null && /^US(-|$)/.test(jurisdiction);
  return american && type === 'legal_entity' && status === 'active' ? matchName(name) : null;
}
