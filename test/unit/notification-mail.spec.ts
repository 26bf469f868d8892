import { NotificationMail } from '../../src/people/notifications/notification-mail.js';
import type { NotificationContent } from '../../src/people/notifications/notification-contents.js';
import type { Texts } from '../../src/domain/locale/texts.service.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { compileTemplate, type TextArgs } from '../../src/domain/locale/templates.js';
import { readMessages } from '../contract/messages.js';

// The messages themselves, without the framework that reads them.
const say = (locale: (typeof LOCALES)[number], key: string, args: TextArgs = {}): string => {
  const [file = '', ...path] = key.split('.');
  const messages = readMessages(locale, file);
  const name = path.join('.');
  return compileTemplate(messages[name] ?? messages[`${name}.other`] ?? '')(args);
};
const mail = new NotificationMail({ say } as unknown as Texts, 'https://tidemark.example');

const fired = (name: string, change: number): NotificationContent => ({
  alert: {
    id: `alr_${name}`,
    name,
    target: { type: 'country', key: 'JP', name: 'Japan', url: 'https://tidemark.example/api' },
    condition: { metric: 'any_change', threshold: null },
  },
  event: {
    changeId: `chg_${String(change)}`,
    headline: `Headline ${String(change)}`,
    summary: null,
    url: `https://tidemark.example/api/v1/changes/chg_${String(change)}`,
    at: '2026-11-20T09:00:00.000Z',
    sources: [],
  },
});
const write = (contents: NotificationContent[], locale: (typeof LOCALES)[number] = 'en') =>
  mail.write({ email: 'ada@own.example', locale }, contents, [], { sources: [] });

describe('The mail of alerts', () => {
  it.each(LOCALES)('describes 50 events and counts the others in %s', (locale) => {
    const many = Array.from({ length: 63 }, (_, index) => fired('one', index));
    const { text, subject } = write(many, locale);
    expect(text.match(/^Headline \d+$/gm)).toHaveLength(50);
    expect(text).toContain('13');
    expect(subject).toContain('63');
  });

  it('describes an event once, with the name of each alert that fired on it', () => {
    const { text, subject } = write([fired('one', 7), fired('two', 7)]);
    expect(text.match(/^Headline 7$/gm)).toHaveLength(1);
    expect(text).toContain('Alert: one\nAlert: two\n');
    expect(subject).toBe('one: Headline 7');
  });

  it('has a subject of one line and a bounded length', () => {
    const { subject } = write([fired(`${'😀'.repeat(200)}\r\nBcc: evil@mail.example`, 1)]);
    expect(Array.from(subject)).toHaveLength(150);
    expect(write([fired('a\r\nBcc: b', 1)]).subject).toBe('a Bcc: b: Headline 1');
  });
});
