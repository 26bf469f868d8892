import { z } from 'zod';
import { TARGET_TYPES } from '../../following/targets.js';
import { page } from '../links.schema.js';

export const Target = z
  .object({
    type: z
      .enum(TARGET_TYPES)
      .describe('As in the `subject` of a change: `series` is one indicator in one region'),
    key: z.string().describe('Its slug, key, id or code; of a series `indicator@region`'),
    name: z
      .string()
      .describe(
        'In the language of the request; of a company or entity as its register writes it; else the key',
      ),
    url: z.url().describe('Where it is read; of a country its changes'),
    page,
  })
  .meta({ id: 'Target', description: 'What is followed' });
export type Target = z.infer<typeof Target>;
