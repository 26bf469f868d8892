import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { Topic, TopicDetail, TopicQuery, TopicSlug, TopicsQuery } from './topic.schema.js';
import { TopicsService } from './topics.service.js';

@ApiTags('Topics')
@Controller('topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Get()
  @Answers({
    data: z.array(Topic),
    operation: 'listTopics',
    summary: 'Topics',
    description: 'All topics, whole, with how much changed in each as of the newest data day.',
  })
  list(@Query({ schema: TopicsQuery }) _query: object, @Call() call: CallContext) {
    return this.topics.list(call);
  }

  @Get(':slug')
  @Answers({
    data: TopicDetail,
    paged: true,
    operation: 'getTopic',
    summary: 'One topic',
    description: 'The topic, its signals and, as `changes`, a page of its changes, newest publication first.',
  })
  find(
    @Query({ schema: TopicQuery }) query: TopicQuery,
    @Param('slug', { schema: TopicSlug }) slug: string,
    @Call() call: CallContext,
  ) {
    return this.topics.find(slug, query, call);
  }
}
