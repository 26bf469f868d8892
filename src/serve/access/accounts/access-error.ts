import { noSuch } from '../../../domain/errors/nearest.js';

/** The reasons why an owner's request is refused. Pages have a text for each in every language. */
export type RefusalCode =
  | 'email_invalid'
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'wrong_credentials'
  | 'too_many_attempts'
  | 'too_many_today'
  | 'token_invalid'
  | 'has_account'
  | 'form_foreign'
  | 'sign_up_closed'
  | 'sign_in_first'
  | 'name_invalid'
  | 'account_suspended'
  | 'first_key_later'
  | 'key_cap'
  | 'key_made'
  | 'key_replaced'
  | 'key_predecessor'
  | 'key_unknown'
  | 'link_cap'
  | 'table_unknown'
  | 'target_unknown'
  | 'follow_cap'
  | 'follow_unknown'
  | 'alert_cap'
  | 'threshold_needed'
  | 'threshold_unwanted'
  | 'threshold_positive'
  | 'metric_unfit'
  | 'move_of_percent'
  | 'webhook_url_invalid'
  | 'webhook_url_refused'
  | 'webhook_made'
  | 'webhook_cap'
  | 'webhook_unknown'
  | 'rotation_pending'
  | 'notification_unknown'
  | 'alert_unknown'
  | 'channel_off'
  | 'no_channel'
  | 'mail_unavailable'
  | 'sso_unavailable'
  | 'sso_expired'
  | 'sso_cancelled'
  | 'sso_failed'
  | 'sso_email_unverified'
  | 'sso_has_account'
  | 'sso_other_identity'
  | 'sso_needs_password'
  | 'confirm_first';

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
