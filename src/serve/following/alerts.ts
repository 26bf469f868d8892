import type { DataSource, EntityManager } from 'typeorm';
import { asAccount } from '../../store/account-scope.js';
import { AccessError, UnknownNameError } from '../access/accounts/access-error.js';
import type { Access } from '../access/accounts/access.js';
import { audit, OPERATOR, type Actor, type AuditAction } from '../access/accounts/audit-log.js';
import { newId } from '../access/accounts/new-id.js';
import { givenName } from '../../domain/names/one-line.js';
import { readCondition, initialEvaluationOf } from './alert-conditions.js';
import type { AlertMetric } from './alert-metrics.js';
import { findTarget } from './find-target.js';
import type { TargetType } from './targets.js';
import { AlertEntity } from './alert.entity.js';

export const ALERT_STATES = ['armed', 'triggered', 'paused'] as const;

/** More than a person needs, and few enough not to slow a publication down. */
const MOST_ALERTS = 500;

export interface NewAlert {
  readonly name?: string | undefined;
  readonly type: TargetType;
  readonly key: string;
  readonly metric: AlertMetric;
  readonly threshold?: string | undefined;
}

export interface StoredAlert extends Omit<AlertEntity, 'position' | 'accountId' | 'evaluatedPeriod' | 'met'> {
  readonly lastTriggeredAt: Date | null;
}

const COLUMNS = `id, name, target_type AS type, target_key AS key, metric, threshold, state,
  created_at AS "createdAt",
  (SELECT max(e.at) FROM alert_events e WHERE e.alert_id = alerts.id) AS "lastTriggeredAt"`;

/** The alerts of accounts. */
export class Alerts {
  constructor(
    private readonly database: DataSource,
    private readonly access: Pick<Access, 'findAccount'>,
    private readonly now: () => Date,
    private readonly actor: Actor = OPERATOR,
  ) {}

  /** The same rules, with another actor in the audit log. */
  as(actor: Actor): Alerts {
    return new Alerts(this.database, this.access, this.now, actor);
  }

  /** The target and the condition that an alert would have. @throws AccessError */
  async check({ type, key, metric, threshold }: NewAlert) {
    const target = await findTarget(this.database, type, key);
    return { target, condition: await readCondition(this.database, target, metric, threshold) };
  }

  async add(email: string, wanted: NewAlert): Promise<StoredAlert> {
    const { id: account } = await this.access.findAccount(email);
    const { target, condition } = await this.check(wanted);
    const name = givenName(wanted.name ?? `${target.type} ${target.key}`, 100);
    if (name === null) {
      throw new AccessError('An alert has a name of 1 to 100 printable characters on one line', {
        code: 'name_invalid',
      });
    }
    return asAccount(this.database, account, async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [account]);
      if ((await manager.countBy(AlertEntity, { accountId: account })) >= MOST_ALERTS) {
        throw new AccessError(`An account has at most ${MOST_ALERTS} alerts: remove one first`, {
          code: 'alert_cap',
          args: { count: MOST_ALERTS },
        });
      }
      const { period, met } = await initialEvaluationOf(manager, target, condition);
      const [made] = await manager.query<StoredAlert[]>(
        `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, threshold, created_at,
           evaluated_period, met)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
        [
          newId('alr'),
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
      await this.record(manager, account, made.id, 'alert_created');
      return made;
    });
  }

  remove(email: string, id: string): Promise<StoredAlert> {
    return this.change(email, id, 'alert_deleted', 'DELETE FROM alerts');
  }

  /** A paused alert is neither evaluated nor fired. */
  pause(email: string, id: string): Promise<StoredAlert> {
    return this.change(email, id, 'alert_paused', `UPDATE alerts SET state = 'paused'`);
  }

  /** Restarts the alert from now: publications in between do not fire it. */
  async resume(email: string, id: string): Promise<StoredAlert> {
    const { id: account } = await this.access.findAccount(email);
    return asAccount(this.database, account, async (manager) => {
      const alert = only(
        await manager.query<StoredAlert[]>(
          `SELECT ${COLUMNS} FROM alerts WHERE account_id = $1 AND id = $2 FOR UPDATE`,
          [account, id],
        ),
        id,
      );
      if (alert.state !== 'paused') return alert;
      const { metric, threshold } = alert;
      const condition = metric === 'any_change' || threshold === null ? null : { metric, threshold };
      const { period, met } = await initialEvaluationOf(manager, alert, condition);
      const [rows] = await manager.query<[StoredAlert[], number]>(
        `UPDATE alerts SET state = 'armed', evaluated_period = $2, met = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, period, met],
      );
      await this.record(manager, account, id, 'alert_resumed');
      return only(rows, id);
    });
  }

  /** Newest first. */
  async list(email: string): Promise<StoredAlert[]> {
    const { id } = await this.access.findAccount(email);
    return asAccount(this.database, id, (manager) =>
      manager.query<StoredAlert[]>(`SELECT ${COLUMNS} FROM alerts WHERE account_id = $1 ORDER BY position DESC`, [id]),
    );
  }

  /** One statement on one alert, with its audit row. */
  private async change(email: string, id: string, action: AuditAction, sql: string): Promise<StoredAlert> {
    const { id: account } = await this.access.findAccount(email);
    return asAccount(this.database, account, async (manager) => {
      const [rows] = await manager.query<[StoredAlert[], number]>(
        `${sql} WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [account, id],
      );
      const changed = only(rows, id);
      await this.record(manager, account, id, action);
      return changed;
    });
  }

  private record(manager: EntityManager, accountId: string, subject: string, action: AuditAction) {
    return audit(manager, this.actor, { accountId, action, at: this.now(), subject });
  }
}

function only(rows: readonly StoredAlert[], id: string): StoredAlert {
  const [row] = rows;
  if (row === undefined) throw new UnknownNameError('alert', id, { code: 'alert_unknown' });
  return row;
}
