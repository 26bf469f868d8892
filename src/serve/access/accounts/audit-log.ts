import type { DataSource, EntityManager } from 'typeorm';
import { asAccount } from '../../../store/account-scope.js';

/** The actor: an owner from a network, the operator, or a caller who could not sign in. */
export interface Actor {
  readonly kind: 'owner' | 'operator' | 'unknown';
  /** The client's address without its last part, from `shortenAddress`. */
  readonly address: string | null;
}

export const OPERATOR: Actor = { kind: 'operator', address: null };

/** Each is a text of the pages. */
export type AuditAction = keyof (typeof import('../../../domain/locale/messages/en/account.json'))['actions'];

export interface AuditEvent {
  readonly at: Date;
  readonly actor: Actor['kind'];
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly address: string | null;
}

/** Writes one row for each change of an account, in the transaction of that change. */
export async function audit(
  on: EntityManager,
  { kind, address }: Actor,
  event: { accountId: string; action: AuditAction; at: Date; subject?: string | undefined },
): Promise<void> {
  await on.query(
    'INSERT INTO audit_events (account_id, at, actor, action, subject, address) VALUES ($1, $2, $3, $4, $5, $6)',
    [event.accountId, event.at, kind, event.action, event.subject ?? null, address],
  );
}

/** Newest first. */
export function listAudit(on: DataSource, accountId: string, most: number): Promise<AuditEvent[]> {
  return asAccount(on, accountId, (manager) =>
    manager.query<AuditEvent[]>(
      'SELECT at, actor, action, subject, address FROM audit_events WHERE account_id = $1 ORDER BY id DESC LIMIT $2',
      [accountId, most],
    ),
  );
}
