import { HitRing } from './hit-ring.js';
import { minuteIndex } from './window.js';
import type { Hit } from './hit-ring.js';
import type { Asker } from './window-store.js';

const SWEEP_EVERY_MS = 60_000;

/** A running total as a minute ended, and when the last was admitted that is in it. */
interface Stretch {
  readonly until: number;
  readonly total: number;
}

export interface OldDebt {
  readonly day: number;
  readonly total: number;
  /** How it came to `total`, oldest first: a minute each in which something was admitted. */
  readonly stretches: Stretch[];
}

/** Requests of one subject that were admitted here and that Redis may not have counted. */
interface Debt {
  /** Under this name Redis remembers how much of the old requests it has taken over. */
  readonly name: number;
  readonly asker: Asker;
  /** Of the last minute: each is handed over by its own id. */
  readonly young: HitRing;
  /** Older than a minute, of one day: only how many, minute by minute. */
  old: OldDebt | null;
}

export interface Handover {
  readonly name: number;
  readonly young: readonly Hit[];
  readonly old: OldDebt | null;
}

/**
 * What Redis is to be told once it is back. Bounded: a subject owes no more single requests than its minute
 * admits, and a number for each minute of the day that admitted it something.
 */
export class Debts {
  private readonly owed = new Map<string, Debt>();
  private sweptAt = 0;

  /** `dayOf` says which day a time of the process's clock falls on. */
  constructor(private readonly dayOf: (at: number) => number) {}

  get size(): number {
    return this.owed.size;
  }

  get askers(): readonly Asker[] {
    return [...this.owed.values()].map(({ asker }) => asker);
  }

  add(asker: Asker, hit: Hit): void {
    if (hit.at - this.sweptAt >= SWEEP_EVERY_MS) this.sweep(hit.at);
    const debt = this.owed.get(asker.subject) ?? { name: hit.id, asker, young: new HitRing(), old: null };
    this.owed.set(asker.subject, debt);
    this.age(debt, hit.at);
    debt.young.push(hit);
  }

  handover(subject: string, now: number): Handover | null {
    const debt = this.owed.get(subject);
    if (debt === undefined) return null;
    this.age(debt, now);
    const { name, young, old } = debt;
    return { name, young: young.entries(), old: old && { ...old, stretches: [...old.stretches] } };
  }

  /** Redis has taken over all of it; what was added since stays owed. */
  settle(subject: string, handed: Handover): void {
    this.forgive(subject, new Set(handed.young.map((hit) => hit.id)), handed.old);
  }

  /** Redis turns out to have counted this request itself. */
  drop(subject: string, id: number): void {
    this.forgive(subject, new Set([id]), null);
  }

  private forgive(subject: string, ids: ReadonlySet<number>, old: OldDebt | null): void {
    const debt = this.owed.get(subject);
    if (debt === undefined) return;
    debt.young.remove(ids);
    if (debt.young.length === 0 && debt.old?.total === old?.total) this.owed.delete(subject);
  }

  private age(debt: Debt, now: number): void {
    for (const hit of debt.young.prune(now)) {
      if (debt.asker.budget.perDay === null) continue;
      const day = this.dayOf(hit.at);
      if (debt.old?.day !== day) debt.old = { day, total: 0, stretches: [] };
      const { stretches, total } = debt.old;
      const last = stretches.at(-1);
      if (last !== undefined && minuteIndex(last.until) === minuteIndex(hit.at)) stretches.pop();
      stretches.push({ until: hit.at, total: total + 1 });
      debt.old = { day, total: total + 1, stretches };
    }
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    const today = this.dayOf(now);
    for (const [subject, debt] of this.owed) {
      this.age(debt, now);
      if (debt.young.length === 0 && debt.old?.day !== today) this.owed.delete(subject);
    }
  }
}
