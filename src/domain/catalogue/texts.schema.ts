import { z } from 'zod';
import type { LOCALES } from '../locale/locale.js';
import { oneLine } from '../names/one-line.js';

/** One line, of at least one character. */
export const text = z
  .string()
  .trim()
  .min(1)
  .refine((given) => oneLine(given) === given, 'is one line without control or invisible characters');

/** A text in the three languages. */
export const localized = z.strictObject({ en: text, zh: text, ja: text } satisfies Record<
  (typeof LOCALES)[number],
  z.ZodType
>);

/** The key of an entry, which stands in URLs. */
export const keyText = z.string().regex(/^[a-z0-9-]{1,64}$/, 'is not made of a-z, 0-9 and -, at most 64');
