import type { Locale } from '../locale/locale.js';

/** The mails to owners. Most contain a link; the others confirm what was done. */
export type MailKind = 'confirm' | 'already_signed_up' | 'reset' | 'password_changed';

export interface Mail {
  readonly to: string;
  readonly kind: MailKind;
  readonly locale: Locale;
  /** When the link expires; null without a link. */
  readonly token: string | null;
}

/**
 * Sends one mail.
 * @throws if the mail server rejects it
 */
export type SendMail = (mail: Mail) => Promise<void>;
