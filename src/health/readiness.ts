import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../database/data-source.js';
import type { Pulse } from '../database/pulse.js';
import type { Draining } from './draining.js';

export interface ReadinessReport {
  /** `degraded` answers as `ready` does; only `unready` turns a load balancer away. */
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly database: 'up' | 'down';
  /** `pending`: this version knows one that the database has not had, or cannot tell yet. */
  readonly migrations: 'current' | 'pending';
  readonly revision: number;
  /** `down`: limits are counted on this instance alone. */
  readonly redis: 'up' | 'down' | 'unused';
  readonly draining: boolean;
}

export interface ReadinessParts {
  readonly database: DataSource;
  readonly pulse: Pulse;
  readonly limits: { readonly state: 'memory' | 'redis' | 'fallback' };
  readonly draining: Draining;
}

const REDIS = { memory: 'unused', redis: 'up', fallback: 'down' } as const;
/** Twelve beats: a slow answer or a busy moment is no loss. */
const SILENT_MS = 3_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Says whether this instance should be asked. It answers from what is known already: a question about health
 * must not wait for the thing whose health is in question.
 */
export class Readiness {
  private migrated = false;
  private looking: NodeJS.Timeout | undefined;
  private look: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ReadinessParts) {}

  /** Looks once now, and until every migration of this version is there. */
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
    const { pulse, limits, draining } = this.parts;
    const database = pulse.lost || pulse.age > SILENT_MS ? 'down' : 'up';
    const migrations = this.migrated ? 'current' : 'pending';
    const redis = REDIS[limits.state];
    const fit = database === 'up' && this.migrated && !draining.active;
    return {
      status: !fit ? 'unready' : redis === 'down' ? 'degraded' : 'ready',
      database,
      migrations,
      revision: pulse.latest.revision,
      redis,
      draining: draining.active,
    };
  }

  /** Newer ones than this version knows are fine: the next version has been here before its instances. */
  private async lookForMigrations(): Promise<void> {
    if (this.migrated) return;
    try {
      const ran = await this.parts.database.query<{ name: string }[]>('SELECT name FROM migrations');
      const names = new Set(ran.map(({ name }) => name));
      this.migrated = MIGRATIONS.every((migration) => names.has(migration.name));
    } catch {
      // The database is away, or older than the right to read this: pending either way.
      return;
    }
    if (this.migrated) clearInterval(this.looking);
  }
}
