import { dictionary } from '@zxcvbn-ts/language-common';
import argon2 from 'argon2';
import { randomBytes } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';
import { AccessError } from './access-error.js';

const LEAST_CHARACTERS = 10;
const MOST_BYTES = 256;
/** argon2id with 19 MiB, two passes and one lane, as OWASP recommends. */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash occupies one of libuv's four threads; DNS, files and compression keep the others. */
const AT_ONCE = 2;
const MOST_WAIT_MS = 1_000;
const COMMON = new Set(dictionary['passwords-common']);

/** NFC makes a password equal whichever keyboard composes its letters. */
const normalized = (password: string): string => password.normalize('NFC');

/** @throws AccessError if a password is too short, too long, or easy to guess */
export function checkPassword(password: string, email: string): void {
  const text = normalized(password);
  if (Buffer.byteLength(text) > MOST_BYTES) {
    throw new AccessError(`A password has at most ${MOST_BYTES} bytes`, {
      code: 'password_long',
      args: { bytes: MOST_BYTES },
    });
  }
  if (Array.from(text).length < LEAST_CHARACTERS) {
    throw new AccessError(`A password has at least ${LEAST_CHARACTERS} characters`, {
      code: 'password_short',
      args: { count: LEAST_CHARACTERS },
    });
  }
  const folded = text.toLowerCase();
  const isRepeated = new Set(folded).size < 4;
  if (isRepeated || COMMON.has(folded) || folded === email.toLowerCase()) {
    throw new AccessError('The password is too common', { code: 'password_common' });
  }
}

/** An owner from a network that the account knows, a sign-in, or any other act that hashes. */
export type HashRank = 'known' | 'sign_in' | 'other';

/** Hashes and verifies passwords off the main thread, with bounded concurrency. */
export class Passwords {
  private running = 0;
  /** In the order in which they get a turn: resets and sign-ups never delay a sign-in. */
  private readonly waiting: Readonly<Record<HashRank, Set<() => void>>> = {
    known: new Set(),
    sign_in: new Set(),
    other: new Set(),
  };
  private dummy: Promise<string> | undefined;

  /** @throws ApiError `unavailable` if it is not the caller's turn within a second */
  hash(password: string): Promise<string> {
    return this.inTurn('other', () => argon2.hash(normalized(password), COST));
  }

  /**
   * Without a stored hash, verifies a dummy, so that an unknown address takes as long as a wrong password.
   * @throws ApiError as `hash` does
   */
  verify(stored: string | null, password: string, rank: HashRank): Promise<boolean> {
    return this.inTurn(rank, async () => {
      const dummy = await (this.dummy ??= argon2.hash(randomBytes(16), COST));
      if (Buffer.byteLength(password) > MOST_BYTES) return false;
      const isRight = await argon2.verify(stored ?? dummy, normalized(password));
      return isRight && stored !== null;
    });
  }

  private async inTurn<T>(rank: HashRank, work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else await this.turn(this.waiting[rank]);
    try {
      return await work();
    } finally {
      // The next caller takes over the place of this one.
      const [next] = Object.values(this.waiting).flatMap((queue) => [...queue].slice(0, 1));
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(queue: Set<() => void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        queue.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(begin);
        reject(new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 }));
      }, MOST_WAIT_MS);
      queue.add(begin);
    });
  }
}
