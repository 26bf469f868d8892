import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Own } from '../../access/own.decorator.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { Follow, FollowedChange, FollowedChangesQuery, FollowingQuery } from './following.schema.js';
import { FollowingService } from './following.service.js';

@Own()
@ApiTags('Following')
@Controller('following')
export class FollowingController {
  constructor(private readonly following: FollowingService) {}

  @Get()
  @Answers({
    data: z.array(Follow),
    operation: 'listFollowing',
    summary: 'What the account follows',
    description:
      'All of it, 500 targets at most, newest first; empty for an account that follows nothing. Only the calling account’s own.',
  })
  list(@Query({ schema: FollowingQuery }) _query: object, @Call() call: CallContext) {
    return this.following.list(call);
  }

  @Get('changes')
  @Answers({
    page: z.array(FollowedChange),
    operation: 'listFollowedChanges',
    summary: 'Changes of what is followed',
    description:
      'Changes that touch any target the account follows, newest publication first, each once with the targets that it touches; empty for an account that follows nothing. A cursor fits the account that it was issued to.',
  })
  listChanges(
    @Query({ schema: FollowedChangesQuery }) query: FollowedChangesQuery,
    @Call() call: CallContext,
  ) {
    return this.following.listChanges(query, call);
  }
}
