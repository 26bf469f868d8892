import { z } from 'zod';
import { readEntries } from '../catalogue/catalogue-files.js';
import { localized } from '../catalogue/texts.schema.js';
import type { Localized } from '../locale/locale.js';

/**
 * THE licence table: what a licence demands of everyone who shows or derives from its figures. Importers can name
 * only these licences; a source without redistribution is rejected. The sentences that a licence demands are its own
 * columns, so no source of it can be shown without them.
 */
export interface LicenceTerms {
  readonly name: Localized;
  readonly url: string;
  /** Figures must be shown with the name of their source. */
  readonly attributionRequired: boolean;
  /** The attribution must link the licence. */
  readonly linkRequired: boolean;
  /** The attribution names the day of retrieval, or the month of the newest publication. */
  readonly dated: 'day' | 'month' | null;
  /** The attribution says what was computed here. */
  readonly modificationStated: boolean;
  /** `meta.notices` shows this sentence. Words that the licence prescribes come first in every language. */
  readonly notice: Localized | null;
  /** This service may pass figures on. */
  readonly redistribution: boolean;
  /** Changes, signals and other figures may be derived from them. */
  readonly derivation: boolean;
  /** Derived data must have the same licence. */
  readonly shareAlike: boolean;
}

export const licenceEntry = z.strictObject({
  id: z.string().regex(/^[a-z0-9.-]{1,64}$/, 'is not made of a-z, 0-9, . and -, at most 64'),
  name: localized,
  url: z.url({ protocol: /^https?$/ }),
  attributionRequired: z.boolean().default(true),
  linkRequired: z.boolean().default(false),
  dated: z.enum(['day', 'month']).nullable().default(null),
  modificationStated: z.boolean().default(false),
  notice: localized.nullable().default(null),
  redistribution: z.boolean(),
  derivation: z.boolean(),
  shareAlike: z.boolean().default(false),
});

/** data/catalogue/licences.json, and the operator's own. Entries with a fault are not in it. */
export const LICENCES: Readonly<Record<string, LicenceTerms>> = Object.fromEntries(
  readEntries('licences', licenceEntry).entries.map(({ value: { id, ...terms } }) => [id, terms]),
);
