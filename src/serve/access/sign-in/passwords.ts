import { dictionary } from '@zxcvbn-ts/language-common';
import argon2 from 'argon2';
import { randomBytes } from 'node:crypto';
import { AccessError } from '../accounts/access-error.js';
import { Turns, type TurnRank } from '../keys/turns.js';

const LEAST_CHARACTERS = 10;
const MOST_BYTES = 256;
/** argon2id with 19 MiB, two passes and one lane, as OWASP recommends. */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash occupies one of libuv's four threads; DNS, files and compression keep the others. */
const AT_ONCE = 2;
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

/** Hashes and verifies passwords off the main thread, with bounded concurrency. */
export class Passwords {
  private readonly turns = new Turns({ known: AT_ONCE, sign_in: AT_ONCE, other: AT_ONCE });
  private dummy: Promise<string> | undefined;

  /** @throws ApiError `unavailable` if it is not the caller's turn within a second */
  hash(password: string): Promise<string> {
    return this.turns.run('other', () => argon2.hash(normalized(password), COST));
  }

  /**
   * Without a stored hash, verifies a dummy, so that an unknown address takes as long as a wrong password.
   * @throws ApiError as `hash` does
   */
  verify(stored: string | null, password: string, rank: TurnRank): Promise<boolean> {
    return this.turns.run(rank, async () => {
      const dummy = await (this.dummy ??= argon2.hash(randomBytes(16), COST));
      if (Buffer.byteLength(password) > MOST_BYTES) return false;
      const isRight = await argon2.verify(stored ?? dummy, normalized(password));
      return isRight && stored !== null;
    });
  }
}
