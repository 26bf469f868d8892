import { z } from 'zod';
import { page } from '../links.schema.js';
import { locale, paging, searchText } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const searchResource = {
  path: 'search',
  tag: 'Search',
  about: 'Signals, companies, entities, countries, indicators and instruments by words',
  family: 'search',
} satisfies Resource;

export const SEARCH_TYPES = ['signal', 'company', 'entity', 'country', 'indicator', 'instrument'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

export const SearchResult = z
  .object({
    type: z.enum(SEARCH_TYPES),
    id: z
      .string()
      .describe(
        'By type: id of a signal or entity, slug of a company or indicator, code, key of an instrument',
      ),
    title: z.string().describe('Its name; that of a company or entity as its register has it'),
    snippet: z.string().describe('What it is, in a sentence or two'),
    url: z.url().describe('Where the service has more of it; of a country its changes'),
    page,
    score: z.int().min(0).max(1000).describe('Higher answers better; comparable within one search only'),
    sources: z.array(z.string()).describe('Ids of the sources behind it'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchQuery = z.strictObject({
  locale,
  ...paging,
  q: searchText
    .describe(
      'What to find: names, codes, topics, in any script. Case, accents, width and the forms of Han characters make no difference; one wrong letter in a Latin word is forgiven',
    )
    .meta({ examples: ['inflation'] }),
  type: z.enum(SEARCH_TYPES).optional().describe('Only results of this type'),
});
export type SearchQuery = z.infer<typeof SearchQuery>;
