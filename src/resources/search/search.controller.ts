import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { SearchQuery, SearchResult } from './search.schema.js';
import { SearchService } from './search.service.js';

@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(private readonly found: SearchService) {}

  @Get()
  @Answers({
    page: z.array(SearchResult),
    operation: 'searchByWords',
    summary: 'Search',
    description:
      'Signals, companies, legal entities, countries, indicators and instruments by name, code or topic, the best answer first; equal scores in order of type and id. The pages of one search stay consistent for ten minutes while imports go on. Nothing to find is an empty list. Changes are searched by `GET /changes?q=`.',
  })
  search(@Query({ schema: SearchQuery }) query: SearchQuery, @Call() call: CallContext) {
    return this.found.search(query, call);
  }
}
