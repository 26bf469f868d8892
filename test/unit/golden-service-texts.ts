// What the service itself writes: errors, calendar titles, mails. The content of test/unit/golden/service.*.txt.
import type { Locale } from '../../src/domain/locale/locale.js';
import { compileTemplate, pluralForm, type TextArgs } from '../../src/domain/locale/templates.js';
import type { Texts } from '../../src/domain/locale/texts.service.js';
import type { NotificationContent } from '../../src/people/notifications/notification-contents.js';
import { verbForms } from '../../src/domain/figures/wording.js';
import { NotificationMail } from '../../src/people/notifications/notification-mail.js';
import type { FigureContext } from '../../src/publish/derive/context.rule.js';
import { moveContextText } from '../../src/publish/derive/moves/move-context-texts.js';
import { priceOf } from '../../src/publish/derive/moves/moves.rule.js';
import { contextText } from '../../src/publish/derive/context-texts.js';
import { EventView } from '../../src/serve/resources/ahead/event.view.js';
import type { UrlBuilder } from '../../src/serve/responses/url-builder.service.js';
import { readMessages } from '../contract/messages.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import { GOLDEN_CHANGES } from './golden-texts.js';

/** What messages of errors are filled with. */
const TYPICAL: TextArgs = {
  limit: 100,
  count: 2,
  listed: 20,
  seconds: 42,
  at: '2026-12-01T09:00:00Z',
  names: 'gdp, gdp-growth',
  method: 'tools/run',
  parameter: 'limit',
  values: 'en, zh, ja',
  end: 'to',
  other: 'slug',
  name: 'gpd',
  keys: 'brent, wti',
  key: 'brent',
  stored: 'JP',
  tool: 'quotes',
  one: 'us-par-yield-10y',
  perMinute: 60,
  perDay: 2_000,
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
    const row = { name, regionName: region, period, scheduledAt: new Date('2026-12-09T19:00:00Z') };
    if ('decision' in wording) {
      const actual = { period: '2026-12-10', value: '3.75', since: '2026-12-10' };
      const effective = view.titleOf(
        { ...row, decision: true, actual: null, estimate: null, scheduledAt: null },
        locale,
      );
      return [
        effective,
        ...[null, actual].map((held) => view.titleOf({ ...row, decision: true, actual: held, estimate: null }, locale)),
      ];
    }
    const estimates = frequency === 'Q' ? [null, 1, 2, 3, 4] : [null];
    return estimates.map((estimate) => view.titleOf({ ...row, decision: false, actual: null, estimate }, locale));
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
        id: `alr_${name}`,
        name,
        condition: { metric: 'any_change', threshold: null },
        target: { type: 'country', key: 'TR', name: 'TR', url: 'https://tidemark.example' },
      },
      event: {
        changeId: `chg_${String(at)}`,
        url,
        at: '2026-11-20T09:00:00.000Z',
        sources: [],
        headline: change.headline[locale],
        summary: change.summary[locale],
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

/** What stands out about a figure: every form, of a rise of an amount or a weaker yen. */
function contexts(locale: Locale): string[] {
  const { noun, past } = verbForms(locale, 'increase', false, true);
  const words = { noun, past, currency: { en: 'yen', zh: '日元', ja: '円' }[locale] };
  const figure = { unit: 'percent', currency: null, period: '2025' } as const;
  const amount = { unit: 'usd', currency: 'JPY', period: '2025' } as const;
  const superlatives = (['record', 'since'] as const).flatMap((kind) =>
    (['level', 'amount', 'year', 'step', 'exchange'] as const).flatMap((of) =>
      (['high', 'low'] as const).map((side) => ({ kind, of, side, since: '2009', value: '0' })),
    ),
  );
  const none = { of: null, side: null, since: '2009' } as const;
  const all = [
    ...superlatives,
    { ...none, kind: 'streak', value: '5' } as const,
    { ...none, kind: 'mean', value: '2.345' } as const,
    ...['2.345', '-2.345'].map((value) => ({ ...none, kind: 'mean', of: 'step', value }) as const),
  ];
  const turns = indicators.flatMap(({ wording: { sides } }) => (sides === null ? [] : [sides.turn]));
  const sided = turns.flatMap((turn) =>
    ['2.345', '-2.345'].map((value) => ({ context: { ...none, kind: 'mean', value } as const, turn })),
  );
  return [...all.map((context) => ({ context, turn: null })), ...sided].map(({ context, turn }) =>
    contextText(locale, context, { ...(context.of === 'amount' ? amount : figure), turn }, words).trim(),
  );
}

/** What stands out about a move: every form, of a price, a pair and a yield, up and down. */
function moveContexts(locale: Locale): string[] {
  const measures = [
    ['usd_per_barrel', null, 'share', '84.25', '91.80'],
    ['currency_per_eur', 'USD', 'share', '1.1706', '1.1556'],
    ['percent', null, 'rate', '4.3', '4.45'],
  ] as const;
  return measures.flatMap(([unit, currency, measure, a, b]) =>
    [
      [a, b],
      [b, a],
    ].flatMap(([actual = a, previous = b]) => {
      const step = (Number(actual) - Number(previous)) / (measure === 'share' ? Number(previous) / 100 : 1);
      const move = {
        measure,
        step,
        ordinary: 0.5,
        count: 250,
        ratio: 6,
        actual: priceOf('2026-07-27', actual, '2026-08-22'),
        previous: priceOf('2026-07-24', previous, '2026-08-22'),
      };
      const name = { en: 'X', zh: 'X', ja: 'X' };
      const facts = { name, publisher: name, unit, currency, move, context: null };
      const [along, against] = step < 0 ? (['low', 'high'] as const) : (['high', 'low'] as const);
      const contexts: FigureContext[] = [
        { kind: 'since', of: 'step', side: 'high', since: '2024-05-02', value: '9' },
        { kind: 'record', of: 'step', side: 'high', since: '2015-01-02', value: '3' },
        { kind: 'since', of: 'level', side: along, since: '2024-05-02', value: previous },
        { kind: 'record', of: 'level', side: along, since: '2015-01-02', value: previous },
        { kind: 'swing', of: 'step', side: against, since: '2026-07-24', value: step < 0 ? '3.25' : '-3.25' },
        { kind: 'streak', of: null, side: null, since: '2026-07-20', value: '5' },
        { kind: 'distance', of: 'level', side: against, since: '2026-03-09', value: previous },
        { kind: 'distance', of: 'level', side: against, since: '2026-07-24', value: previous },
      ];
      return contexts.map((context) => moveContextText(locale, facts, context).trim());
    }),
  );
}

const section = (title: string, lines: readonly string[]): string => `# ${title}\n${lines.join('\n')}\n`;

export const serviceTexts = (locale: Locale): string =>
  [
    section('errors', messagesOf(locale, 'errors')),
    section('errors of parameters, and names that were not found', messagesOf(locale, 'parameters')),
    section('calendar', titles(locale)),
    section('context of releases', contexts(locale)),
    section('context of moves', moveContexts(locale)),
    section('mails of alerts: subject, and text', mails(locale)),
    section(
      'mails of accounts',
      Object.entries(readMessages(locale, 'mail')).map(
        ([key, text]) => `${key}: ${compileTemplate(text)({ ...TYPICAL, ...OF_ACCOUNTS }).replaceAll('\n', ' ⏎ ')}`,
      ),
    ),
  ].join('\n');
