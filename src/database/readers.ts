import type pg from 'pg';
import type { Pulse } from './pulse.js';
import type { Replica } from './replica.js';

/** A replica and what its own pulse says of it. */
export interface WatchedReplica {
  readonly replica: Replica;
  readonly pulse: Pulse;
}

export type ServedBy = 'primary' | 'replica';

/**
 * Where content is read: on the replica while that is as new as it has to be, else on the primary. What belongs to
 * an account is read on the primary only.
 */
export class Readers {
  private readonly answered: Record<ServedBy, number> = { primary: 0, replica: 0 };
  private fellBack = 0;

  constructor(
    readonly primary: pg.Pool,
    private readonly watched: WatchedReplica | null = null,
  ) {}

  /** The replica, where it answers and has this revision. */
  replicaWith(revision: number): pg.Pool | null {
    return this.watched !== null && this.state === 'there' && this.watched.pulse.latest.revision >= revision
      ? this.watched.replica.pool
      : null;
  }

  /** `lost` also while it is not known whether it may be read. */
  get state(): 'none' | 'lost' | 'there' {
    if (this.watched === null) return 'none';
    return !this.watched.pulse.lost && this.watched.replica.isUsable() ? 'there' : 'lost';
  }

  /** What the replica had when it was last asked; null without one. */
  get replicaRevision(): number | null {
    return this.watched?.pulse.latest.revision ?? null;
  }

  /** Totals since the start: who gave the answers, and how often the replica was asked and could not give one. */
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
