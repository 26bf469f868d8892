import { Controller, Get, Post } from '@nestjs/common';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { Follows } from '../../serve/following/follows.js';
import type { TargetKey } from '../../serve/following/targets.js';
import { FollowingService } from '../../serve/resources/following/following.service.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { AccountExchange, Exchange } from './account-exchange.js';
import { isTargetType, TargetSearch } from './target-search.service.js';

const VIEW = 'account-follows';

@AccountPage()
@Controller('account/follows')
export class FollowsController {
  constructor(
    private readonly follows: Follows,
    private readonly following: FollowingService,
    private readonly targets: TargetSearch,
  ) {}

  @Get()
  async show(@Exchange() page: AccountExchange): Promise<void> {
    const [q, indicator] = [page.parameter('q'), page.parameter('indicator')];
    page.show(VIEW, await this.model(page, q, indicator));
  }

  @Post()
  @OnRefusal<FollowsController>(VIEW, (self, page) => self.model(page, page.field('q')))
  async add(@Exchange() page: AccountExchange): Promise<void> {
    const { type, key } = sentTarget(page);
    await this.follows.as(page.actor).add(page.owner.email, type, key);
    this.leadBack(page);
  }

  @Post('remove')
  @OnRefusal<FollowsController>(VIEW, (self, page) => self.model(page, page.field('q')))
  async remove(@Exchange() page: AccountExchange): Promise<void> {
    const { type, key } = sentTarget(page);
    await this.follows.as(page.actor).remove(page.owner.email, type, key);
    this.leadBack(page);
  }

  private leadBack(page: AccountExchange): void {
    const q = page.field('q');
    page.lead('/account/follows', q === '' ? {} : { q });
  }

  private async model(page: AccountExchange, q: string, indicator = '') {
    const { context } = page;
    const choice = await this.targets.find(q, indicator, context);
    const { data: followed } = await this.following.list(context);
    const keys = new Set(followed.map(({ target }) => `${target.type} ${target.key}`));
    const path = q === '' ? '/account/follows' : `/account/follows?q=${encodeURIComponent(q)}`;
    return { ...choice, path, followed, isFollowed: ({ type, key }: TargetKey) => keys.has(`${type} ${key}`) };
  }
}

/** The target of a form; a region makes a series of an indicator. @throws AccessError `target_unknown` */
export function sentTarget(page: AccountExchange): TargetKey {
  return targetOf(page.field('type'), page.field('key'), page.field('region'));
}

export function targetOf(type: string, key: string, region: string): TargetKey {
  if (!isTargetType(type)) throw new AccessError('The target has no known type', { code: 'target_unknown' });
  return { type, key: type === 'series' && region !== '' ? `${key}@${region}` : key };
}
