import { randomBytes } from 'node:crypto';
import { Generations } from './generations.js';
import type { Debts, Handover, OldDebt } from './debts.js';
import type { Hit } from './hit-ring.js';
import type { LocalWindows } from './local-windows.js';
import type { HeldDebts, Question } from './redis-question.js';
import type { Budget } from './window-store.js';
import type { WrittenMarks } from './written-marks.js';

const REMEMBER_SEEDING_MS = 3_600_000;

/** A day's count from the database, which had it from `heldAt` on, and from here, as it was at `readAt`. */
export interface Seed {
  readonly day: number;
  readonly used: number;
  readonly heldAt: number;
  readonly readAt: number;
}

/** Writes what one process asks Redis, with what Redis should know of it. */
export class QuestionWriter {
  private readonly instance = randomBytes(9).toString('base64url');
  private readonly seededAt = new Generations<{ value: number }>(REMEMBER_SEEDING_MS);

  constructor(
    private readonly local: LocalWindows,
    private readonly debts: Debts,
    private readonly written: WrittenMarks,
  ) {}

  /** One name for a request in all of Redis. */
  nonce(id: number): string {
    return `${this.instance}:${id}`;
  }

  /** Asks for the requests of these ids, in this order, with what Redis is still owed. */
  write(subject: string, budget: Budget, ids: readonly number[]): Question {
    const seededAt = budget.perDay === null ? 0 : this.seedingOf(subject).value;
    const nonces = ids.map((id) => this.nonce(id));
    return { subject, budget, nonces, seededAt, seed: null, floor: null, hits: [], batch: null };
  }

  /** The same, with all that this process has seen: for a Redis that has forgotten. */
  withAllKnown(question: Question, seed: Seed | null): Question {
    const { subject, budget } = question;
    return {
      ...question,
      seededAt: 0,
      seed: seed && { day: seed.day, used: seed.used, age: this.local.now() - seed.heldAt },
      floor: this.floorOf(subject, budget),
      hits: this.handed(this.local.hits(subject, budget), seed),
    };
  }

  withDebts(question: Question, handover: Handover | null): Question {
    if (handover === null) return question;
    const { old, young, name } = handover;
    const held = old && this.held(old, question.seed);
    const batch = old && held && { name: this.nonce(name), day: old.day, total: old.total, held };
    const known = new Set(question.hits.map((hit) => hit.nonce));
    const hits = [...question.hits, ...this.handed(young).filter((hit) => !known.has(hit.nonce))];
    return { ...question, floor: this.floorOf(question.subject, question.budget), hits, batch };
  }

  owed(subject: string): Handover | null {
    return this.debts.handover(subject, this.local.now());
  }

  /** A later answer that the count was seeded at another time tells that Redis has lost it in between. */
  learnSeeding(subject: string, seededAt: number): void {
    this.seedingOf(subject).value = seededAt;
  }

  private floorOf(subject: string, budget: Budget): Question['floor'] {
    return { ...this.local.today(subject, budget), seededAt: this.seedingOf(subject).value };
  }

  /** What has been admitted here before the seed was read is in the seed, written or not. */
  private handed(hits: readonly Hit[], seed: Seed | null = null): Question['hits'] {
    const now = this.local.now();
    return hits.map(({ id, at }) => {
      const writtenAt = seed !== null && at <= seed.readAt ? seed.heldAt : this.written.of(at);
      return {
        nonce: this.nonce(id),
        age: now - at,
        writtenAge: writtenAt === null ? null : now - writtenAt,
      };
    });
  }

  /** How far the database has had old debts since when. A seed of one's own has them all, written or not. */
  private held({ total, stretches }: OldDebt, seed: Question['seed']): readonly HeldDebts[] {
    if (seed !== null) return [{ age: seed.age, total }];
    const now = this.local.now();
    return stretches.flatMap((stretch) => {
      const writtenAt = this.written.ofOld(stretch.until);
      return writtenAt === null ? [] : [{ age: now - writtenAt, total: stretch.total }];
    });
  }

  private seedingOf(subject: string): { value: number } {
    return this.seededAt.take(subject, this.local.now(), () => ({ value: 0 }));
  }
}
