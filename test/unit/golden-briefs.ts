// Briefs of a few days as a reader gets them: the content of test/unit/golden/briefs.*.txt.
import { creditOf } from '../../src/publish/derive/credit.js';
import { difference, percentChange } from '../../src/domain/figures/decimal.js';
import { unitNamed } from '../../src/domain/figures/units.js';
import { formatDay } from '../../src/domain/locale/format.js';
import type { Locale, Localized } from '../../src/domain/locale/locale.js';
import { compileTemplate, type TextArgs } from '../../src/domain/locale/templates.js';
import type { Texts } from '../../src/domain/locale/texts.service.js';
import { changeTexts } from '../../src/publish/derive/change-texts.js';
import { decisionTexts } from '../../src/publish/derive/decisions/decision-texts.js';
import { moveTexts } from '../../src/publish/derive/moves/move-texts.js';
import { briefTexts, type BriefFacts } from '../../src/publish/read-models/briefs/brief-texts.js';
import { itemHeadline, type ItemFacts } from '../../src/publish/read-models/briefs/item-texts.js';
import type { MentionedChange } from '../../src/publish/read-models/briefs/mentioned-change.js';
import { EventView } from '../../src/serve/resources/ahead/event.view.js';
import { eventText } from '../../src/serve/resources/briefs/brief-events.view.js';
import { marketText } from '../../src/serve/resources/briefs/market-text.view.js';
import type { UrlBuilder } from '../../src/serve/responses/url-builder.service.js';
import { readMessages } from '../contract/messages.js';
import {
  indicatorNamed,
  inEach,
  instrumentNamed,
  regionNamed,
  mentionedChange,
  mentionedMove,
  type Traits,
} from '../support/mentioned-changes.js';
import sources from '../../data/catalogue/sources.json' with { type: 'json' };

type Item = BriefFacts['items'][number];
interface Texted {
  readonly headline: Localized;
  readonly summary: Localized;
}

const publisherOf = (id: string): Localized => sources.find((one) => one.id === id)?.publisher ?? inEach(id);

const texts = {
  say(locale: Locale, key: string, args: TextArgs = {}): string {
    const [file = '', ...path] = key.split('.');
    const text = readMessages(locale, file)[path.join('.')];
    if (text === undefined) throw new Error(`No text '${key}'`);
    return compileTemplate(text)(args);
  },
} as unknown as Texts;

const itemOf = (section: string, change: MentionedChange, told: Texted, counts: Partial<ItemFacts> = {}): Item => ({
  section,
  summary: told.summary,
  changes: 1,
  regions: 1,
  economies: 1,
  periods: 1,
  ...counts,
  change: { ...change, headline: told.headline },
});

function figure(section: string, day: string, traits: Traits, counts: Partial<ItemFacts> = {}): Item {
  const change = mentionedChange(traits);
  const { unit, shortName, wording, source } = indicatorNamed(traits.indicator ?? '');
  const { from, to, kind = 'release' } = traits;
  const subject = {
    unit,
    name: shortName,
    wording: change.wording ?? { verb: 'rise' as const, sides: null },
    region: change.regionName ?? inEach(''),
    currency: change.currency,
    aggregate: change.aggregate,
    publisher: publisherOf(source),
  };
  const previous = {
    basis: kind === 'revision' ? ('vintage' as const) : ('period' as const),
    period: change.previousPeriod ?? '',
    value: from,
    missing: null,
    knownSince: '2026-04-01',
  };
  const told =
    'decision' in wording
      ? decisionTexts(
          { ...wording.decision, publisher: publisherOf(source), unit },
          {
            period: traits.period ?? day,
            actual: to,
            previous: { period: '2024-12-19', value: from ?? to, knownSince: '2024-12-19' },
          },
        )
      : changeTexts({
          subject,
          change: { kind: kind as 'release' | 'revision', period: change.period ?? '', actual: to, previous },
          delta: from === null ? null : difference(to, from),
          deltaPercent: from === null || unitNamed(unit).dimension === 'ratio' ? null : percentChange(from, to),
          yearBefore: traits.yearBefore ?? null,
          day,
          basis: 'released',
        });
  return itemOf(section, change, told, counts);
}

function move(section: string, key: string, from: string, to: string, day: string): Item {
  const { name, unit, currency, source } = instrumentNamed(key);
  const rate = unitNamed(unit).dimension === 'ratio';
  const step = rate ? Number(difference(to, from)) : Number(percentChange(from, to));
  const price = (period: string, value: string) => ({
    period,
    day: Date.parse(period) / 86_400_000,
    value,
    number: Number(value),
    knownSince: day,
  });
  const told = moveTexts({
    name,
    unit,
    currency,
    publisher: publisherOf(source),
    context: null,
    move: {
      actual: price(day, to),
      previous: price('2026-01-01', from),
      measure: rate ? 'rate' : 'share',
      step,
      ordinary: rate ? 0.03 : 0.5,
      count: 250,
      ratio: 5,
    },
  });
  return itemOf(section, mentionedMove(key, from, to, day), told);
}

interface Close {
  readonly key: string;
  readonly period: string;
  readonly before: string;
  readonly last: string;
}

interface Ahead {
  readonly indicator: string;
  readonly period: string;
  readonly on: string;
  readonly estimate?: number;
  readonly previous?: readonly [period: string, value: string];
  readonly earlier?: string;
}

interface Day extends Pick<BriefFacts, 'day' | 'items' | 'changes' | 'publishers'> {
  readonly title: string;
  readonly compiledUntil?: string;
  readonly closes?: readonly Close[];
  readonly ahead?: readonly Ahead[];
}

const from = (...names: readonly string[]): BriefFacts['publishers'] =>
  names.map((id) => ({ name: publisherOf(id), basis: null }));

const ILO = {
  name: creditOf({
    publisher: publisherOf('ilo-modelled'),
    survey: publisherOf('ilo-modelled'),
    portal: publisherOf('worldbank-wdi'),
    modelled: true,
  }),
  basis: 'retrieved',
} as const;
const WORLD_BANK = { name: publisherOf('worldbank-wdi'), basis: 'retrieved' } as const;
const of2025 = (section: string, indicator: string, region: string, from: string | null, to: string): Item =>
  figure(section, '2026-07-01', { indicator, region, from, to });

const JULY: readonly Item[] = [
  of2025('growth', 'gdp-growth', 'US', '2.7929', '2.1613'),
  of2025('growth', 'gdp-growth', 'CN', '5.2', '4.96'),
  of2025('growth', 'gdp-growth', 'EMU', '0.94', '1.41'),
  of2025('prices', 'cpi-inflation', 'EMU', '2.26', '2.47'),
  of2025('trade', 'current-account-balance', 'FR', '2690000000', '-9235000000'),
  of2025('currency', 'total-reserves', 'CN', '3449500000000', '3456000000000'),
  of2025('currency', 'official-exchange-rate', 'TR', '32.8104', '39.4478'),
  figure(
    'labour',
    '2026-07-01',
    { kind: 'revision', indicator: 'unemployment-rate', region: 'HK', period: '2024', from: '3.02', to: '3.11' },
    { changes: 9, regions: 5, economies: 5, periods: 3 },
  ),
  figure(
    'money-credit',
    '2026-07-01',
    {
      kind: 'revision',
      indicator: 'private-credit-to-gdp',
      region: 'JP',
      period: '2024',
      from: '195.881',
      to: '195.882',
    },
    { changes: 4, regions: 4, economies: 4, periods: 2 },
  ),
];

const CLOSES: readonly Close[] = [
  { key: 'eurusd', period: '2026-04-08', before: '1.1556', last: '1.1706' },
  { key: 'brent', period: '2026-04-08', before: '138.12', last: '122.11' },
  { key: 'us-par-yield-10y', period: '2026-04-08', before: '4.31', last: '4.31' },
];

const DAYS: readonly Day[] = [
  {
    title: 'much happened',
    day: '2026-07-01',
    items: JULY,
    changes: 2624,
    publishers: [WORLD_BANK, ILO],
    ahead: [
      { indicator: 'consumer-price-index', period: '2026-06', on: '2026-07-14', previous: ['2026-05', '325.901'] },
    ],
  },
  {
    title: 'little happened',
    day: '2026-07-14',
    changes: 1,
    publishers: from('bls'),
    items: [
      figure('prices', '2026-07-14', {
        indicator: 'consumer-price-index',
        region: 'US',
        period: '2026-06',
        from: '325.901',
        to: '326.030',
        yearBefore: '318.4',
      }),
    ],
  },
  {
    title: 'retrospective, markets',
    day: '2026-04-08',
    compiledUntil: '2026-08-22',
    changes: 5,
    publishers: from('ecb', 'eia'),
    items: [
      move('commodities', 'wti', '114.62', '96.17', '2026-04-08'),
      move('commodities', 'brent', '138.12', '122.11', '2026-04-08'),
      move('currency', 'eurusd', '1.1556', '1.1706', '2026-04-08'),
      move('currency', 'eursek', '10.99', '10.784', '2026-04-08'),
      move('currency', 'eurhuf', '382.12', '375.63', '2026-04-08'),
    ],
    closes: CLOSES,
  },
  {
    title: 'yields alone',
    day: '2025-04-11',
    changes: 4,
    publishers: from('us-treasury'),
    items: [
      move('rates', 'us-par-yield-10y', '4.40', '4.48', '2025-04-11'),
      move('rates', 'us-par-yield-2y', '3.84', '3.96', '2025-04-11'),
      move('rates', 'us-par-yield-1y', '3.97', '4.04', '2025-04-11'),
      move('rates', 'us-par-yield-3m', '4.34', '4.49', '2025-04-11'),
    ],
  },
  {
    title: 'a decision takes effect',
    day: '2025-09-18',
    changes: 2,
    publishers: from('frb', 'us-treasury'),
    items: [
      figure('money-credit', '2025-09-18', {
        kind: 'decision',
        indicator: 'policy-rate-upper',
        region: 'US',
        period: '2025-09-18',
        from: '4.50',
        to: '4.25',
      }),
      move('rates', 'us-par-yield-2y', '3.51', '3.66', '2025-09-18'),
    ],
    ahead: [
      {
        indicator: 'nominal-gdp-annual-rate',
        period: '2025-Q2',
        on: '2025-09-25',
        estimate: 3,
        previous: ['2025-Q1', '29962.047'],
        earlier: '30353.902',
      },
    ],
  },
  {
    title: 'a holiday',
    day: '2026-01-19',
    changes: 2,
    publishers: [WORLD_BANK],
    items: [
      figure('growth', '2026-01-19', {
        indicator: 'gdp-growth',
        region: 'JP',
        period: '2024',
        from: '1.475',
        to: '0.104',
      }),
      figure('trade', '2026-01-19', {
        kind: 'revision',
        indicator: 'current-account-balance',
        region: 'GR',
        period: '2024',
        from: '-15800000000',
        to: '-18400000000',
      }),
    ],
    closes: [{ key: 'wti', period: '2026-01-16', before: '59.19', last: '59.44' }],
    ahead: [
      {
        indicator: 'nominal-gdp-annual-rate',
        period: '2025-Q3',
        on: '2026-01-22',
        estimate: 2,
        previous: ['2025-Q2', '30485.729'],
        earlier: '31095.1',
      },
      { indicator: 'policy-rate-upper', period: '2026-01-28', on: '2026-01-28', previous: ['2025-12-11', '3.75'] },
    ],
  },
];

function market(locale: Locale, { key, period, before, last }: Close): string {
  const { name, unit, currency, source } = instrumentNamed(key);
  const close = (day: string, value: string) => ({
    unit,
    currency,
    period: day,
    value,
    publisher: publisherOf(source),
  });
  return `${name[locale]} | ${marketText(close(period, last), close(period, before), texts, locale)}`;
}

function event(locale: Locale, { indicator, period, on, estimate, previous, earlier }: Ahead): string {
  const { shortName: name, unit, wording } = indicatorNamed(indicator);
  const known = previous === undefined ? null : { period: previous[0], value: previous[1], since: previous[0] };
  return eventText(
    {
      name,
      unit,
      period,
      currency: null,
      regionName: regionNamed('US').name,
      scheduledOn: on,
      scheduledAt: new Date(`${on}T19:00:00Z`),
      decision: 'decision' in wording,
      estimate: estimate ?? null,
      previous: known,
      earlier: earlier ?? null,
    },
    new EventView({} as UrlBuilder, texts),
    texts,
    locale,
  );
}

function written(locale: Locale, { title, compiledUntil, closes = [], ahead = [], ...facts }: Day): string {
  const brief = briefTexts(facts);
  const late = compiledUntil === undefined ? [] : [{ day: formatDay(locale, compiledUntil) }];
  return [
    `# ${title}`,
    brief.title[locale],
    brief.summary[locale],
    ...late.map((args) => texts.say(locale, 'site.brief.retrospective', args)),
    ...facts.items.map((item) => `- ${itemHeadline(item)[locale]}`),
    ...closes.map((close) => `- ${market(locale, close)}`),
    ...ahead.map((one) => `- ${event(locale, one)}`),
  ].join('\n');
}

export const briefsIn = (locale: Locale): string => `${DAYS.map((day) => written(locale, day)).join('\n\n')}\n`;
