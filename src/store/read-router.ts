import type pg from 'pg';
import type { Heartbeat } from './heartbeat.js';
import type { Replica } from './replica.js';

/** A replica with its heartbeat. */
export interface WatchedReplica {
  /** Host and port. */
  readonly name: string;
  readonly replica: Pick<Replica, 'pool' | 'isUsable' | 'close'>;
  readonly heartbeat: Pick<Heartbeat, 'latest' | 'lost' | 'start' | 'stop'>;
}

export type ServedBy = 'primary' | 'replica';

/**
 * Chooses the server for a read of content: in turn each replica that has the data version, else the primary. Reads of
 * an account's data use the primary only.
 */
export class ReadRouter {
  private readonly answered: Record<ServedBy, number> = { primary: 0, replica: 0 };
  private fellBack = 0;
  private turn = 0;

  constructor(
    readonly primary: pg.Pool,
    private readonly watched: readonly WatchedReplica[] = [],
  ) {}

  /** The pool of a healthy replica that has this data version; null if there is none. */
  replicaAt(dataVersion: number): pg.Pool | null {
    const fit = this.watched.filter((each) => isHealthy(each) && each.heartbeat.latest.dataVersion >= dataVersion);
    return fit[this.turn++ % fit.length]?.replica.pool ?? null;
  }

  /** Each replica, with its data version at its last heartbeat. It is unhealthy also before the check of its login. */
  get replicas() {
    return this.watched.map((each) => ({
      name: each.name,
      isHealthy: isHealthy(each),
      dataVersion: each.heartbeat.latest.dataVersion,
    }));
  }

  /** Totals since the start: reads by server, and reads that fell back from a replica to the primary. */
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

function isHealthy({ replica, heartbeat }: WatchedReplica): boolean {
  return !heartbeat.lost && replica.isUsable();
}
