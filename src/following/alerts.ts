import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AccessError, type Access } from '../access/access.js';
import { readCondition, standingOf, type AlertMetric } from './alert-conditions.js';
import { findTarget } from './find-target.js';
import type { TargetKey, TargetType } from './targets.js';

export const ALERT_STATES = ['armed', 'triggered', 'paused'] as const;

/** More than a person can tend, and few enough that an account cannot slow a publication down. */
const MOST_ALERTS = 500;

export interface NewAlert {
  readonly name?: string | undefined;
  readonly type: TargetType;
  readonly key: string;
  readonly metric: AlertMetric;
  readonly threshold?: string | undefined;
}

export interface AlertRow extends TargetKey {
  readonly id: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly threshold: string | null;
  readonly state: (typeof ALERT_STATES)[number];
  readonly createdAt: Date;
  readonly lastTriggeredAt: Date | null;
}

const COLUMNS = `id, name, target_type AS type, target_key AS key, metric, threshold, state,
  created_at AS "createdAt",
  (SELECT max(e.at) FROM alert_events e WHERE e.alert_id = alerts.id) AS "lastTriggeredAt"`;

/** What an account wants to be told of. */
export class Alerts {
  constructor(
    private readonly database: DataSource,
    private readonly access: Pick<Access, 'findAccount'>,
    private readonly now: () => Date,
  ) {}

  async add(email: string, wanted: NewAlert): Promise<AlertRow> {
    const { id: account } = await this.access.findAccount(email);
    const target = await findTarget(this.database, wanted.type, wanted.key);
    const condition = await readCondition(this.database, target, wanted.metric, wanted.threshold);
    const name = wanted.name?.trim() ?? `${target.type} ${target.key}`;
    if (name === '' || name.length > 100 || /\p{Cc}/u.test(name)) {
      throw new AccessError('An alert has a name of 1 to 100 printable characters');
    }
    return this.database.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [account]);
      const [held] = await manager.query<{ count: number }[]>(
        'SELECT count(*) AS count FROM alerts WHERE account_id = $1',
        [account],
      );
      if ((held?.count ?? 0) >= MOST_ALERTS) {
        throw new AccessError(`An account has at most ${MOST_ALERTS} alerts: remove one first`);
      }
      const { period, met } = await standingOf(manager, target, condition);
      const [made] = await manager.query<AlertRow[]>(
        `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, threshold, created_at,
           judged_period, met)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
        [
          `alr_${randomBytes(12).toString('base64url')}`,
          account,
          name,
          target.type,
          target.key,
          wanted.metric,
          condition?.threshold ?? null,
          this.now(),
          period,
          met,
        ],
      );
      if (made === undefined) throw new Error('The alert was not made');
      return made;
    });
  }

  async remove(email: string, id: string): Promise<AlertRow> {
    const { id: account } = await this.access.findAccount(email);
    const [rows] = await this.database.query<[AlertRow[], number]>(
      `DELETE FROM alerts WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [account, id],
    );
    return only(rows, email, id);
  }

  /** It looks at nothing and says nothing until it is resumed. */
  async pause(email: string, id: string): Promise<AlertRow> {
    const { id: account } = await this.access.findAccount(email);
    const [rows] = await this.database.query<[AlertRow[], number]>(
      `UPDATE alerts SET state = 'paused' WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [account, id],
    );
    return only(rows, email, id);
  }

  /** As if it were made now: what was published meanwhile is passed over. */
  async resume(email: string, id: string): Promise<AlertRow> {
    const { id: account } = await this.access.findAccount(email);
    return this.database.transaction(async (manager) => {
      const alert = only(
        await manager.query<AlertRow[]>(
          `SELECT ${COLUMNS} FROM alerts WHERE account_id = $1 AND id = $2 FOR UPDATE`,
          [account, id],
        ),
        email,
        id,
      );
      if (alert.state !== 'paused') return alert;
      const { metric, threshold } = alert;
      const condition = metric === 'any_change' || threshold === null ? null : { metric, threshold };
      const { period, met } = await standingOf(manager, alert, condition);
      const [rows] = await manager.query<[AlertRow[], number]>(
        `UPDATE alerts SET state = 'armed', judged_period = $2, met = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, period, met],
      );
      return only(rows, email, id);
    });
  }

  /** Newest first. */
  async list(email: string): Promise<AlertRow[]> {
    const { id } = await this.access.findAccount(email);
    return this.database.query<AlertRow[]>(
      `SELECT ${COLUMNS} FROM alerts WHERE account_id = $1 ORDER BY position DESC`,
      [id],
    );
  }
}

function only(rows: readonly AlertRow[], email: string, id: string): AlertRow {
  const [row] = rows;
  if (row === undefined) throw new AccessError(`${email} has no alert ${id}`);
  return row;
}
