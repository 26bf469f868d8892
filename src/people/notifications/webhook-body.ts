import type { Locale } from '../../domain/locale/locale.js';
import type { ClaimedNotification } from './outbox.js';
import type { NotificationContent, NotificationTexts } from './notification-contents.js';

/** The body of a webhook, the same in each attempt as long as the figures behind it are. */
export function webhookBody(
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
