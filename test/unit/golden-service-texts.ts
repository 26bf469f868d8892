// What the service itself writes: errors, calendar titles, mails. The content of test/unit/golden/service.*.txt.
import type { Locale } from '../../src/domain/locale/locale.js';
import { compileTemplate, pluralForm, type TextArgs } from '../../src/domain/locale/templates.js';
import type { Texts } from '../../src/domain/locale/texts.service.js';
import type { NotificationContent } from '../../src/people/notifications/notification-contents.js';
import { NotificationMail } from '../../src/people/notifications/notification-mail.js';
import { EventView } from '../../src/serve/resources/ahead/event.view.js';
import type { UrlBuilder } from '../../src/serve/responses/url-builder.service.js';
import { readMessages } from '../contract/messages.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import { GOLDEN_CHANGES } from './golden-texts.js';

/** What messages of errors are filled with. */
const TYPICAL: TextArgs = {
  ...{ limit: 100, count: 2, listed: 20, seconds: 42, at: '2026-12-01T09:00:00Z', names: 'gdp, gdp-growth' },
  ...{ method: 'tools/run', parameter: 'limit', values: 'en, zh, ja', end: 'to', other: 'slug', name: 'gpd' },
  ...{ perMinute: 60, perDay: 2_000 },
};

/** What mails of accounts are filled with. */
const OF_ACCOUNTS: TextArgs = { link: 'https://tidemark.example/account/…', address: '192.0.2.0/24' };

/** The messages themselves, without the framework that reads them. */
function say(locale: Locale, key: string, args: TextArgs = {}): string {
  const [file = '', ...path] = key.split('.');
  const messages = readMessages(locale, file);
  const name = path.join('.');
  const text = messages[name] ?? messages[`${name}.${pluralForm(locale, Number(args['count']))}`];
  if (text === undefined) throw new Error(`No text '${key}'`);
  return compileTemplate(text)(args);
}
const texts = { say } as unknown as Texts;

/** Each message of a file on a line of its own, with its key. */
const messagesOf = (locale: Locale, file: string): string[] =>
  Object.entries(readMessages(locale, file)).map(
    ([key, text]) => `${key}: ${compileTemplate(text)(TYPICAL).replaceAll('\n', ' ⏎ ')}`,
  );

/** Calendar events of every indicator that may have one: of a period, its first four prints, and decisions. */
function titles(locale: Locale): string[] {
  const view = new EventView({} as UrlBuilder, texts);
  const region = { en: 'United States', zh: '美国', ja: '米国' };
  return indicators.flatMap(({ shortName: name, wording, frequency }) => {
    const period = { A: '2025', Q: '2026-Q3', M: '2026-10', D: '2026-12-09' }[frequency] ?? '2025';
    const row = { name, regionName: region, period };
    if ('decision' in wording) {
      const actual = { period: '2026-12-10', value: '3.75', since: '2026-12-10' };
      return [null, actual].map((held) =>
        view.titleOf({ ...row, decision: true, actual: held, estimate: null }, locale),
      );
    }
    const estimates = frequency === 'Q' ? [null, 1, 2, 3, 4] : [null];
    return estimates.map((estimate) =>
      view.titleOf({ ...row, decision: false, actual: null, estimate }, locale),
    );
  });
}

/** Mails of one event, of one that two alerts found, of several, and of tests. */
function mails(locale: Locale): string[] {
  const mail = new NotificationMail(texts, 'https://tidemark.example');
  const fired = (name: string, at: number): NotificationContent => {
    const change = GOLDEN_CHANGES[at];
    if (change === undefined) throw new Error('There are more changes than that');
    const url = `https://tidemark.example/api/v1/changes/chg_${String(at)}`;
    return {
      alert: {
        ...{ id: `alr_${name}`, name, condition: { metric: 'any_change', threshold: null } },
        target: { type: 'country', key: 'TR', name: 'TR', url: 'https://tidemark.example' },
      },
      event: {
        ...{ changeId: `chg_${String(at)}`, url, at: '2026-11-20T09:00:00.000Z', sources: [] },
        ...{ headline: change.headline[locale], summary: change.summary[locale] },
      },
    };
  };
  const [one, other, third] = [fired('A', 0), fired('B', 0), fired('A', 6)];
  const written = [
    ...[[one], [one, other], [one, third]].map((events) => [events, []] as const),
    ...[[null], [fired('A', 0)]].map((tests) => [[], tests] as const),
  ].map(([events, tests]) =>
    mail.write({ email: 'ada@own.example', locale }, [...events], [...tests], { sources: [] }),
  );
  return written.flatMap(({ subject, text }) => [subject, text.replaceAll('\n', ' ⏎ ')]);
}

const section = (title: string, lines: readonly string[]): string => `# ${title}\n${lines.join('\n')}\n`;

export const serviceTexts = (locale: Locale): string =>
  [
    section('errors', messagesOf(locale, 'errors')),
    section('errors of parameters, and names that were not found', messagesOf(locale, 'parameters')),
    section('calendar', titles(locale)),
    section('mails of alerts: subject, and text', mails(locale)),
    section(
      'mails of accounts',
      Object.entries(readMessages(locale, 'mail')).map(
        ([key, text]) =>
          `${key}: ${compileTemplate(text)({ ...TYPICAL, ...OF_ACCOUNTS }).replaceAll('\n', ' ⏎ ')}`,
      ),
    ),
  ].join('\n');
