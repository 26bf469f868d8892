import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { ChangesService } from '../changes/changes.service.js';
import { TargetView } from './target.view.js';
import { FOLLOWED_POSITIONS, FOLLOWS, type FollowedRow, type FollowRow } from './following.rows.js';
import { followingResource, type Follow, type FollowedChange, type FollowedChangesQuery } from './following.schema.js';

/** Greater than any position. */
const TOP = Number.MAX_SAFE_INTEGER;

@Injectable()
export class FollowingService {
  private readonly view: TargetView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    private readonly changes: ChangesService,
    urls: UrlBuilder,
    texts: Texts,
  ) {
    this.view = new TargetView(urls, texts);
  }

  /** The account's follows, newest first. */
  list(context: RequestContext): Promise<Result<Follow[]>> {
    return this.reader.readPrimary(followingResource, context, async (read) => {
      const rows = await read<FollowRow>(FOLLOWS, [context.accountId]);
      const data = rows.map(({ id, since, ...target }) => ({
        id,
        target: this.view.show(target, context.locale),
        since: since.toISOString(),
      }));
      return { data };
    });
  }

  /** Changes of any followed target, newest publication first. */
  listChanges({ limit, cursor }: FollowedChangesQuery, context: RequestContext): Promise<Result<FollowedChange[]>> {
    const { accountId } = context;
    const scope = { route: 'following/changes', filters: { accountId } };
    return this.reader.readPrimary(followingResource, context, async (read, cite) => {
      const below = cursor === undefined ? TOP : this.cursors.read(scope, cursor);
      const found = await read<FollowedRow>(FOLLOWED_POSITIONS, [accountId, below, limit + 1]);
      const { shown, page } = this.cursors.page(found, limit, scope, ({ position }) => position);
      const changes = await this.changes.at(
        read,
        cite,
        shown.map(({ position }) => position),
        context,
      );
      const data = shown.flatMap(({ position, followed }) => {
        const change = changes.get(position);
        if (change === undefined) return [];
        return [{ ...change, followed: followed.map((target) => this.view.show(target, context.locale)) }];
      });
      return { data, page };
    });
  }
}
