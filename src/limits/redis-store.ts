import { Debts } from './debts.js';
import { Batches } from './batches.js';
import { LocalWindows } from './local-windows.js';
import { QuestionWriter } from './question-writer.js';
import { PATIENCE_MS, RedisLink } from './redis-link.js';
import { SharedSeeds } from './shared-seeds.js';
import { dayIndex, dayName, judgeAll } from './window.js';
import { SYSTEM_CLOCK } from './window-store.js';
import type { Handover } from './debts.js';
import type { Answer, Question } from './redis-question.js';
import type { Admission, Budget, DaySeed, WindowClock, WindowStore } from './window-store.js';

/** Subjects handed over at once when Redis is back. */
const SETTLE_AT_ONCE = 32;

/** One request on its way. The answer may come after the caller has been served by the fallback. */
interface Attempt {
  readonly subject: string;
  readonly budget: Budget;
  readonly seed: DaySeed;
  readonly id: number;
  servedAs: 'unknown' | 'admitted' | 'refused';
  countedByRedis: boolean;
  /** Null: Redis did not say in time. */
  readonly answered: (admission: Admission | null) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Counts in Redis, for many processes; while Redis is away, here. The process mirrors what it sees Redis
 * count, goes on from there by itself, and hands over what it admitted when Redis is back.
 */
export class RedisWindowStore implements WindowStore {
  private readonly link: RedisLink;
  private readonly local: LocalWindows;
  private readonly debts: Debts;
  private readonly batches = new Batches<Attempt>((batch) => this.ask(batch));
  private readonly seeds = new SharedSeeds();
  private readonly questions: QuestionWriter;
  private lastId = 0;
  private fallbackAdmissions = 0;

  /** Never throws for an absent Redis: it starts in fallback and connects by itself. */
  constructor(url: string, clock: WindowClock = SYSTEM_CLOCK) {
    this.local = new LocalWindows(clock, 'fallback');
    this.debts = new Debts((at) => this.local.dayOf(at));
    this.questions = new QuestionWriter(this.local, this.debts);
    this.link = new RedisLink(url, () => clock.monotonic());
    this.link.onChange((usable) => {
      if (usable) void this.settleAll();
    });
  }

  get state(): 'redis' | 'fallback' {
    return this.link.open ? 'fallback' : 'redis';
  }

  /** Totals since the start. */
  get counters(): {
    readonly timeouts: number;
    readonly breakerOpens: number;
    readonly fallbackAdmissions: number;
  } {
    return { ...this.link.counters, fallbackAdmissions: this.fallbackAdmissions };
  }

  onStateChange(listener: (state: 'redis' | 'fallback') => void): void {
    this.link.onChange((usable) => listener(usable ? 'redis' : 'fallback'));
  }

  /** Resolves when Redis is first in use, or after `patienceMs`: true if it is. */
  async ready(patienceMs: number): Promise<boolean> {
    if (this.state === 'redis') return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs);
      this.link.onChange((usable) => {
        if (!usable) return;
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Rejects only as `seed` does. */
  async admit(subject: string, budget: Budget, seed: DaySeed): Promise<Admission> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = await new Promise<Admission | Attempt>((resolve, reject) => {
      const attempt: Attempt = {
        ...{ subject, budget, seed, id, servedAs: 'unknown', countedByRedis: false },
        answered: (admission) => resolve(admission ?? attempt),
        failed: reject,
      };
      if (this.link.open) resolve(attempt);
      else this.batches.add(`${subject} ${budget.perMinute} ${budget.perDay}`, attempt);
    });
    return 'admitted' in answer ? answer : this.admitHere(answer);
  }

  close(): Promise<void> {
    return this.link.close();
  }

  /** Asks for requests of one subject and budget in one go. */
  private async ask(batch: readonly Attempt[]): Promise<void> {
    try {
      const admissions = await this.askRedis(batch);
      batch.forEach((attempt, index) => attempt.answered(admissions?.[index] ?? null));
    } catch (error) {
      for (const attempt of batch) attempt.failed(error);
    }
  }

  private async askRedis(batch: readonly Attempt[]): Promise<readonly Admission[] | null> {
    const [first] = batch;
    if (first === undefined) return null;
    const { subject, budget } = first;
    const ids = batch.map((attempt) => attempt.id);
    let question = this.questions.write(subject, budget, ids);
    const patience = { leftMs: PATIENCE_MS };
    while (!this.link.open && patience.leftMs > 0) {
      const owed = this.questions.owed(subject);
      const asked = this.questions.withDebts(question, owed);
      const answer = await this.link.ask(asked, patience, (late) => this.hearLate(batch, late));
      if (answer === null || answer.status === 'late') return null;
      if (answer.status === 'done') return this.take(batch, first, answer, owed);
      const seed = answer.status === 'unseeded' ? await this.seed(first, dayIndex(answer.now)) : null;
      question = this.questions.withAllKnown(question, seed);
    }
    return null;
  }

  private async seed({ subject, seed }: Attempt, day: number): Promise<Question['seed']> {
    return { day, used: await this.seeds.ask(subject, dayName(day), seed) };
  }

  private async admitHere(attempt: Attempt): Promise<Admission> {
    const { subject, budget, seed, id } = attempt;
    try {
      const admission = await this.local.admit(subject, budget, seed, id);
      attempt.servedAs = admission.admitted ? 'admitted' : 'refused';
      if (!admission.admitted) return admission;
      this.fallbackAdmissions += 1;
      if (!attempt.countedByRedis) this.debts.add(subject, budget, { at: this.local.now(), id });
      return admission;
    } finally {
      if (attempt.servedAs !== 'admitted') {
        attempt.servedAs = 'refused';
        if (attempt.countedByRedis) this.takeBack(attempt);
      }
    }
  }

  /** Redis says what it has counted when the callers have been, or are being, served by the fallback. */
  private hearLate(batch: readonly Attempt[], answer: Answer | null): void {
    const [first] = batch;
    if (answer?.status !== 'done' || first === undefined) return;
    const admissions = judgeAll(first.budget, answer.holding, 'redis', batch.length);
    for (const attempt of batch.filter((_, index) => admissions[index]?.admitted)) {
      attempt.countedByRedis = true;
      if (attempt.servedAs === 'admitted') this.debts.drop(attempt.subject, attempt.id);
      if (attempt.servedAs === 'refused') this.takeBack(attempt);
    }
  }

  private takeBack({ subject, id }: Attempt): void {
    this.link.takeBack(subject, this.questions.nonce(id));
  }

  private take(
    batch: readonly Attempt[],
    { subject, budget }: Attempt,
    answer: Answer & { readonly status: 'done' },
    owed: Handover | null,
  ): readonly Admission[] {
    if (owed !== null) this.debts.settle(subject, owed);
    const admissions = judgeAll(budget, answer.holding, 'redis', batch.length);
    for (const attempt of batch.filter((_, index) => admissions[index]?.admitted)) {
      this.local.learnHit(subject, budget, attempt.id);
    }
    if (budget.perDay !== null) {
      this.local.learnDay(subject, budget, dayIndex(answer.now), admissions.at(-1)?.dayUsed ?? 0);
      this.questions.learnSeeding(subject, answer.seededAt);
    }
    return admissions;
  }

  private async settleAll(): Promise<void> {
    const subjects = this.debts.subjects;
    for (let from = 0; from < subjects.length && !this.link.open; from += SETTLE_AT_ONCE) {
      await Promise.all(
        subjects.slice(from, from + SETTLE_AT_ONCE).map(([subject, budget]) => this.settle(subject, budget)),
      );
    }
  }

  /** What cannot be handed over now goes with the subject's next request. */
  private async settle(subject: string, budget: Budget): Promise<void> {
    const owed = this.questions.owed(subject);
    if (owed === null) return;
    const question = { ...this.questions.write(subject, budget, []), seededAt: 0 };
    const asked = this.questions.withDebts(question, owed);
    const answer = await this.link.ask(asked, { leftMs: PATIENCE_MS }, () => undefined);
    if (answer?.status === 'done') this.debts.settle(subject, owed);
  }
}
