import pg from 'pg';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { KEEP_ALIVE } from './client-settings.js';
import type { Connection } from './connections.js';
import { CircuitBreakerPool } from './circuit-breaker-pool.js';
import { AccessVersion1795332000000 } from './migrations/1795332000000-access-version.migration.js';
import { AccountRole1795340000000 } from './migrations/1795340000000-account-role.migration.js';
import { IdentityTriggers1795334000000 } from './migrations/1795334000000-identity-triggers.migration.js';
import { IndicatorWording1795351000000 } from './migrations/1795351000000-indicator-wording.migration.js';
import { SeriesUrls1795352000000 } from './migrations/1795352000000-series-urls.migration.js';
import { CompanyRanks1795356000000 } from './migrations/1795356000000-company-ranks.migration.js';
import { Notifications1795372000000 } from './migrations/1795372000000-notifications.migration.js';
import { KnownLicences1795365000000 } from './migrations/1795365000000-known-licences.migration.js';
import { FollowingAudit1795370000000 } from './migrations/1795370000000-following-audit.migration.js';
import { RecentUsage1795371000000 } from './migrations/1795371000000-recent-usage.migration.js';
import { RegionCurrencies1795343000000 } from './migrations/1795343000000-region-currencies.migration.js';
import { ImportantChanges1795344000000 } from './migrations/1795344000000-important-changes.migration.js';
import { Foundation1795219200000 } from './migrations/1795219200000-foundation.migration.js';
import { NotedOrigins1795305700000 } from './migrations/1795305700000-noted-origins.migration.js';
import { HeldDeliveries1795380000000 } from './migrations/1795380000000-held-deliveries.migration.js';
import { Retractions1795380100000 } from './migrations/1795380100000-retractions.migration.js';
import { Calendar1795307000000 } from './migrations/1795307000000-calendar.migration.js';
import { Subjects1795305600000 } from './migrations/1795305600000-subjects.migration.js';
import { Briefs1795310000000 } from './migrations/1795310000000-briefs.migration.js';
import { Register1795308000000 } from './migrations/1795308000000-register.migration.js';
import { Signals1795309000000 } from './migrations/1795309000000-signals.migration.js';
import { Search1795311000000 } from './migrations/1795311000000-search.migration.js';
import { Following1795312000000 } from './migrations/1795312000000-following.migration.js';
import { ChangeRuns1795315000000 } from './migrations/1795315000000-change-runs.migration.js';
import { ConstraintNames1795342000000 } from './migrations/1795342000000-constraint-names.migration.js';
import { CompanyWords1795314000000 } from './migrations/1795314000000-company-words.migration.js';
import { OneLineNames1795333000000 } from './migrations/1795333000000-one-line-names.migration.js';
import { UsageWriters1795316000000 } from './migrations/1795316000000-usage-writers.migration.js';
import { Publications1795317000000 } from './migrations/1795317000000-publications.migration.js';
import { PublishingNames1795319500000 } from './migrations/1795319500000-publishing-names.migration.js';
import { Watching1795313000000 } from './migrations/1795313000000-watching.migration.js';
import { RenderedTexts1795379000000 } from './migrations/1795379000000-rendered-texts.migration.js';
import { SingleSignOn1795373000000 } from './migrations/1795373000000-single-sign-on.migration.js';
import { Timetables1795374000000 } from './migrations/1795374000000-timetables.migration.js';
import { Attention1795377000000 } from './migrations/1795377000000-attention.migration.js';
import { KnownSince1795378000000 } from './migrations/1795378000000-known-since.migration.js';
import { UpdatedBasis1795378100000 } from './migrations/1795378100000-updated-basis.migration.js';
import { OwnExchangeRate1795380200000 } from './migrations/1795380200000-own-exchange-rate.migration.js';
import { SyncAttempts1795381000000 } from './migrations/1795381000000-sync-attempts.migration.js';
import { HeldBasis1795381500000 } from './migrations/1795381500000-held-basis.migration.js';
import { OwnLicences1795382000000 } from './migrations/1795382000000-own-licences.migration.js';
import { EntityStatements1795382600000 } from './migrations/1795382600000-entity-statements.migration.js';
import { SeriesVersions1795383900000 } from './migrations/1795383900000-series-versions.migration.js';
import { SyncedContent1795384500000 } from './migrations/1795384500000-synced-content.migration.js';
import { ModelledSources1795384800000 } from './migrations/1795384800000-modelled-sources.migration.js';
import { Removals1795384900000 } from './migrations/1795384900000-removals.migration.js';
import { ChangedRegisters1795385000000 } from './migrations/1795385000000-changed-registers.migration.js';
import { ChangeDocuments1795385100000 } from './migrations/1795385100000-change-documents.migration.js';
import { YieldCurves1795386000000 } from './migrations/1795386000000-yield-curves.migration.js';
import { KnownOn1795386100000 } from './migrations/1795386100000-known-on.migration.js';
import { ConfirmedPasswords1796400000000 } from './migrations/1796400000000-confirmed-passwords.migration.js';
import { KeyRotation1796400100000 } from './migrations/1796400100000-key-rotation.migration.js';
import { ChangedAccounts1796510000000 } from './migrations/1796510000000-changed-accounts.migration.js';
import { ReceiverHealth1796700000000 } from './migrations/1796700000000-receiver-health.migration.js';
import { CountedActs1796800000000 } from './migrations/1796800000000-counted-acts.migration.js';
import { Tenants1796900000000 } from './migrations/1796900000000-tenants.migration.js';
import { PostgresNames } from './postgres-names.js';
import { openSession } from './sessions.js';

// A `date` stays a text: a Date would depend on the time zone. Counters fit a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const MIGRATIONS = [
  Foundation1795219200000,
  Subjects1795305600000,
  NotedOrigins1795305700000,
  Following1795312000000,
  Calendar1795307000000,
  Register1795308000000,
  Signals1795309000000,
  Briefs1795310000000,
  Search1795311000000,
  Watching1795313000000,
  CompanyWords1795314000000,
  ChangeRuns1795315000000,
  UsageWriters1795316000000,
  Publications1795317000000,
  PublishingNames1795319500000,
  AccessVersion1795332000000,
  OneLineNames1795333000000,
  IdentityTriggers1795334000000,
  AccountRole1795340000000,
  ConstraintNames1795342000000,
  RegionCurrencies1795343000000,
  ImportantChanges1795344000000,
  IndicatorWording1795351000000,
  SeriesUrls1795352000000,
  CompanyRanks1795356000000,
  KnownLicences1795365000000,
  FollowingAudit1795370000000,
  RecentUsage1795371000000,
  Notifications1795372000000,
  SingleSignOn1795373000000,
  Timetables1795374000000,
  Attention1795377000000,
  KnownSince1795378000000,
  UpdatedBasis1795378100000,
  RenderedTexts1795379000000,
  HeldDeliveries1795380000000,
  Retractions1795380100000,
  OwnExchangeRate1795380200000,
  SyncAttempts1795381000000,
  HeldBasis1795381500000,
  OwnLicences1795382000000,
  EntityStatements1795382600000,
  SeriesVersions1795383900000,
  SyncedContent1795384500000,
  ModelledSources1795384800000,
  Removals1795384900000,
  ChangedRegisters1795385000000,
  ChangeDocuments1795385100000,
  YieldCurves1795386000000,
  KnownOn1795386100000,
  ConfirmedPasswords1796400000000,
  KeyRotation1796400100000,
  ChangedAccounts1796510000000,
  ReceiverHealth1796700000000,
  CountedActs1796800000000,
  Tenants1796900000000,
];

export interface PoolSettings {
  readonly size: number;
  /** Milliseconds after which the server cancels a statement; 0 for an import. */
  readonly statementTimeout: number;
  readonly applicationName: string;
  /** Milliseconds that a request waits for a connection; undefined: no bound of ours. */
  readonly waitMs?: number;
}

/** The `pg` options of a pool of one role's sessions. */
export function poolOptions({ role }: Pick<Connection, 'role'>, settings: PoolSettings) {
  const { size, statementTimeout, waitMs } = settings;
  return {
    ...KEEP_ALIVE,
    max: size,
    connectionTimeoutMillis: 2_000,
    onConnect: (client: pg.ClientBase) => openSession(client, { ...settings, role }),
    // Client-side timeout, in case the server cannot cancel or the connection is dead.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 1_000 }),
    ...(waitMs !== undefined && { waitMs }),
  };
}

/** The options of a data source over one role's connection. Only migrations change the schema. */
export function dataSourceOptions(connection: Connection, pool: PoolSettings): DataSourceOptions {
  const { connectionString, host, port, user, password, database } = connection;
  return {
    type: 'postgres',
    ...(connectionString === undefined
      ? { host, port, username: user, password, database }
      : { url: connectionString }),
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    namingStrategy: new PostgresNames(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    applicationName: pool.applicationName,
    driver: { ...pg, Pool: CircuitBreakerPool },
    extra: poolOptions(connection, pool),
  } as DataSourceOptions;
}

export function createDataSource(
  connection: Connection,
  pool: PoolSettings,
  entities: EntityTarget<ObjectLiteral>[] = [],
): DataSource {
  return new DataSource({ ...dataSourceOptions(connection, pool), entities: entities as never[] });
}
