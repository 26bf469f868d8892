import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { Follows } from '../../serve/following/follows.js';
import type { TargetKey } from '../../serve/following/targets.js';
import { FollowingService } from '../../serve/resources/following/following.service.js';
import { AccountPage } from './account-page.decorator.js';
import { AccountPages } from './account-pages.service.js';
import { field, parameter, type AccountRequest } from './account-request.js';
import { ownerActor, ownerContext } from './owner-context.js';
import { OwnerGuard, sessionOf } from './owner.guard.js';
import { isTargetType, TargetSearch } from './target-search.service.js';

const VIEW = 'account-follows';

@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account/follows')
export class FollowsController {
  constructor(
    private readonly follows: Follows,
    private readonly following: FollowingService,
    private readonly targets: TargetSearch,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  async show(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const [q, indicator] = [parameter(request, 'q'), parameter(request, 'indicator')];
    this.pages.show(request, response, VIEW, await this.model(request, q, indicator));
  }

  @Post()
  async add(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.change(request, response, (follows, email, { type, key }) => follows.add(email, type, key));
  }

  @Post('remove')
  async remove(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.change(request, response, (follows, email, { type, key }) => follows.remove(email, type, key));
  }

  private async change(
    request: AccountRequest,
    response: Response,
    work: (follows: Follows, email: string, target: TargetKey) => Promise<unknown>,
  ): Promise<void> {
    const q = field(request, 'q');
    try {
      const follows = this.follows.as(ownerActor(request));
      await work(follows, sessionOf(request).email, sentTarget(request));
      this.pages.lead(request, response, '/account/follows', q === '' ? {} : { q });
    } catch (error) {
      this.pages.refuse(request, response, VIEW, error, await this.model(request, q, ''));
    }
  }

  private async model(request: AccountRequest, q: string, indicator: string) {
    const context = ownerContext(request);
    const choice = await this.targets.find(q, indicator, context);
    const { data: followed } = await this.following.list(context);
    const keys = new Set(followed.map(({ target }) => `${target.type} ${target.key}`));
    const path = q === '' ? '/account/follows' : `/account/follows?q=${encodeURIComponent(q)}`;
    return {
      ...choice,
      path,
      followed,
      isFollowed: ({ type, key }: TargetKey) => keys.has(`${type} ${key}`),
    };
  }
}

/** The target of a form; a region makes a series of an indicator. @throws AccessError `target_unknown` */
export function sentTarget(request: AccountRequest): TargetKey {
  return targetOf(field(request, 'type'), field(request, 'key'), field(request, 'region'));
}

export function targetOf(type: string, key: string, region: string): TargetKey {
  if (!isTargetType(type)) throw new AccessError('The target has no known type', { code: 'target_unknown' });
  return { type, key: type === 'series' && region !== '' ? `${key}@${region}` : key };
}
