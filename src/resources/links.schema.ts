import { z } from 'zod';

/** Beside `url`. */
export const page = z
  .url()
  .optional()
  .describe(
    'URL of the page for people, in the language of the request; absent if there is no such page or public pages are off',
  );
