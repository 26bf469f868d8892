import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AccessError } from '../access/access-error.js';
import type { Access } from '../access/access.js';
import { findTarget } from './find-target.js';
import { FollowEntity } from './follow.entity.js';
import { readTarget, type TargetType } from './targets.js';

/** The list has no pages: one response returns it whole. */
export const MOST_FOLLOWS = 500;

/** The targets that accounts follow. */
export class Follows {
  constructor(
    private readonly database: DataSource,
    private readonly access: Pick<Access, 'findAccount'>,
    private readonly now: () => Date,
  ) {}

  /** Following a target twice changes nothing. */
  async add(email: string, type: TargetType, key: string): Promise<FollowEntity> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, key);
    return this.database.transaction(async (manager) => {
      // Two concurrent calls would each find room for one more.
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [account]);
      const held = await manager.findBy(FollowEntity, { accountId: account });
      const known = held.find((one) => one.type === target.type && one.key === target.key);
      if (known !== undefined) return known;
      if (held.length >= MOST_FOLLOWS) {
        throw new AccessError(`An account follows at most ${MOST_FOLLOWS} targets: remove one first`);
      }
      const id = `fol_${randomBytes(12).toString('base64url')}`;
      const made = { id, accountId: account, ...target, since: this.now() };
      await manager.insert(FollowEntity, made);
      return made;
    });
  }

  /** Accepts the target as the operator wrote it, because it may no longer exist. */
  async remove(email: string, type: TargetType, text: string): Promise<FollowEntity> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, text).catch((error: unknown) => {
      if (error instanceof AccessError) return readTarget(type, text);
      throw error;
    });
    const follow = await this.follows.findOneBy({ accountId: account, ...target });
    if (follow === null) throw new AccessError(`${email} does not follow ${target.type} '${target.key}'`);
    await this.follows.delete(follow.id);
    return follow;
  }

  /** Newest first. */
  async list(email: string): Promise<FollowEntity[]> {
    const { id } = await this.access.findAccount(email);
    return this.follows.find({ where: { accountId: id }, order: { since: 'DESC', type: 'ASC', key: 'ASC' } });
  }

  private get follows() {
    return this.database.getRepository(FollowEntity);
  }
}
