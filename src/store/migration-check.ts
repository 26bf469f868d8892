import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type Migration } from 'typeorm';
import type { Connections } from './connections.js';
import type { ReleaseMigration } from './schema/release-migration.js';

/** The roles that the schema grants rights to. */
const ROLES = ['tidemark_api', 'tidemark_import', 'tidemark_account'];
const LONG_MS = 1_000;
const MOST_LISTED = 20;

export interface MigrationAssessment {
  /** Names, in the order in which they run. */
  readonly pending: readonly string[];
  /** Why `migrate` refuses, with the statements that a superuser runs first; null: it does not. */
  readonly refusal: string | null;
  /** Tables that readers cannot use while the migrations run. */
  readonly locks: readonly string[];
  /** The oldest version whose instances keep serving; null: none. */
  readonly serves: string | null;
  /** Bytes that rendering every stored text again, which may follow the migrations, adds to the database at most. */
  readonly disk: number;
  /** Free bytes on the disk of the embedded database; null: the disk is that of a server. */
  readonly free: number | null;
}

/** $1 the roles. Since PostgreSQL 16, a role that may create roles grants only those that it created. */
const MISSING_RIGHTS = `
  WITH login AS (
    SELECT rolsuper OR rolcreaterole AS creates,
      rolsuper OR rolcreaterole AND current_setting('server_version_num')::integer < 160000 AS grants
    FROM pg_roles WHERE rolname = current_user)
  SELECT format('CREATE ROLE %I NOLOGIN', wanted) AS statement
  FROM login CROSS JOIN unnest($1::text[]) AS w (wanted)
  WHERE NOT creates AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted)
  UNION ALL
  SELECT format('GRANT %I TO %I', wanted, current_user)
  FROM login CROSS JOIN unnest($1::text[]) AS w (wanted) LEFT JOIN pg_roles r ON r.rolname = wanted
  WHERE CASE WHEN r.oid IS NULL THEN NOT creates ELSE NOT grants AND NOT pg_has_role(r.oid, 'MEMBER') END
  UNION ALL
  SELECT DISTINCT format('GRANT %I TO %I', pg_get_userbyid(c.relowner), current_user)
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'S')
    AND NOT pg_has_role(c.relowner, 'USAGE')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER SCHEMA public OWNER TO %I', current_user)
  FROM pg_namespace WHERE nspname = 'public' AND NOT pg_has_role(nspowner, 'USAGE')
  UNION ALL
  SELECT 'CREATE EXTENSION pg_trgm SCHEMA public'
  WHERE NOT has_database_privilege(current_database(), 'CREATE')
    AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
  ORDER BY 1`;

export const IS_EMPTY = `SELECT to_regclass('public.publications') IS NULL AS empty`;

/** Each running instance has one heartbeat. */
const STATE = `
  ${IS_EMPTY},
    (SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tidemark-heartbeat')::integer AS instances,
    (SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relname IN ('changes', 'change_documents', 'change_words', 'briefs', 'brief_items', 'signals', 'search_texts')
    )::bigint AS disk`;

interface State {
  readonly empty: boolean;
  readonly instances: number;
  readonly disk: number;
}

/** Checks what the pending migrations need, before their first statement. Changes nothing. */
export async function assessMigration(
  database: DataSource,
  engine: Connections['engine'],
): Promise<MigrationAssessment> {
  const executor = new MigrationExecutor(database);
  const migrations = await executor.getPendingMigrations();
  const pending = migrations.map(releaseOf);
  const [newest] = await executor.getExecutedMigrations();
  const missing = await database.query<{ statement: string }[]>(MISSING_RIGHTS, [ROLES]);
  const [{ empty, instances, disk }] = await database.query<[State]>(STATE);
  const free = engine === 'embedded' ? await freeBytes(database) : null;
  const serves = pending.some((migration) => migration.serves === null) ? null : (pending.at(-1)?.serves ?? null);
  return {
    pending: pending.map(({ name }) => name),
    refusal:
      pending.length === 0
        ? null
        : (refusalOfRights(missing) ??
          (empty ? null : refusalOfOrder(pending, newest?.name)) ??
          (empty ? null : await refusalOfRows(database, pending)) ??
          (serves === null ? refusalOfInstances(instances) : null) ??
          (free !== null && free < disk ? `the disk has room for ${free} bytes, and ${disk} may be needed` : null)),
    locks: empty ? [] : locksOf(migrations),
    serves,
    disk,
    free,
  };
}

async function freeBytes(database: DataSource): Promise<number> {
  const [{ path }] = await database.query<[{ path: string }]>(`SELECT current_setting('data_directory') AS path`);
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

const releaseOf = ({ instance }: Migration): ReleaseMigration => instance as ReleaseMigration;

/** Tables that readers cannot use while the migrations run. */
export const locksOf = (pending: readonly Migration[]): string[] => [
  ...new Set(pending.flatMap((migration) => releaseOf(migration).locks)),
];

function refusalOfRights(missing: readonly { statement: string }[]): string | null {
  const statements = missing.map(({ statement }) => `\n  ${statement};`);
  return statements.length === 0 ? null : `the login lacks rights; a superuser runs this first:${statements.join('')}`;
}

function refusalOfOrder(pending: readonly ReleaseMigration[], newest = 'none'): string | null {
  const follows = pending[0]?.follows ?? newest;
  return follows === newest
    ? null
    : `the newest migration of the database is ${newest} instead of ${follows}: migrate it with the version before`;
}

/** Only behind the order: an older database may lack what is queried. */
async function refusalOfRows(database: DataSource, pending: readonly ReleaseMigration[]): Promise<string | null> {
  for (const { objections } of pending) {
    if (objections === undefined) continue;
    const rows = await database.query<{ row: string }[]>(objections);
    const listed = rows.slice(0, MOST_LISTED).map(({ row }) => `\n  ${row}`);
    if (rows.length > 0)
      return `the new schema does not take these rows (${rows.length}); change or delete them first:${listed.join('')}`;
  }
  return null;
}

function refusalOfInstances(instances: number): string | null {
  return instances === 0
    ? null
    : `instances of an earlier version are running (${instances}), which could not serve with the new schema; stop them first`;
}

/** $1 the tables */
const USERS = `
  SELECT l.pid, l.virtualtransaction AS transaction, a.application_name AS application,
    array_agg(DISTINCT c.relname::text) AS tables
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND a.datname = current_database() AND c.relname = ANY ($1) AND l.pid <> pg_backend_pid()
    AND c.relnamespace = 'public'::regnamespace
  GROUP BY 1, 2, 3 ORDER BY 1`;

/** A transaction that has used some of the tables for longer than a second: a migration waits for it. */
export interface Blocker {
  readonly pid: number;
  readonly application: string;
  readonly tables: readonly string[];
}

export async function findBlockers(database: DataSource, tables: readonly string[]): Promise<Blocker[]> {
  const look = () => database.query<(Blocker & { readonly transaction: string })[]>(USERS, [tables]);
  const earlier = new Set((await look()).map(({ transaction }) => transaction));
  await wait(LONG_MS);
  const still = (await look()).filter(({ transaction }) => earlier.has(transaction));
  return still.map(({ pid, application, tables }) => ({ pid, application, tables }));
}
