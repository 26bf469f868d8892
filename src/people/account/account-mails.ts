import type { MailKind, SendMail } from '../../serve/access/accounts/mail.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { Mailer } from '../mail/mailer.js';

const LINKS: Readonly<Record<MailKind, string>> = {
  confirm: '/account/confirm',
  already_signed_up: '/account/sign-in',
  reset: '/account/reset',
  sign_in: '/account/link',
  password_changed: '/account/forgotten',
  identity_linked: '/account/sso',
  identity_unlinked: '/account/forgotten',
  key_created: '/account',
  webhook_added: '/account/notifications',
};

/** Writes mails in the reader's language. */
export function mailsOf(mailer: Mailer, texts: Texts, baseUrl: string): SendMail {
  return ({ to, kind, locale, token, args }) => {
    const link = `${baseUrl}${LINKS[kind]}?${token === null ? '' : `token=${token}&`}locale=${locale}`;
    return mailer.send({
      to,
      subject: texts.say(locale, `mail.${kind}.subject`),
      text: texts.say(locale, `mail.${kind}.text`, { ...args, link }),
    });
  };
}
