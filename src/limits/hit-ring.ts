import { countsSince } from './window.js';

export interface Hit {
  readonly at: number;
  /** The caller's own, to tell requests apart. */
  readonly id: number;
}

/** One subject's requests of the last minute, oldest first. Its space is that of the most it ever held. */
export class HitRing {
  private slots: (Hit | undefined)[] = [undefined];
  private head = 0;
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** Times must not decrease. */
  push(hit: Hit): void {
    if (this.size === this.slots.length) this.resize(this.size * 2, this.entries());
    this.slots[(this.head + this.size) % this.slots.length] = hit;
    this.size += 1;
  }

  /** Drops what no longer counts and returns it, oldest first. */
  prune(now: number): readonly Hit[] {
    const since = countsSince(now);
    const dropped: Hit[] = [];
    for (let oldest = this.at(0); oldest !== undefined && oldest.at < since; oldest = this.at(0)) {
      dropped.push(oldest);
      this.slots[this.head] = undefined;
      this.head = (this.head + 1) % this.slots.length;
      this.size -= 1;
    }
    return dropped;
  }

  /** The index-th oldest. */
  at(index: number): Hit | undefined {
    return index < this.size ? this.slots[(this.head + index) % this.slots.length] : undefined;
  }

  /** Takes requests out wherever they stand. */
  remove(ids: ReadonlySet<number>): void {
    this.resize(
      this.slots.length,
      this.entries().filter((hit) => !ids.has(hit.id)),
    );
  }

  entries(): readonly Hit[] {
    const hits: Hit[] = [];
    for (let index = 0; index < this.size; index += 1) {
      const hit = this.at(index);
      if (hit !== undefined) hits.push(hit);
    }
    return hits;
  }

  private resize(slots: number, hits: readonly Hit[]): void {
    this.slots = [...hits, ...new Array<undefined>(slots - hits.length).fill(undefined)];
    this.head = 0;
    this.size = hits.length;
  }
}
