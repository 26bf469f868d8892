import type pg from 'pg';
import type { Heartbeat } from './heartbeat.js';
import type { Replica } from './replica.js';

/** A replica with its heartbeat. */
export interface WatchedReplica {
  readonly replica: Replica;
  readonly heartbeat: Heartbeat;
}

export type ServedBy = 'primary' | 'replica';

/**
 * Chooses the server for a read of content: the replica if it has the data version, else the primary. Reads of an
 * account's data use the primary only.
 */
export class ReadRouter {
  private readonly answered: Record<ServedBy, number> = { primary: 0, replica: 0 };
  private fellBack = 0;

  constructor(
    readonly primary: pg.Pool,
    private readonly watched: WatchedReplica | null = null,
  ) {}

  /** The replica's pool if the replica is healthy and has this data version, else null. */
  replicaAt(dataVersion: number): pg.Pool | null {
    return this.watched !== null &&
      this.state === 'healthy' &&
      this.watched.heartbeat.latest.dataVersion >= dataVersion
      ? this.watched.replica.pool
      : null;
  }

  /** `unhealthy` also before the check of its login. */
  get state(): 'none' | 'unhealthy' | 'healthy' {
    if (this.watched === null) return 'none';
    return !this.watched.heartbeat.lost && this.watched.replica.isUsable() ? 'healthy' : 'unhealthy';
  }

  /** The replica's data version at its last heartbeat; null without a replica. */
  get replicaDataVersion(): number | null {
    return this.watched?.heartbeat.latest.dataVersion ?? null;
  }

  /** Totals since the start: reads by server, and reads that fell back from the replica to the primary. */
  get counters(): Readonly<Record<ServedBy, number>> & { readonly fellBack: number } {
    return { ...this.answered, fellBack: this.fellBack };
  }

  count(by: ServedBy): void {
    this.answered[by] += 1;
  }

  countFallback(): void {
    this.fellBack += 1;
  }
}
