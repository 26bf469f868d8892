// Every kind of change × indicator × sign in the three languages: the content of test/unit/golden.
import { difference, percentChange } from '../../src/domain/figures/decimal.js';
import { unitNamed, type UnitCode } from '../../src/domain/figures/units.js';
import type { Wording } from '../../src/domain/figures/wording.js';
import { inAll, LOCALES, type Locale, type Localized } from '../../src/domain/locale/locale.js';
import { crossingHeadline } from '../../src/domain/figures/alert-text.js';
import { figureText } from '../../src/domain/figures/figure-text.js';
import { structureTexts } from '../../src/publish/derive/structures/structure-texts.js';
import { changeTexts } from '../../src/publish/derive/change-texts.js';
import { decisionTexts } from '../../src/publish/derive/decisions/decision-texts.js';
import { presenceTexts } from '../../src/publish/derive/revision-texts.js';
import { moveTexts } from '../../src/publish/derive/moves/move-texts.js';
import { priceOf } from '../../src/publish/derive/moves/moves.rule.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import sources from '../../data/catalogue/sources.json' with { type: 'json' };

const REGION: Localized = { en: 'Türkiye', zh: '土耳其', ja: 'トルコ' };
const PUBLISHER: Localized = { en: 'World Bank', zh: '世界银行', ja: '世界銀行' };

/** Two neighbouring figures of a plausible size for the unit, as a publisher prints them. */
const FIGURES = {
  percent: ['2.92127318539153', '3.3721'],
  percent_of_gdp: ['24.9812', '25.4353'],
  percent_of_labour_force: ['6.28355946264135', '6.33138964349225'],
  usd: ['1118930000000.12', '1188211000000'],
  usd_per_person: ['86169.66', '90026.52'],
  intl_dollar_per_person: ['46210.118', '47633.9'],
  person: ['143513328', '143669648'],
  year: ['78.89', '79.0341'],
  lcu_per_usd: ['32.8104', '39.4478'],
  currency_per_eur: ['1.0803', '1.1097'],
  usd_per_barrel: ['88.9', '96.95'],
  usd_per_mmbtu: ['2.98', '3.41'],
  usd_per_troy_ounce: ['3998.3', '4210.06'],
  usd_billions: ['29962', '30485.729'],
  jpy_thousands: ['242.1', '251.4'],
  index_1982_84_100: ['325.097', '325.901'],
} satisfies Record<string, readonly [string, string]>;

const figuresOf = (unit: UnitCode): readonly [string, string] => FIGURES[unit as keyof typeof FIGURES];

const PERIODS: Readonly<Record<string, readonly [string, string]>> = {
  A: ['2025', '2024'],
  Q: ['2025-Q3', '2025-Q2'],
  M: ['2025-08', '2025-07'],
  D: ['2025-10-30', '2025-09-18'],
};

const negative = (value: string): string => `-${value}`;

interface Case {
  readonly title: string;
  readonly kind: 'release' | 'revision';
  readonly actual: string;
  readonly previous: string | null;
  readonly missing?: 'not_published' | 'withdrawn_by_source';
}

function casesOf(unit: UnitCode, signed: boolean): Case[] {
  const [less, more] = figuresOf(unit);
  const pairs: readonly (readonly [string, string, string])[] = [
    ['up', more, less],
    ['down', less, more],
    ...(signed
      ? ([
          ['below zero, away from it', negative(more), negative(less)],
          ['below zero, towards it', negative(less), negative(more)],
          ['through zero, down', negative(less), more],
          ['through zero, up', more, negative(less)],
        ] as const)
      : []),
  ];
  return [
    ...(['release', 'revision'] as const).flatMap((kind) =>
      pairs.map(([way, actual, previous]) => ({ title: `${kind} ${way}`, kind, actual, previous })),
    ),
    { title: 'release the same', kind: 'release', actual: less, previous: less },
    // A monthly index is described in percent.
    ...(unitNamed(unit).dimension === 'index' ? [] : (['release', 'revision'] as const)).map((kind) => ({
      title: `${kind}, nearly the same`,
      kind,
      actual: `${less}${less.includes('.') ? '' : '.'}4`,
      previous: less,
    })),
    { title: 'release, nothing before', kind: 'release', actual: less, previous: null, missing: 'not_published' },
    {
      title: 'release, withdrawn before',
      kind: 'release',
      actual: more,
      previous: null,
      missing: 'withdrawn_by_source',
    },
  ];
}

interface Rendered {
  readonly title: string;
  readonly headline: Localized;
  readonly summary: Localized;
}

function ofIndicator(indicator: (typeof indicators)[number]): Rendered[] {
  const unit = indicator.unit;
  const wording = indicator.wording as Wording;
  const [period, before] = PERIODS[indicator.frequency] ?? ['2025', '2024'];
  const subject = { unit, wording, name: indicator.shortName, region: REGION, publisher: PUBLISHER, currency: 'TRY' };
  const signed = wording.sides !== null || indicator.slug === 'real-interest-rate';
  const { decision: decided } = wording;
  if (decided !== undefined) {
    return [['4.25', '4.00'] as const, ['4.00', '4.50'] as const].map(([from, to]) => ({
      title: `${indicator.slug} decision`,
      ...decisionTexts(
        { ...decided, publisher: PUBLISHER, unit },
        { period, actual: to, previous: { period: before, value: from, knownSince: before } },
      ),
    }));
  }
  return casesOf(unit, signed).map(({ title, kind, actual, previous, missing = null }) => ({
    title: `${indicator.slug} ${title}`,
    ...changeTexts({
      subject,
      change: {
        kind,
        period,
        actual,
        previous: {
          period: kind === 'revision' ? period : before,
          basis: kind === 'revision' ? 'vintage' : 'period',
          value: previous,
          missing,
          knownSince: previous === null ? null : '2025-12-17',
        },
      },
      delta: previous === null ? null : difference(actual, previous),
      deltaPercent: previous === null || unitNamed(unit).dimension === 'ratio' ? null : percentChange(previous, actual),
      yearBefore: unitNamed(unit).dimension === 'index' ? '316.449' : null,
      formerYear: unitNamed(unit).dimension === 'index' ? '3.81' : null,
      day: '2026-07-01',
      basis: indicator.provider === 'worldbank' ? 'retrieved' : 'released',
    }),
  }));
}

function ofInstrument(instrument: (typeof instruments)[number]): Rendered[] {
  const unit = instrument.unit;
  const [less, more] = figuresOf(unit);
  const monthly = instrument.nativeTimeframe === 'MN';
  const [period, before] = monthly ? ['2025-04', '2025-03'] : ['2025-04-03', '2025-04-02'];
  const measure = instrument.kind === 'rate' ? 'rate' : 'share';
  const publisher = sources.find(({ id }) => id === instrument.source)?.publisher ?? PUBLISHER;
  return (
    [
      ['up', less, more, true],
      ['down', more, less, false],
    ] as const
  ).map(([way, from, to, matched]) => ({
    title: `${instrument.key} ${way}`,
    ...moveTexts({
      name: instrument.name,
      publisher,
      unit,
      currency: instrument.currency,
      move: {
        actual: priceOf(period, to, period),
        previous: priceOf(before, from, before),
        measure,
        step: (measure === 'share' ? 100 / Number(from) : 1) * (Number(to) - Number(from)),
        ordinary: 0.2312,
        count: 250,
        ratio: 11,
      },
      context: {
        ...({ kind: matched ? 'since' : 'record', of: 'step', side: 'high', value: '1' } as const),
        since: monthly ? '1953-04' : '2023-01-02',
      },
    }),
  }));
}

/** Relations of two companies, with and without a stated day or a name. */
function ofStructures(): Rendered[] {
  const [child, parent] = ['Alpha Inc.', 'Beta AG'].map((name, at) => ({ lei: `LEI${String(at)}`, name }));
  const unnamed = { lei: 'LEI2', name: null };
  if (child === undefined || parent === undefined) throw new Error('Both are given');
  return (['began', 'ended'] as const).flatMap((what) =>
    ([[child, '2015-01-01'] as const, [unnamed, null] as const] as const).map(([one, statedOn]) => ({
      title: `structure ${what}${statedOn === null ? ', no day, no name' : ''}`,
      ...structureTexts({
        what,
        child: one,
        parent,
        statedOn,
        publisher: PUBLISHER,
        day: '2026-02-01',
        basis: 'retrieved',
      }),
    })),
  );
}

/** What an alert says when a figure of each unit crosses its threshold. */
function ofAlerts(): string[][] {
  return Object.keys(FIGURES).flatMap((unit) => {
    const [less, more] = figuresOf(unit);
    const named = indicators.find((one) => one.unit === unit) ?? instruments.find((one) => one.unit === unit);
    if (named === undefined) throw new Error(`Nothing has the unit ${unit}`);
    const isIndicator = 'shortName' in named;
    const name = isIndicator ? named.shortName : named.name;
    const region = isIndicator ? REGION : null;
    const subject = { name, region, unit, currency: isIndicator ? 'TRY' : (named.currency ?? null) };
    const crossing = (from: string, to: string) => ({
      figure: { period: '2025', value: to },
      previous: { period: '2024', value: from },
    });
    const said = [
      crossingHeadline(subject, { metric: 'value_above', threshold: less }, crossing(less, more)),
      crossingHeadline(subject, { metric: 'value_below', threshold: more }, crossing(more, less)),
      ...(unitNamed(unit).dimension === 'ratio'
        ? []
        : [crossingHeadline(subject, { metric: 'move_percent', threshold: '1' }, crossing(less, more))]),
    ];
    return said.map((headline) => [`alert ${unit}`, ...LOCALES.map((locale) => headline[locale])]);
  });
}

/** A figure alone, large, small, negative and zero, in each unit. */
function ofFigures(locale: Locale): string {
  return Object.keys(FIGURES)
    .map((unit) => {
      const [less] = figuresOf(unit);
      const written = [less, negative(less), '0'].map((value) => figureText(locale, { unit, currency: 'TRY' }, value));
      return `# figure ${unit}\n${written.join('\n')}\n`;
    })
    .join('\n');
}

/** In dollars, a million times too large. */
const MISPLACED = '1118930000000000000';

/** A series of which all and of which most periods were restated, in each dimension of units. */
function ofRebasings(): Rendered[] {
  const slugs = [
    'exports-to-gdp',
    'gdp',
    'population',
    'life-expectancy',
    'current-account-balance',
    'consumer-price-index',
  ];
  return indicators
    .filter(({ slug }) => slugs.includes(slug))
    .flatMap((indicator) => {
      const { unit } = indicator;
      const [less, actual] = figuresOf(unit);
      const monthly = indicator.frequency === 'M';
      const [period, before] = monthly ? ['2025-08', '2025-07'] : ['2025', '2024'];
      const cases = [
        { periods: 9, previous: less, what: 're-basing of 9 periods' },
        { periods: 12, previous: less, what: 're-basing of 12 periods' },
        ...(unit === 'usd' ? [{ periods: 11, previous: MISPLACED, what: 'correction of scale' }] : []),
        ...(indicator.slug === 'current-account-balance'
          ? [{ periods: 8, previous: negative(less), what: 're-basing through zero' }]
          : []),
      ];
      return cases.map(({ periods, previous, what }) => ({
        title: `${indicator.slug} ${what}`,
        ...changeTexts({
          subject: {
            unit,
            wording: indicator.wording as Wording,
            name: indicator.shortName,
            region: REGION,
            publisher: PUBLISHER,
            currency: 'TRY',
          },
          change: {
            kind: 'revision' as const,
            period,
            actual,
            proportional: periods === 12,
            previous: { period, basis: 'vintage', value: previous, missing: null, knownSince: '2025-12-17' },
            rebasing: {
              periods,
              since: monthly ? '2024-09' : '2014',
              medianPercent: '1.5',
              median: difference(actual, previous),
            },
            restated: [
              { period, previous, actual },
              what === 'correction of scale'
                ? { period: before, previous, actual: less }
                : { period: before, previous: actual, actual: previous },
            ],
          },
          delta: difference(actual, previous),
          deltaPercent: null,
          yearBefore: null,
          day: '2026-07-01',
          basis: 'retrieved',
          copyBefore: '2026-05-01',
        }),
      }));
    });
}

/** A source withdraws figures of a series, one or twelve, and gives them again, as they were or otherwise. */
function ofWithdrawals(): Rendered[] {
  const slugs = ['exports-to-gdp', 'gdp', 'population', 'life-expectancy', 'current-account-balance'];
  return indicators
    .filter(({ slug }) => slugs.includes(slug))
    .flatMap((indicator) => {
      const { unit } = indicator;
      const [value, other] = figuresOf(unit);
      const subject = {
        unit,
        wording: indicator.wording as Wording,
        name: indicator.shortName,
        region: REGION,
        publisher: PUBLISHER,
        currency: 'TRY',
      };
      const early = { value, knownSince: '2025-12-17' };
      const earlier = [early, { value: null, knownSince: '2026-05-01' }];
      const cases = [
        { what: 'withdrawn', way: 'withdrawn', actual: null, earlier: [early] },
        { what: 'returned', way: 'returned', actual: value, earlier },
        { what: 'returned and restated', way: 'returned', actual: other, earlier },
      ] as const;
      return cases.flatMap(({ what, actual, ...facts }) =>
        [1, 12].map((periods) => ({
          title: `${indicator.slug} ${what}, periods: ${periods}`,
          ...presenceTexts({
            subject,
            change: {
              kind: 'revision',
              period: '2025',
              actual,
              previous: { period: '2025', basis: 'vintage', ...early, missing: null },
              revision: { ...facts, periods, since: periods === 1 ? '2025' : '2014', smaller: 0 },
            },
            day: '2026-07-01',
            basis: 'retrieved',
            copyBefore: '2026-05-01',
          }),
        })),
      );
    });
}

export const GOLDEN_CHANGES: readonly Rendered[] = [
  ...indicators.flatMap(ofIndicator),
  ...instruments.flatMap(ofInstrument),
  ...ofStructures(),
  ...ofRebasings(),
  ...ofWithdrawals(),
];

/** Each text of a language, with its subject. */
export function goldenTexts(locale: Locale): string {
  const rendered = GOLDEN_CHANGES;
  const alerts = ofAlerts().map(([title = '', ...texts]) => `# ${title}\n${texts[LOCALES.indexOf(locale)] ?? ''}\n`);
  return [
    ...rendered.map(({ title, headline, summary }) => `# ${title}\n${headline[locale]}\n${summary[locale]}\n`),
    ...alerts,
    ofFigures(locale),
  ].join('\n');
}

export const GOLDEN = inAll(goldenTexts);
