import type { Budget } from './rate-limit-store.js';
import { countsSince, type WindowState } from './window.js';

export interface DayCount {
  /** Days since 1970 in UTC. */
  readonly day: number;
  readonly used: number;
}

/** One process's knowledge of one key: the requests of the last minute and the count of the day. */
export class LimiterState {
  /** The day's count as Redis last reported it, without requests that only this process has admitted since. */
  reported: DayCount | null = null;
  private reportedAt = -Infinity;
  /** When the requests of the last minute were admitted, oldest first. */
  private times: number[] = [];
  /** Requests that this process admitted alone: Redis does not report them. */
  private alone: number[] = [];
  /** The minute as Redis last reported it, until this process has to decide alone. */
  private snapshot: { readonly at: number; readonly used: number; readonly oldestAge: number } | null = null;
  private day: DayCount | null = null;

  knowsDay(day: number): boolean {
    return this.day?.day === day;
  }

  /** Counts only grow: a larger known count stays. */
  raiseDay(day: number, used: number): void {
    this.day = { day, used: Math.max(used, this.dayUsed(day)) };
  }

  dayUsed(day: number): number {
    return this.day?.day === day ? this.day.used : 0;
  }

  /** Stores the minute as Redis reports it. */
  synchronize(at: number, used: number, oldestAge: number): void {
    this.snapshot = { at, used, oldestAge };
    this.reportedAt = at;
  }

  isReportedSince(at: number): boolean {
    return this.reportedAt >= at;
  }

  countMinute(at: number): void {
    this.times.push(at);
    this.alone.push(at);
  }

  /** `now` is on the same clock as the times. */
  windows(budget: Budget, now: number, wallNow: number, day: number): WindowState {
    const isCounted = (at: number): boolean => at >= countsSince(now);
    this.alone = this.alone.filter(isCounted);
    this.expandSnapshot();
    this.times = this.times.filter(isCounted);
    const [oldest] = this.times;
    const used = this.times.length;
    const blocking = used < budget.perMinute ? undefined : this.times[used - budget.perMinute];
    return {
      minuteUsed: used,
      oldestAge: oldest === undefined ? null : now - oldest,
      blockingAge: blocking === undefined ? null : now - blocking,
      dayUsed: this.dayUsed(day),
      wallNow,
    };
  }

  /**
   * Redis reports the number of requests and the age of the oldest: the others are spread evenly between the oldest and
   * the report.
   */
  private expandSnapshot(): void {
    if (this.snapshot === null) return;
    const { at, used, oldestAge } = this.snapshot;
    this.snapshot = null;
    const step = used > 1 ? oldestAge / (used - 1) : 0;
    const reported = Array.from({ length: used }, (_, index) => at - oldestAge + Math.floor(index * step));
    this.times = [...reported, ...this.alone].sort((one, other) => one - other);
  }
}
