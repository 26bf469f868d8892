import type { Locale } from '../locale/locale.js';

/** The mails to owners. Each holds a link but those that say what was done. */
export type MailKind = 'confirm' | 'already_signed_up' | 'reset' | 'password_changed';

export interface Mail {
  readonly to: string;
  readonly kind: MailKind;
  readonly locale: Locale;
  /** Of the link; null where there is none. */
  readonly token: string | null;
}

/** Sends one mail. @throws where the server does not take it */
export type SendMail = (mail: Mail) => Promise<void>;
