import { z } from 'zod';
import { TARGET_TYPES } from '../../following/targets.js';
import { page } from '../links.schema.js';

export const Target = z
  .object({
    type: z.enum(TARGET_TYPES).describe('As in `subject` of a change; `series` is one indicator in one region'),
    key: z.string().describe('Slug, key, id or code of the target; `indicator@region` for a series'),
    name: z
      .string()
      .describe('In the language of the request; for a company or entity as registered; otherwise the key'),
    url: z.url().describe('URL of the target; for a country, of its changes'),
    page,
  })
  .meta({ id: 'Target', description: 'A followed target' });
export type Target = z.infer<typeof Target>;
