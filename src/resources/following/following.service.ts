import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import { Cursors } from '../../answers/cursors.service.js';
import type { Result } from '../../answers/result.js';
import { Texts } from '../../locale/texts.service.js';
import { ChangesService } from '../changes/changes.service.js';
import { TargetView } from '../target-view.js';
import { FOLLOWED_POSITIONS, FOLLOWS, type FollowedRow, type FollowRow } from './following-rows.js';
import type { Follow, FollowedChange, FollowedChangesQuery } from './following.schema.js';

/** Above every position there will be. */
const TOP = Number.MAX_SAFE_INTEGER;

@Injectable()
export class FollowingService {
  private readonly view: TargetView;

  constructor(
    private readonly archive: Archive,
    private readonly cursors: Cursors,
    private readonly changes: ChangesService,
    addresses: Addresses,
    texts: Texts,
  ) {
    this.view = new TargetView(addresses, texts);
  }

  /** All that the account follows, newest first. */
  list(call: CallContext): Promise<Result<Follow[]>> {
    return this.archive.answerOwn('changes', call, async (read) => {
      const rows = await read<FollowRow>(FOLLOWS, [call.caller.accountId]);
      const data = rows.map(({ id, since, ...target }) => ({
        id,
        target: this.view.show(target, call.locale),
        since: since.toISOString(),
      }));
      return { data };
    });
  }

  /** Changes that touch any of it, newest publication first. */
  listChanges({ limit, cursor }: FollowedChangesQuery, call: CallContext): Promise<Result<FollowedChange[]>> {
    const { accountId } = call.caller;
    const question = { route: 'following/changes', filters: { accountId } };
    return this.archive.answerOwn('changes', call, async (read, cite) => {
      const below = cursor === undefined ? TOP : this.cursors.read(question, cursor);
      const found = await read<FollowedRow>(FOLLOWED_POSITIONS, [accountId, below, limit + 1]);
      const shown = found.slice(0, limit);
      const changes = await this.changes.at(
        read,
        cite,
        shown.map(({ position }) => position),
        call,
      );
      const data = shown.flatMap(({ position, followed }) => {
        const change = changes.get(position);
        if (change === undefined) return [];
        return [{ ...change, followed: followed.map((target) => this.view.show(target, call.locale)) }];
      });
      const last = shown.at(-1);
      const more = found.length > limit && last !== undefined;
      return { data, page: { limit, nextCursor: more ? this.cursors.write(question, last.position) : null } };
    });
  }
}
