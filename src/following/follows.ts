import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AccessError, type Access } from '../access/access.js';
import { findTarget } from './find-target.js';
import { readTarget, type TargetKey, type TargetType } from './targets.js';

/** The whole list is one answer. */
export const MOST_FOLLOWS = 500;

export interface Follow extends TargetKey {
  readonly id: string;
  readonly since: Date;
}

const COLUMNS = 'id, target_type AS type, target_key AS key, since';

/** What an account follows. */
export class Follows {
  constructor(
    private readonly database: DataSource,
    private readonly access: Pick<Access, 'findAccount'>,
    private readonly now: () => Date,
  ) {}

  /** What is followed already stays as it is. */
  async add(email: string, type: TargetType, key: string): Promise<Follow> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, key);
    return this.database.transaction(async (manager) => {
      // Two at a time would each see room for one more.
      await manager.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [account]);
      const held = await manager.query<Follow[]>(`SELECT ${COLUMNS} FROM follows WHERE account_id = $1`, [
        account,
      ]);
      const known = held.find((one) => one.type === target.type && one.key === target.key);
      if (known !== undefined) return known;
      if (held.length >= MOST_FOLLOWS) {
        throw new AccessError(`An account follows at most ${MOST_FOLLOWS} targets: remove one first`);
      }
      const [made] = await manager.query<Follow[]>(
        `INSERT INTO follows (id, account_id, target_type, target_key, since) VALUES ($1, $2, $3, $4, $5)
         RETURNING ${COLUMNS}`,
        [`fol_${randomBytes(12).toString('base64url')}`, account, target.type, target.key, this.now()],
      );
      if (made === undefined) throw new Error('The follow was not made');
      return made;
    });
  }

  /** By the target as it was written: it need not exist any more. */
  async remove(email: string, type: TargetType, text: string): Promise<Follow> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, type, text).catch((error: unknown) => {
      if (error instanceof AccessError) return readTarget(type, text);
      throw error;
    });
    const [rows] = await this.database.query<[Follow[], number]>(
      `DELETE FROM follows WHERE account_id = $1 AND target_type = $2 AND target_key = $3 RETURNING ${COLUMNS}`,
      [account, target.type, target.key],
    );
    const [removed] = rows;
    if (removed === undefined)
      throw new AccessError(`${email} does not follow ${target.type} '${target.key}'`);
    return removed;
  }

  /** Newest first. */
  async list(email: string): Promise<Follow[]> {
    const { id } = await this.access.findAccount(email);
    return this.database.query<Follow[]>(
      `SELECT ${COLUMNS} FROM follows WHERE account_id = $1 ORDER BY since DESC, target_type, target_key`,
      [id],
    );
  }
}
