import { noSuch } from '../../../domain/errors/nearest.js';

type Refused = (typeof import('../../../domain/locale/messages/en/account.json'))['refused'];
/** The reasons why an owner's request is refused: each is a text of the pages. */
export type RefusalCode = Exclude<keyof Refused, 'title'>;

export interface Refusal {
  readonly code: RefusalCode;
  readonly args?: Readonly<Record<string, string | number>>;
  readonly retryAfterSeconds?: number;
}

/** A refusal with a message for the operator; one that an owner can meet also has a code. */
export class AccessError extends Error {
  constructor(
    message: string,
    readonly refusal: Refusal | null = null,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

export function signUpClosed(): AccessError {
  return new AccessError('Sign-up is closed', { code: 'sign_up_closed' });
}

/** @param waitMs until the next attempt is allowed */
export function tooManyAttempts(
  waitMs: number,
  code: 'too_many_attempts' | 'too_many_today' = 'too_many_attempts',
): AccessError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AccessError(`Too many attempts: try again in ${retryAfterSeconds} s`, {
    code,
    args: { count: retryAfterSeconds },
    retryAfterSeconds,
  });
}

/**
 * No account, key or alert has this name. Only to operators may a command add the nearest names. An owner meets a missing
 * account if it was deleted by another form at the same time.
 */
export class UnknownNameError extends AccessError {
  constructor(
    readonly what: 'account' | 'key' | 'alert',
    readonly named: string,
    refusal: Refusal | null = null,
  ) {
    super(noSuch(what, named), refusal ?? (what === 'account' ? { code: 'sign_in_first' } : null));
  }
}
