import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { Mailer } from '../mail/mailer.js';
import { isTest, type ClaimedChannel, type ClaimedNotification } from './outbox.js';
import {
  contentKey,
  type NotificationContent,
  type NotificationContents,
  type NotificationTexts,
} from './notification-contents.js';
import { NotificationMail } from './notification-mail.js';
import { postWebhook, type AttemptResult, type WebhookLimits } from './post-webhook.js';
import type { SecretBox } from './secret-box.js';
import { signatureHeaders } from './webhook-signature.js';

/** Results of an attempt with the notifications that had them. */
export type AttemptResults = readonly (readonly [AttemptResult, readonly ClaimedNotification[]])[];

export interface DispatcherParts {
  readonly contents: NotificationContents;
  readonly mailer: Mailer;
  readonly texts: Texts;
  readonly baseUrl: string;
  readonly secrets: SecretBox;
  readonly webhooks: Omit<WebhookLimits, 'signal'>;
  readonly now: () => Date;
}

const USER_AGENT = 'Tidemark-Webhooks/1';

/** Composes notifications and hands them to their channel, once. */
export class NotificationDispatcher {
  private readonly mail: NotificationMail;

  constructor(private readonly parts: DispatcherParts) {
    this.mail = new NotificationMail(parts.texts, parts.baseUrl);
  }

  async attempt(
    channel: ClaimedChannel,
    notifications: readonly ClaimedNotification[],
    signal: AbortSignal,
  ): Promise<AttemptResults> {
    const texts = await this.parts.contents.read(channel.accountId, notifications, channel.locale);
    const withdrawn = notifications.filter((one) => !isTest(one) && !texts.contents.has(contentKey(one)));
    const current = notifications.filter((one) => !withdrawn.includes(one));
    if (current.length === 0) return [[{ error: 'withdrawn' }, withdrawn]];
    const result =
      channel.kind === 'email'
        ? await this.sendMail(channel, current, texts)
        : await this.post(channel, current, texts, signal);
    return [
      [{ error: 'withdrawn' }, withdrawn],
      [result, current],
    ];
  }

  private async sendMail(
    channel: ClaimedChannel,
    notifications: readonly ClaimedNotification[],
    texts: NotificationTexts,
  ): Promise<AttemptResult> {
    const contents = notifications.map((one) => contentOf(one, texts));
    const fired = contents.filter((one) => one?.event != null) as NotificationContent[];
    const tests = contents.filter((one) => one?.event == null);
    try {
      await this.parts.mailer.send(this.mail.write(channel, fired, tests, texts));
      return { error: null };
    } catch {
      // A mail server's reply may contain the address of a person.
      return { error: 'mail_failed' };
    }
  }

  private async post(
    channel: ClaimedChannel,
    [notification]: readonly ClaimedNotification[],
    texts: NotificationTexts,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const secrets = this.secretsOf(channel);
    if (notification === undefined || channel.url === null || secrets === null) return { error: 'secret_lost' };
    const now = this.parts.now();
    const body = webhookBody(notification, contentOf(notification, texts), texts, { locale: channel.locale, now });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': USER_AGENT,
      ...signatureHeaders(notification.id, now, body, secrets),
    };
    return postWebhook({ url: channel.url, headers, body }, { ...this.parts.webhooks, signal });
  }

  private secretsOf({ id, secret, previousSecret, previousUntil }: ClaimedChannel): string[] | null {
    const isRotating = previousUntil !== null && previousUntil > this.parts.now();
    const sealed = [secret, ...(isRotating ? [previousSecret] : [])];
    const opened = sealed.map((one) => (one === null ? null : this.parts.secrets.open(one, id)));
    const [current, ...previous] = opened;
    return current == null ? null : [current, ...previous.filter((one) => one !== null)];
  }
}

function contentOf(notification: ClaimedNotification, { contents }: NotificationTexts): NotificationContent | null {
  return contents.get(contentKey(notification)) ?? null;
}

/** The body of a webhook, the same in each attempt as long as the figures behind it are. */
function webhookBody(
  { id }: Pick<ClaimedNotification, 'id'>,
  content: NotificationContent | null,
  { sources }: Pick<NotificationTexts, 'sources'>,
  at: { readonly locale: Locale; readonly now: Date },
): string {
  const event = content?.event ?? null;
  return JSON.stringify({
    type: event === null ? 'alert.test' : 'alert.fired',
    timestamp: event?.at ?? at.now.toISOString(),
    data: { id, alert: content?.alert ?? null, event },
    meta: { locale: at.locale, sources },
  });
}
