// Every kind of change × indicator × sign in the three languages: the content of test/unit/golden.
import { difference, percentChange } from '../../src/figures/decimal.js';
import { UNITS, type UnitCode } from '../../src/figures/units.js';
import type { Wording } from '../../src/figures/wording.js';
import { inAll, type Locale, type Localized } from '../../src/locale/locale.js';
import { changeTexts } from '../../src/publishing/derive/change-texts.js';
import { decisionTexts } from '../../src/publishing/derive/decisions/decision-texts.js';
import { moveTexts } from '../../src/publishing/derive/move-texts.js';
import { priceOf } from '../../src/publishing/derive/moves.rule.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import sources from '../../data/catalogue/sources.json' with { type: 'json' };

const REGION: Localized = { en: 'Türkiye', zh: '土耳其', ja: 'トルコ' };
const PUBLISHER: Localized = { en: 'World Bank', zh: '世界银行', ja: '世界銀行' };

/** Two neighbouring figures of a plausible size for the unit, as a publisher prints them. */
const FIGURES: Readonly<Record<UnitCode, readonly [string, string]>> = {
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
};

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
  const [less, more] = FIGURES[unit];
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
    {
      title: 'release, nothing before',
      kind: 'release',
      actual: less,
      previous: null,
      missing: 'not_published',
    },
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
  const unit = indicator.unit as UnitCode;
  const wording = indicator.wording as Wording;
  const [period, before] = PERIODS[indicator.frequency] ?? ['2025', '2024'];
  const subject = {
    unit,
    wording,
    name: indicator.shortName,
    region: REGION,
    publisher: PUBLISHER,
    currency: 'TRY',
  };
  const signed = wording.sides !== null || indicator.slug === 'real-interest-rate';
  const { decision: decided } = wording;
  if (decided !== undefined) {
    return [['4.25', '4.00'] as const, ['4.00', '4.50'] as const].map(([from, to]) => ({
      title: `${indicator.slug} decision`,
      ...decisionTexts(
        { ...decided, publisher: PUBLISHER, unit },
        {
          period,
          actual: to,
          previous: { period: before, value: from, knownSince: before },
        },
      ),
    }));
  }
  return casesOf(unit, signed).map(({ title, kind, actual, previous, missing = null }) => ({
    title: `${indicator.slug} ${title}`,
    ...changeTexts({
      subject,
      change: {
        ...{ kind, period, actual },
        previous: {
          period: kind === 'revision' ? period : before,
          basis: kind === 'revision' ? 'vintage' : 'period',
          ...{ value: previous, missing, knownSince: previous === null ? null : '2025-12-17' },
        },
      },
      delta: previous === null ? null : difference(actual, previous),
      deltaPercent:
        previous === null || UNITS[unit].dimension === 'ratio' ? null : percentChange(previous, actual),
      day: '2026-07-01',
      basis: indicator.provider === 'worldbank' ? 'retrieved' : 'released',
    }),
  }));
}

function ofInstrument(instrument: (typeof instruments)[number]): Rendered[] {
  const unit = instrument.unit as UnitCode;
  const [less, more] = FIGURES[unit];
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
      ...{ name: instrument.name, publisher, unit, currency: instrument.currency },
      move: {
        actual: priceOf(period, to, period),
        previous: priceOf(before, from, before),
        measure,
        step: (measure === 'share' ? 100 / Number(from) : 1) * (Number(to) - Number(from)),
        ordinary: 0.2312,
        ...{ count: 250, ratio: 11 },
      },
      superlative: { since: monthly ? '1953-04' : '2023-01-02', matched },
    }),
  }));
}

/** Each text of a language, with its subject. */
export function goldenTexts(locale: Locale): string {
  const rendered = [...indicators.flatMap(ofIndicator), ...instruments.flatMap(ofInstrument)];
  return rendered
    .map(({ title, headline, summary }) => `# ${title}\n${headline[locale]}\n${summary[locale]}\n`)
    .join('\n');
}

export const GOLDEN = inAll(goldenTexts);
