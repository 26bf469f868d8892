import { Get, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { SearchQuery, SearchResult, searchResource } from './search.schema.js';
import { SearchService } from './search.service.js';

@ResourceController(searchResource)
export class SearchController {
  constructor(private readonly found: SearchService) {}

  @Get()
  @DescribeRoute({
    page: z.array(SearchResult),
    operation: 'searchByWords',
    summary: 'Search',
    description:
      'Signals, companies, legal entities, countries, indicators and instruments by name, code or topic. Best match first; equal scores are sorted by type and id. The pages of one search stay consistent for ten minutes, even during imports. The list is empty without a match. `GET /changes?q=` searches changes.',
  })
  search(@Query({ schema: SearchQuery }) query: SearchQuery, @Context() context: RequestContext) {
    return this.found.search(query, context);
  }
}
