import { z } from 'zod';
import { inAll } from '../locale/locale.js';
import { oneLine } from '../names/one-line.js';

/** One line, of at least one character. */
export const text = z
  .string()
  .trim()
  .min(1)
  .refine((given) => oneLine(given) === given, 'is one line without control or invisible characters');

/** The same in every language. */
export const localizedOf = <One extends z.ZodType>(one: One) => z.strictObject(inAll(() => one));

/** A text in every language. */
export const localized = localizedOf(text);

/** The key of an entry, which stands in URLs. */
export const keyText = z.string().regex(/^[a-z0-9-]{1,64}$/, 'is not made of a-z, 0-9 and -, at most 64');
