import { z } from 'zod';

/** Beside `url`. */
export const page = z
  .url()
  .optional()
  .describe(
    'What a person opens, in the language of the request; left out where there is no such page or public pages are off',
  );
