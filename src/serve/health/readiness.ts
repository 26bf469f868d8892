import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../store/data-source.js';
import type { Heartbeat } from '../../store/heartbeat.js';
import type { Draining } from './draining.js';

export interface ReadinessReport {
  /** `degraded` responds with 200 as `ready` does; only `unready` responds with 503. */
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly database: 'up' | 'down';
  /** `pending`: a migration of this version has not run, or the check has not succeeded yet. */
  readonly migrations: 'current' | 'pending';
  readonly dataVersion: number;
  /** `down`: limits are decided from leases, and from the reserve. */
  readonly redis: 'up' | 'down' | 'unused';
  readonly draining: boolean;
}

/** Where the rate limits are counted. */
export interface LimitsState {
  readonly state: 'memory' | 'redis' | 'fallback';
}

export const LIMITS_STATE = Symbol('LimitsState');

export interface ReadinessParts {
  readonly database: DataSource;
  readonly heartbeat: Heartbeat;
  readonly limits: LimitsState;
  readonly draining: Draining;
}

const REDIS = { memory: 'unused', redis: 'up', fallback: 'down' } as const;
/** Twelve heartbeats: a slow response or a short stall is no outage. */
const SILENT_MS = 3_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Whether this instance should receive requests. The report uses the last known state: a health check must not wait for
 * the system that it reports on.
 */
export class Readiness {
  private migrated = false;
  private looking: NodeJS.Timeout | undefined;
  private look: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ReadinessParts) {}

  /** Checks for migrations now, then repeatedly until every migration of this version has run. */
  async start(): Promise<void> {
    await this.lookForMigrations();
    if (this.migrated) return;
    this.looking = setInterval(() => {
      this.look = this.lookForMigrations();
    }, LOOK_AGAIN_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    await this.look;
  }

  get report(): ReadinessReport {
    const { heartbeat, limits, draining } = this.parts;
    const database = heartbeat.lost || heartbeat.age > SILENT_MS ? 'down' : 'up';
    const migrations = this.migrated ? 'current' : 'pending';
    const redis = REDIS[limits.state];
    const fit = database === 'up' && this.migrated && !draining.active;
    return {
      status: !fit ? 'unready' : redis === 'down' ? 'degraded' : 'ready',
      database,
      migrations,
      dataVersion: heartbeat.latest.dataVersion,
      redis,
      draining: draining.active,
    };
  }

  /** Ignores newer migrations: the next version migrates before its instances start. */
  private async lookForMigrations(): Promise<void> {
    if (this.migrated) return;
    try {
      const ran = await this.parts.database.query<{ name: string }[]>('SELECT name FROM migrations');
      const names = new Set(ran.map(({ name }) => name));
      this.migrated = MIGRATIONS.every((Migration) => names.has(new Migration().name));
    } catch {
      // The database is unreachable, or this role may not read the table yet: pending either way.
      return;
    }
    if (this.migrated) clearInterval(this.looking);
  }
}
