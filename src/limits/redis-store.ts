import { setTimeout as sleep } from 'node:timers/promises';
import { Debts } from './debts.js';
import { Batches } from './batches.js';
import { LocalWindows } from './local-windows.js';
import { QuestionWriter } from './question-writer.js';
import { PATIENCE_MS, RedisLink } from './redis-link.js';
import { SharedSeeds } from './shared-seeds.js';
import { dayIndex, dayName, judgeAll } from './window.js';
import { SYSTEM_CLOCK } from './window-store.js';
import { WrittenMarks } from './written-marks.js';
import type { Handover } from './debts.js';
import type { Seed } from './question-writer.js';
import type { Answer } from './redis-question.js';
import type { Admission, Asker, Budget, DaySeed, StoreCounters } from './window-store.js';
import type { WindowClock, WindowStore } from './window-store.js';

/** Subjects handed over at once when Redis is back. */
const SETTLE_AT_ONCE = 32;
/** What could not be handed over then is tried again. */
const SETTLE_EVERY_MS = 1_000;

/** An instance that leaves waits so long for the last of it. */
const CLOSE_MS = 300;

type Done = Answer & { readonly status: 'done' };

/** One request on its way. The answer may come after the caller has been served by the fallback. */
interface Attempt extends Asker {
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
  private readonly seeds = new SharedSeeds<Seed>();
  private readonly written = new WrittenMarks();
  private readonly questions: QuestionWriter;
  private readonly settling: NodeJS.Timeout;
  private handing: Promise<void> | null = null;
  private lastId = 0;
  private fallbackAdmissions = 0;
  private seeded = 0;

  /** Never throws for an absent Redis: it starts in fallback and connects by itself. Tests give it more patience. */
  constructor(
    url: string,
    clock: WindowClock = SYSTEM_CLOCK,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.local = new LocalWindows(clock, 'fallback');
    this.debts = new Debts((at) => this.local.dayOf(at));
    this.questions = new QuestionWriter(this.local, this.debts, this.written);
    this.link = new RedisLink(url, () => clock.monotonic(), patienceMs);
    this.link.onChange((usable) => {
      if (usable) void this.settleAll();
    });
    this.settling = setInterval(() => void this.settleAll(), SETTLE_EVERY_MS).unref();
  }

  get state(): 'redis' | 'fallback' {
    return this.link.open ? 'fallback' : 'redis';
  }

  /** Totals since the start. */
  get counters(): StoreCounters {
    const { fallbackAdmissions, seeded: seeds } = this;
    return { ...this.link.counters, fallbackAdmissions, seeds, owed: this.debts.size };
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

  writing(): () => void {
    const takenAt = this.local.now();
    return () => this.written.add(takenAt, this.local.now());
  }

  /** What is owed is told first, as far as that is possible at once. */
  async close(): Promise<void> {
    clearInterval(this.settling);
    const patience = new AbortController();
    await Promise.race([
      this.settleAll(),
      sleep(CLOSE_MS, null, { signal: patience.signal }).catch(() => null),
    ]);
    patience.abort();
    await this.link.close();
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
    const ids = batch.map((attempt) => attempt.id);
    const answer = await this.answerTo(first, ids, (late) => this.hearLate(batch, late));
    return answer === null ? null : this.take(batch, first, answer);
  }

  /**
   * Asks for these requests, also for none, until Redis knows the subject's day; what it was told then is no longer
   * owed. Null: it did not say in time.
   */
  private async answerTo(
    asker: Asker,
    ids: readonly number[],
    late: (answer: Answer | null) => void,
  ): Promise<Done | null> {
    const { subject, budget } = asker;
    const settle = (answer: Done, owed: Handover | null): void => {
      if (owed !== null) this.debts.settle(subject, owed);
      if (budget.perDay !== null) this.questions.learnSeeding(subject, answer.seededAt);
    };
    let question = this.questions.write(subject, budget, ids);
    const patience = { leftMs: this.patienceMs };
    while (!this.link.open && patience.leftMs > 0) {
      const owed = this.questions.owed(subject);
      const answer = await this.link.ask(this.questions.withDebts(question, owed), patience, (said) => {
        if (said?.status === 'done') settle(said, owed);
        late(said);
      });
      if (answer === null || answer.status === 'late') return null;
      if (answer.status === 'done') {
        settle(answer, owed);
        return answer;
      }
      const seed = answer.status === 'unseeded' ? await this.seed(asker, dayIndex(answer.now)) : null;
      question = this.questions.withAllKnown(question, seed);
    }
    return null;
  }

  private async seed({ subject, seed }: Asker, day: number): Promise<Seed> {
    return this.seeds.ask(subject, dayName(day), async (of, on) => {
      const { used, ageMs } = await seed(of, on);
      this.seeded += 1;
      const readAt = this.local.now();
      return { day, used, heldAt: Math.floor(readAt - ageMs), readAt };
    });
  }

  private async admitHere(attempt: Attempt): Promise<Admission> {
    const { subject, budget, seed, id } = attempt;
    try {
      const admission = await this.local.admit(subject, budget, seed, id);
      attempt.servedAs = admission.admitted ? 'admitted' : 'refused';
      if (!admission.admitted) return admission;
      this.fallbackAdmissions += 1;
      if (!attempt.countedByRedis) this.debts.add({ subject, budget, seed }, { at: this.local.now(), id });
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

  private take(batch: readonly Attempt[], { subject, budget }: Attempt, answer: Done): readonly Admission[] {
    const admissions = judgeAll(budget, answer.holding, 'redis', batch.length);
    for (const attempt of batch.filter((_, index) => admissions[index]?.admitted)) {
      this.local.learnHit(subject, budget, attempt.id);
    }
    if (budget.perDay !== null) {
      this.local.learnDay(subject, budget, dayIndex(answer.now), admissions.at(-1)?.dayUsed ?? 0);
    }
    return admissions;
  }

  /** What cannot be handed over now is later, or goes with the subject's next request. */
  private settleAll(): Promise<void> {
    this.handing ??= this.handOverAll().finally(() => (this.handing = null));
    return this.handing;
  }

  private async handOverAll(): Promise<void> {
    const { askers } = this.debts;
    for (let from = 0; from < askers.length && !this.link.open; from += SETTLE_AT_ONCE) {
      const some = askers.slice(from, from + SETTLE_AT_ONCE);
      const told = await Promise.allSettled(some.map((asker) => this.answerTo(asker, [], () => undefined)));
      // The database does not say how the day stood: nor will it for the others.
      if (told.every(({ status }) => status === 'rejected')) return;
    }
  }
}
