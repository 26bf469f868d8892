import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { oneLine } from '../../domain/names/one-line.js';
import type { TextMail } from '../mail/mailer.js';
import type { EventContent, NotificationContent, NotificationTexts } from './notification-contents.js';

/** Events that one mail describes; it counts the others. */
const MOST_EVENTS = 50;
const SUBJECT_LENGTH = 150;

export interface MailReader {
  readonly email: string;
  readonly locale: Locale;
}

/** Writes one mail on all that an account is notified of at once. */
export class NotificationMail {
  constructor(
    private readonly texts: Texts,
    private readonly baseUrl: string,
  ) {}

  /** @param tests alerts to test; null tests the mail address alone */
  write(
    { email, locale }: MailReader,
    fired: readonly NotificationContent[],
    tests: readonly (NotificationContent | null)[],
    { sources }: Pick<NotificationTexts, 'sources'>,
  ): TextMail {
    const settings = `${this.baseUrl}/account/notifications?locale=${locale}`;
    const say = (key: string, args = {}) => this.texts.say(locale, `notifications.mail.${key}`, args);
    const items = itemsOf(fired);
    const more = items.length - MOST_EVENTS;
    const named = (name: string) => say('alert', { name });
    const parts = [
      ...tests.map((test) => (test === null ? say('test') : say('test_alert', { name: test.alert.name }))),
      ...items.slice(0, MOST_EVENTS).map((item) => itemText(item, named)),
      ...(more > 0 ? [say('more', { count: more })] : []),
      ...(sources.length > 0 ? [lines(sources.flatMap((source) => [source.attribution, source.notice]))] : []),
      say('settings', { link: settings }),
    ];
    return {
      to: email,
      subject: shorten(this.subject(locale, items)),
      text: parts.join('\n\n'),
      headers: { 'List-Unsubscribe': `<${settings}>`, 'Auto-Submitted': 'auto-generated' },
    };
  }

  private subject(locale: Locale, items: readonly MailItem[]): string {
    const [first] = items;
    if (first === undefined) return this.texts.say(locale, 'notifications.mail.subject_test');
    if (items.length > 1) {
      return this.texts.say(locale, 'notifications.mail.subject_many', { count: items.length });
    }
    const { names, event } = first;
    const name = names[0] ?? '';
    return this.texts.say(locale, 'notifications.mail.subject_one', { name, headline: event.headline });
  }
}

/** One event, with the names of all alerts that fired on it. */
interface MailItem {
  readonly event: EventContent;
  readonly names: string[];
}

function itemsOf(fired: readonly NotificationContent[]): MailItem[] {
  const items = new Map<string, MailItem>();
  for (const { alert, event } of fired) {
    if (event === null) continue;
    const key = `${event.url} ${event.headline}`;
    const item = items.get(key);
    if (item === undefined) items.set(key, { event, names: [alert.name] });
    else item.names.push(alert.name);
  }
  return [...items.values()];
}

function itemText({ event, names }: MailItem, named: (name: string) => string): string {
  return lines([event.headline, event.summary, ...names.map(named), linkOf(event)]);
}

const lines = (texts: readonly (string | null)[]): string => texts.filter((text) => text !== null).join('\n');

/** A name that an owner typed stays on the line of the subject. */
function shorten(text: string): string {
  const letters = Array.from(oneLine(text));
  return letters.length <= SUBJECT_LENGTH ? letters.join('') : `${letters.slice(0, SUBJECT_LENGTH - 1).join('')}…`;
}
