import { Get, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { AccountScoped } from '../../access/keys/account-scoped.decorator.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Follow, FollowedChange, FollowedChangesQuery, followingResource } from './following.schema.js';
import { LocaleQuery } from '../parameters.schema.js';
import { FollowingService } from './following.service.js';

@AccountScoped()
@ResourceController(followingResource)
export class FollowingController {
  constructor(private readonly following: FollowingService) {}

  @Get()
  @DescribeRoute({
    data: z.array(Follow),
    operation: 'listFollowing',
    summary: 'What the account follows',
    description:
      'All follows of the calling account, at most 500, newest first. The list is empty for an account without follows.',
  })
  list(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.following.list(context);
  }

  @Get('changes')
  @DescribeRoute({
    page: z.array(FollowedChange),
    operation: 'listFollowedChanges',
    summary: 'Changes of what is followed',
    description:
      'Changes of all targets that the account follows, newest publication first. Each change appears once, with its followed targets. The list is empty for an account without follows. A cursor is valid only for the account that received it.',
  })
  listChanges(
    @Query({ schema: FollowedChangesQuery }) query: FollowedChangesQuery,
    @Context() context: RequestContext,
  ) {
    return this.following.listChanges(query, context);
  }
}
