import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Topic, TopicDetail, TopicQuery, TopicSlug, topicsResource } from './topic.schema.js';
import { CountedQuery } from '../coverage/coverage.schema.js';
import { TopicsService } from './topics.service.js';

@ResourceController(topicsResource)
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Get()
  @DescribeRoute({
    data: z.array(Topic),
    operation: 'listTopics',
    summary: 'Topics',
    description: 'All topics on one page, with the number of changes in each as of the newest data day.',
  })
  list(@Query({ schema: CountedQuery }) query: CountedQuery, @Context() context: RequestContext) {
    return this.topics.list(query, context);
  }

  @Get(':slug')
  @DescribeRoute({
    data: TopicDetail,
    paged: true,
    operation: 'getTopic',
    summary: 'One topic',
    description: 'The topic, its signals and, in `changes`, a page of its changes, newest publication first.',
  })
  find(
    @Query({ schema: TopicQuery }) query: TopicQuery,
    @Param('slug', { schema: TopicSlug }) slug: string,
    @Context() context: RequestContext,
  ) {
    return this.topics.find(slug, query, context);
  }
}
