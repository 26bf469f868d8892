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
      .describe('Id of a signal or entity, slug of a company or indicator, code of a country, or key of an instrument'),
    title: z.string().describe('Name of the result; for a company or entity as registered'),
    snippet: z.string().describe('Description in one or two sentences'),
    url: z.url().describe('URL of the result; for a country, of its changes'),
    page,
    score: z.int().min(0).max(1000).describe('Higher is a better match; comparable only within one search'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchQuery = z.strictObject({
  locale,
  ...paging,
  q: searchText
    .describe(
      'Search text: names, codes or topics, in any script. Case, accents, width, variants of Han characters and one wrong letter in a Latin word make no difference',
    )
    .meta({ examples: ['inflation'] }),
  type: z.enum(SEARCH_TYPES).optional().describe('Only results of this type'),
});
export type SearchQuery = z.infer<typeof SearchQuery>;
