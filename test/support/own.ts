import { DataSource } from 'typeorm';
import { Alerts, type NewAlert } from '../../src/serve/following/alerts.js';
import { Follows } from '../../src/serve/following/follows.js';
import type { TargetType } from '../../src/serve/following/targets.js';
import type { Plan } from '../../src/domain/plans/plans.js';
import type { TestServer } from './server.js';

/** An account with a key, its follows and its alerts. */
export interface Owner {
  readonly email: string;
  readonly key: string;
  follow(type: TargetType, key: string): Promise<{ readonly id: string }>;
  alert(wanted: NewAlert): Promise<{ readonly id: string }>;
  /** The response to a path, with the account's key. */
  get: TestServer['get'];
}

/** @param since when its follows and alerts began */
export async function ownerOf(
  service: TestServer,
  name: string,
  since = new Date('2026-01-01T00:00:00Z'),
  plan: Plan = 'developer',
): Promise<Owner> {
  const email = `${name}@own.example`;
  await service.access.createAccount({ email, plan, signedUpAt: new Date('2020-01-01T00:00:00Z') });
  const { text: key } = await service.access.createKey(email, 'own');
  const database = service.server.app.get(DataSource);
  const follows = new Follows(database, service.access, () => since);
  const alerts = new Alerts(database, service.access, () => since);
  return {
    email,
    key,
    follow: (type, target) => follows.add(email, type, target),
    alert: (wanted) => alerts.add(email, wanted),
    get: (path, sent, init) => service.get(path, sent === undefined ? key : sent, init),
  };
}

/** Adds alerts on Japan by SQL, past the limit of the plan. Returns how many. */
export async function moreAlerts(
  sql: (text: string, parameters: unknown[]) => Promise<unknown>,
  accountId: string,
  count: number,
): Promise<number> {
  await sql(
    `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, created_at)
     SELECT 'alr_more_' || $1 || '_' || n, $1, 'more ' || n, 'country', 'JP', 'any_change', '2026-01-01'
     FROM generate_series(1, $2::int) n`,
    [accountId, count],
  );
  return count;
}
