import type { Locale } from '../../../domain/locale/locale.js';
import { utcMinute } from '../../../domain/locale/utc-minute.js';

/** Changes that another person may have made: the owner gets a mail of each. */
export type NoticeKind = 'password_changed' | 'identity_linked' | 'identity_unlinked' | 'key_created' | 'webhook_added';

/** The mails to owners. */
export type MailKind = 'confirm' | 'already_signed_up' | 'reset' | 'sign_in' | NoticeKind;

export interface Mail {
  readonly to: string;
  readonly kind: MailKind;
  readonly locale: Locale;
  /** Of the link; null for a link without one. */
  readonly token: string | null;
  /** Inserted into the text. */
  readonly args?: Readonly<Record<string, string>>;
}

/**
 * Sends one mail.
 * @throws if the mail server rejects it
 */
export type SendMail = (mail: Mail) => Promise<void>;

export interface Notice {
  readonly kind: NoticeKind;
  readonly at: Date;
  /** The client's address without its last part; null: the operator, who notifies nobody. */
  readonly address: string | null;
  /** The key, the provider, or the host of the webhook; never a secret. */
  readonly name?: string;
}

/** Tells the owner of a change that is done. It does not wait for the mail server, and does not throw. */
export type NotifyOwner = (owner: { readonly email: string; readonly locale: Locale }, notice: Notice) => void;

/** @param onFailure called with the error of a mail that could not be sent */
export function notifyBy(sendMail: SendMail, onFailure: (error: unknown) => void): NotifyOwner {
  return ({ email: to, locale }, { kind, at, address, name = '' }) => {
    if (address === null) return;
    const args = { at: utcMinute(at), address, name };
    sendMail({ to, kind, locale, token: null, args }).catch(onFailure);
  };
}
