import { HitRing } from './hit-ring.js';
import type { Hit } from './hit-ring.js';
import type { Asker } from './window-store.js';

const SWEEP_EVERY_MS = 60_000;

/** Requests of one subject that were admitted here and that Redis may not have counted. */
interface Debt {
  /** Under this name Redis remembers how much of the old requests it has taken over. */
  readonly name: number;
  readonly asker: Asker;
  /** Of the last minute: each is handed over by its own id. */
  readonly young: HitRing;
  /** Older than a minute, of one day: only how many, and when the first was. */
  old: { readonly day: number; readonly since: number; readonly total: number } | null;
}

export interface Handover {
  readonly name: number;
  readonly young: readonly Hit[];
  readonly old: Debt['old'];
}

/**
 * What Redis is to be told once it is back. Bounded: a subject owes no more single requests than its minute
 * admits, and one number for the rest of the day.
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
    return { name: debt.name, young: debt.young.entries(), old: debt.old };
  }

  /** Redis has taken over all of it; what was added since stays owed. */
  settle(subject: string, handed: Handover): void {
    this.forgive(subject, new Set(handed.young.map((hit) => hit.id)), handed.old);
  }

  /** Redis turns out to have counted this request itself. */
  drop(subject: string, id: number): void {
    this.forgive(subject, new Set([id]), null);
  }

  private forgive(subject: string, ids: ReadonlySet<number>, old: Debt['old']): void {
    const debt = this.owed.get(subject);
    if (debt === undefined) return;
    debt.young.remove(ids);
    if (debt.young.length === 0 && debt.old?.total === old?.total) this.owed.delete(subject);
  }

  private age(debt: Debt, now: number): void {
    for (const hit of debt.young.prune(now)) {
      if (debt.asker.budget.perDay === null) continue;
      const day = this.dayOf(hit.at);
      const same = debt.old?.day === day ? debt.old : { day, since: hit.at, total: 0 };
      debt.old = { ...same, total: same.total + 1 };
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
