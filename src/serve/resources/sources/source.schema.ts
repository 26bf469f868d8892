import { z } from 'zod';
import type { Resource } from '../../responses/resource.js';

export const sourcesResource = {
  path: 'sources',
  tag: 'Sources',
  about: 'Whose figures the service has',
  family: 'catalogue',
} satisfies Resource;

export const SourceItem = z
  .object({
    id: z.string().describe('Id in `meta.sources`, which has licence and attribution'),
    name: z.string(),
    publisher: z.string(),
    url: z.url(),
    indicators: z.array(z.string()).describe('Slugs of its indicators with a series'),
    instruments: z.array(z.string()).describe('Keys of its instruments with a series'),
    series: z.int().describe('Number of its series'),
  })
  .meta({ id: 'ListedSource' });
export type SourceItem = z.infer<typeof SourceItem>;
