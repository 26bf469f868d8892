import { randomBytes } from 'node:crypto';
import { Generations } from './generations.js';
import type { Debts, Handover } from './debts.js';
import type { Hit } from './hit-ring.js';
import type { LocalWindows } from './local-windows.js';
import type { Question } from './redis-question.js';
import type { Budget } from './window-store.js';

const REMEMBER_SEEDING_MS = 3_600_000;

/** Writes what one process asks Redis, with what Redis should know of it. */
export class QuestionWriter {
  private readonly instance = randomBytes(9).toString('base64url');
  private readonly seededAt = new Generations<{ value: number }>(REMEMBER_SEEDING_MS);

  constructor(
    private readonly local: LocalWindows,
    private readonly debts: Debts,
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
  withAllKnown(question: Question, seed: Question['seed']): Question {
    const { subject, budget } = question;
    const hits = this.handed(this.local.hits(subject, budget));
    return { ...question, seededAt: 0, seed, floor: this.local.today(subject, budget), hits };
  }

  withDebts(question: Question, handover: Handover | null): Question {
    if (handover === null) return question;
    const { old, young, name } = handover;
    const batch = old && { ...old, name: this.nonce(name), age: this.local.now() - old.since };
    const hits = question.hits.length > 0 ? question.hits : this.handed(young);
    return { ...question, floor: this.local.today(question.subject, question.budget), hits, batch };
  }

  owed(subject: string): Handover | null {
    return this.debts.handover(subject, this.local.now());
  }

  /** A later answer that the count was seeded at another time tells that Redis has lost it in between. */
  learnSeeding(subject: string, seededAt: number): void {
    this.seedingOf(subject).value = seededAt;
  }

  private handed(hits: readonly Hit[]): Question['hits'] {
    const now = this.local.now();
    return hits.map((hit) => ({ nonce: this.nonce(hit.id), age: now - hit.at }));
  }

  private seedingOf(subject: string): { value: number } {
    return this.seededAt.take(subject, this.local.now(), () => ({ value: 0 }));
  }
}
