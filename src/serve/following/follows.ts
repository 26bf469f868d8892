import type { DataSource, EntityManager } from 'typeorm';
import { asAccount } from '../../store/account-scope.js';
import { AccessError } from '../access/accounts/access-error.js';
import type { Access } from '../access/accounts/access.js';
import { audit, OPERATOR, type Actor, type AuditAction } from '../access/accounts/audit-log.js';
import { newId } from '../access/accounts/new-id.js';
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
    private readonly actor: Actor = OPERATOR,
  ) {}

  /** The same rules, with another actor in the audit log. */
  as(actor: Actor): Follows {
    return new Follows(this.database, this.access, this.now, actor);
  }

  /** Following a target twice changes nothing. */
  async add(email: string, type: TargetType, key: string): Promise<FollowEntity> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, key);
    return asAccount(this.database, account, async (manager) => {
      // Two concurrent calls would each find room for one more.
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [account]);
      const held = await manager.findBy(FollowEntity, { accountId: account });
      const known = held.find((one) => one.type === target.type && one.key === target.key);
      if (known !== undefined) return known;
      if (held.length >= MOST_FOLLOWS) {
        throw new AccessError(`An account follows at most ${MOST_FOLLOWS} targets: remove one first`, {
          code: 'follow_cap',
          args: { count: MOST_FOLLOWS },
        });
      }
      const made = { id: newId('fol'), accountId: account, ...target, since: this.now() };
      await manager.insert(FollowEntity, made);
      await this.record(manager, made, 'follow_added');
      return made;
    });
  }

  /** Accepts the target as the caller wrote it, because it may no longer exist. */
  async remove(email: string, type: TargetType, text: string): Promise<FollowEntity> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, text).catch((error: unknown) => {
      if (error instanceof AccessError) return readTarget(type, text);
      throw error;
    });
    return asAccount(this.database, account, async (manager) => {
      const follow = await manager.findOneBy(FollowEntity, { accountId: account, ...target });
      if (follow === null) {
        const message = `${email} does not follow ${target.type} '${target.key}'`;
        throw new AccessError(message, { code: 'follow_unknown' });
      }
      await manager.delete(FollowEntity, follow.id);
      await this.record(manager, follow, 'follow_removed');
      return follow;
    });
  }

  /** Newest first. */
  async list(email: string): Promise<FollowEntity[]> {
    const { id } = await this.access.findAccount(email);
    return asAccount(this.database, id, (manager) =>
      manager.find(FollowEntity, { where: { accountId: id }, order: { since: 'DESC', type: 'ASC', key: 'ASC' } }),
    );
  }

  private record(manager: EntityManager, { id, accountId }: FollowEntity, action: AuditAction) {
    return audit(manager, this.actor, { accountId, action, at: this.now(), subject: id });
  }
}
