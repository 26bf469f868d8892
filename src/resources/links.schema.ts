import { z } from 'zod';

/** Beside `url`. */
export const page = z
  .url()
  .optional()
  .describe(
    'URL of the page for people, in the language of the request; absent if there is no such page or public pages are off',
  );

/** Of one series, by `publishedSince`. */
export const changedPeriods = z
  .object({ from: z.string(), to: z.string() })
  .nullable()
  .describe(
    'With `publishedSince`: the first and the last period of the figures that were published, restated or withdrawn since; null without it, or if there are none',
  );
export type ChangedPeriods = NonNullable<z.infer<typeof changedPeriods>>;
