import { HitRing } from './hit-ring.js';
import type { Hit } from './hit-ring.js';
import type { Holding } from './window.js';
import type { Budget } from './window-store.js';

interface DayCount {
  readonly index: number;
  used: number;
}

/** What one process knows of one subject: its requests of the last minute, and its counts of two days. */
export class SubjectWindows {
  private readonly minute = new HitRing();
  /** Latest used first. Two, so that a clock that jumps over midnight and back finds its count again. */
  private days: readonly DayCount[] = [];

  knowsDay(index: number): boolean {
    return this.days.some((day) => day.index === index);
  }

  /** Counts only grow: what is known already stands if it is larger. */
  learnDay(index: number, used: number): void {
    const known = this.day(index);
    if (known === undefined) this.days = [{ index, used }, ...this.days.slice(0, 1)];
    else known.used = Math.max(known.used, used);
  }

  dayUsed(index: number): number {
    return this.day(index)?.used ?? 0;
  }

  /** `now` is on the clock of the hits. */
  holding(budget: Budget, now: number, wallNow: number, dayIndex: number): Holding {
    this.minute.prune(now);
    const used = this.minute.length;
    const oldest = this.minute.at(0);
    const blocking = used < budget.perMinute ? undefined : this.minute.at(used - budget.perMinute);
    return {
      minuteUsed: used,
      oldestAge: oldest === undefined ? null : now - oldest.at,
      blockingAge: blocking === undefined ? null : now - blocking.at,
      dayUsed: this.dayUsed(dayIndex),
      wallNow,
    };
  }

  countMinute(hit: Hit): void {
    // Where another counter decides nobody else looks at what is held here.
    this.minute.prune(hit.at);
    this.minute.push(hit);
  }

  countDay(index: number): void {
    const day = this.day(index);
    if (day !== undefined) day.used += 1;
  }

  hits(now: number): readonly Hit[] {
    this.minute.prune(now);
    return this.minute.entries();
  }

  private day(index: number): DayCount | undefined {
    return this.days.find((day) => day.index === index);
  }
}
