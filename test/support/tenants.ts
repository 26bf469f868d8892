import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** A table of accounts. */
export interface OwnTable {
  readonly table: string;
  /** The condition of one account's rows; $1 the account. */
  readonly where: string;
}

/** `changed_accounts` lists ids alone, and every instance reads all of them. */
const COLUMNS = `SELECT table_name AS table FROM information_schema.columns
  WHERE table_schema = 'public' AND column_name = 'account_id' AND table_name <> 'changed_accounts'`;
const KEYS = `
  SELECT c.conrelid::regclass::text AS table, a.attname AS column, c.confrelid::regclass::text AS parent,
    b.attname AS key
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace ORDER BY c.oid`;

/** All tables whose rows belong to an account, by their column or by foreign keys, from the catalog. */
export async function ownTables(owner: DataSource): Promise<OwnTable[]> {
  const found = new Map([['accounts', 'id = $1']]);
  for (const { table } of await owner.query<{ table: string }[]>(COLUMNS)) found.set(table, 'account_id = $1');
  const keys = await owner.query<{ table: string; column: string; parent: string; key: string }[]>(KEYS);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const { table, column, parent, key } of keys) {
      const where = found.get(parent);
      if (where === undefined || found.has(table)) continue;
      found.set(table, `${column} IN (SELECT ${key} FROM ${parent} WHERE ${where})`);
    }
  }
  return [...found].map(([table, where]) => ({ table, where })).sort((a, b) => (a.table < b.table ? -1 : 1));
}

/** Rows of an account in each table that belongs to accounts. */
export async function seedAccount(owner: DataSource, account: string, rows: number): Promise<void> {
  const run = (sql: string, parameters: unknown[] = []) => owner.query(sql, [account, ...parameters]);
  await run(`INSERT INTO accounts (id, email, plan, status, signed_up_at)
             VALUES ($1, replace($1, '_', '-') || '@seed.example', 'free', 'active', now())`);
  await run(`INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, '$argon2id$x', now())`);
  await run(`INSERT INTO refused_requests VALUES ($1, now(), '[{}]')`);
  for (let number = 0; number < rows; number += 1) {
    const id = `${account}_${String(number)}`;
    const hash = randomBytes(32);
    await run(`INSERT INTO account_identities VALUES ('https://' || $2, $2, $1, now())`, [id]);
    await run(
      `INSERT INTO account_sessions (id, account_id, hash, created_at, last_used_at, expires_at, client, address)
       VALUES ('ses_' || $2::text, $1, $3, now(), now(), now() + interval '1 day', '', '')`,
      [id, hash],
    );
    await run(
      `INSERT INTO one_time_tokens (hash, purpose, account_id, email, locale, created_at, expires_at)
       VALUES ($2, 'reset', $1, 'x@seed.example', 'en', now(), now() + interval '1 day')`,
      [hash],
    );
    await run(
      `INSERT INTO authorization_requests VALUES ($2, $2, 'link', $1, '', '', 'en', now(), now() + interval '1 day')`,
      [hash],
    );
    await run(
      `INSERT INTO api_keys (id, account_id, name, hash, pepper_id, prefix)
       VALUES ('key_' || $2::text, $1, $2, $3, 'test', 'tm_00000')`,
      [id, hash],
    );
    await run(
      `INSERT INTO key_usage (key_id, last_used_at, client) SELECT 'key_' || $2::text, now(), '' WHERE $1::text <> ''`,
      [id],
    );
    await run(`INSERT INTO daily_usage (account_id, day, admitted) VALUES ($1, current_date - $2::int, 1)`, [number]);
    await run(
      `INSERT INTO minute_usage (account_id, minute, admitted)
       VALUES ($1, date_trunc('minute', now(), 'UTC') - $2::int * interval '1 minute', 1)`,
      [number],
    );
    await run(`INSERT INTO audit_events (account_id, at, actor, action) VALUES ($1, now(), 'owner', 'signed_in')`);
    await run(
      `INSERT INTO follows (id, account_id, target_type, target_key, since)
       VALUES ('fol_' || $2::text, $1, 'topic', $2, now())`,
      [id],
    );
    await run(
      `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, created_at)
       VALUES ('alr_' || $2::text, $1, $2, 'topic', $2, 'any_change', now())`,
      [id],
    );
    await run(
      `INSERT INTO alert_events (alert_id, change_id, at)
       SELECT 'alr_' || $2::text, id, now() FROM changes WHERE $1::text <> '' ORDER BY id LIMIT 1`,
      [id],
    );
    await run(
      `INSERT INTO notification_channels (id, account_id, kind, url, secret, created_at)
       VALUES ('chn_' || $2::text, $1, 'webhook', 'https://seed.example', '\\x00', now())`,
      [id],
    );
    await run(
      `INSERT INTO notifications (channel_id, created_at, next_attempt_at)
       SELECT 'chn_' || $2::text, now(), now() WHERE $1::text <> ''`,
      [id],
    );
  }
}
