import { Generations } from './generations.js';
import { SharedSeeds } from './shared-seeds.js';
import { SubjectWindows } from './subject-windows.js';
import { dayIndex, dayName, judge } from './window.js';
import type { Hit } from './hit-ring.js';
import type { Admission, Budget, DayCount, DaySeed, WindowClock } from './window-store.js';

const ACCOUNT_IDLE_MS = 300_000;
/** More than the minute that such a subject is remembered for. */
const ADDRESS_IDLE_MS = 61_000;
/** Anyone can come from many addresses; accounts are only as many as there are. */
const ADDRESSES_AT_MOST = 100_000;

/** The windows as one process counts them: all there is without Redis, the mirror and the fallback with it. */
export class LocalWindows {
  private readonly accounts = new Generations<SubjectWindows>(ACCOUNT_IDLE_MS);
  private readonly addresses = new Generations<SubjectWindows>(ADDRESS_IDLE_MS, ADDRESSES_AT_MOST);
  private readonly seeds = new SharedSeeds<DayCount>();

  constructor(
    private readonly clock: WindowClock,
    private readonly via: Admission['via'],
  ) {}

  /** Whole milliseconds on the clock of the hits. */
  now(): number {
    return Math.floor(this.clock.monotonic());
  }

  /** Rejects only as `seed` does. The id is kept with the hit. */
  async admit(subject: string, budget: Budget, seed: DaySeed, id: number): Promise<Admission> {
    for (;;) {
      const wallNow = Math.floor(this.clock.wall());
      const day = dayIndex(wallNow);
      const windows = this.windowsOf(subject, budget);
      if (budget.perDay === null || windows.knowsDay(day)) return this.decide(windows, budget, wallNow, id);
      const { used } = await this.seeds.ask(subject, dayName(day), seed);
      const seeded = this.windowsOf(subject, budget);
      if (!seeded.knowsDay(day)) seeded.learnDay(day, used);
    }
  }

  /** Takes over what another counter, which decides, has said of a day. */
  learnDay(subject: string, budget: Budget, day: number, used: number): void {
    this.windowsOf(subject, budget).learnDay(day, used);
  }

  /** Takes over a request that another counter has admitted now. */
  learnHit(subject: string, budget: Budget, id: number): void {
    this.windowsOf(subject, budget).countMinute({ at: this.now(), id });
  }

  hits(subject: string, budget: Budget): readonly Hit[] {
    return this.windowsOf(subject, budget).hits(this.now());
  }

  /** Today's count as far as it is known here: never more than the true one. */
  today(subject: string, budget: Budget): { readonly day: number; readonly used: number } {
    const day = dayIndex(this.clock.wall());
    return { day, used: this.windowsOf(subject, budget).dayUsed(day) };
  }

  /** The day that a hit fell on, by the wall clock. */
  dayOf(at: number): number {
    return dayIndex(this.clock.wall() - (this.now() - at));
  }

  private decide(windows: SubjectWindows, budget: Budget, wallNow: number, id: number): Admission {
    const now = this.now();
    const day = dayIndex(wallNow);
    const admission = judge(budget, windows.holding(budget, now, wallNow, day), this.via);
    if (admission.admitted) {
      windows.countMinute({ at: now, id });
      windows.countDay(day);
    }
    return admission;
  }

  private windowsOf(subject: string, budget: Budget): SubjectWindows {
    const known = budget.perDay === null ? this.addresses : this.accounts;
    return known.take(subject, this.now(), () => new SubjectWindows());
  }
}
