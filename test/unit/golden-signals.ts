// Every rule of signals × direction × stage, for indicators of each verb: the content of test/unit/golden/signals.*.txt.
import type { UnitCode } from '../../src/domain/figures/units.js';
import type { Wording } from '../../src/domain/figures/wording.js';
import type { Localized } from '../../src/domain/locale/locale.js';
import { clusterTexts } from '../../src/publish/read-models/signals/find-clusters.js';
import { persistentMoveTexts } from '../../src/publish/read-models/signals/find-persistent-moves.js';
import { streakTexts } from '../../src/publish/read-models/signals/find-streaks.js';
import { turnTexts } from '../../src/publish/read-models/signals/find-turning-points.js';
import type { SignalTexts } from '../../src/publish/read-models/signals/signal-texts.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };

export interface GoldenSignal extends SignalTexts {
  readonly label: string;
}

const PUBLISHER: Localized = { en: 'World Bank', zh: '世界银行', ja: '世界銀行' };
const TURKIYE: Localized = { en: 'Türkiye', zh: '土耳其', ja: 'トルコ' };
const ECONOMIES: readonly (readonly [string, Localized])[] = [
  ['US', { en: 'United States', zh: '美国', ja: '米国' }],
  ['JP', { en: 'Japan', zh: '日本', ja: '日本' }],
  ['GB', { en: 'United Kingdom', zh: '英国', ja: '英国' }],
  ['FR', { en: 'France', zh: '法国', ja: 'フランス' }],
  ['DE', { en: 'Germany', zh: '德国', ja: 'ドイツ' }],
];
/** An earlier and a later figure of a plausible size. */
const FIGURES: Readonly<Partial<Record<UnitCode, readonly [string, string]>>> = {
  usd: ['1118930000000', '1188211000000'],
  usd_per_person: ['86169.66', '90026.52'],
  person: ['143513328', '143669648'],
  year: ['78.89', '79.03'],
  lcu_per_usd: ['32.81', '39.45'],
  index_1982_84_100: ['325.097', '325.901'],
};
const annual = indicators.filter(({ frequency, wording }) => frequency === 'A' && !('decision' in wording));

function streaks(): GoldenSignal[] {
  return annual.flatMap(({ slug, shortName, unit: code, wording }) => {
    const unit = code;
    const [less, more] = FIGURES[unit] ?? ['2.92', '3.37'];
    const subject = {
      unit,
      wording: wording as Wording,
      currency: 'TRY',
      frequency: 'A' as const,
      name: shortName,
      regionName: TURKIYE,
    };
    const sourced = { publisher: PUBLISHER, period: '2026-07-01', basis: 'retrieved' } as const;
    const variants = [
      ['up, running', 'up', less, more],
      ['down, running', 'down', more, less],
      ['down, closed', 'down', more, less],
      ...(wording.sides === null ? [] : ([['below zero, up', 'up', `-${more}`, `-${less}`]] as const)),
    ] as const;
    return variants.map(([label, direction, from, to]) => {
      const closed = label.endsWith('closed');
      const streak = {
        direction,
        moves: 4,
        firstSeen: '2026-07-01',
        lastSeen: '2026-07-01',
        first: { period: '2020', value: from },
        last: { period: '2024', value: to },
        stage: closed ? 'closed' : 'active',
      } as const;
      const ended = closed ? { period: '2025', value: from } : undefined;
      return { label: `streak ${slug} ${label}`, ...streakTexts(subject, streak, ended, sourced) };
    });
  });
}

function turnsAndClusters(): GoldenSignal[] {
  const rows = ECONOMIES.map(([region, name], at) => ({
    region,
    name,
    weight: 100 - at,
    source: 'worldbank',
    position: at,
    basis: 'retrieved' as const,
    indicator: '',
    period: '2025',
    day: '2026-07-01',
    earlier: '1',
    previous: '2',
    actual: '1',
    followed: false,
  }));
  return annual.flatMap(({ slug, shortName, unit: code, wording }) =>
    (['up', 'down'] as const).flatMap((direction) => {
      const subject = { unit: code, name: shortName, publisher: PUBLISHER };
      const turn = { direction, turned: rows, published: 6, firstSeen: '2026-07-01', lastSeen: '2026-07-01' };
      const cluster = {
        direction,
        voting: 6,
        revised: rows.map((row, at) => ({ ...row, period: at === 0 ? '2023' : '2025' })),
      };
      return [
        {
          label: `turn ${slug} ${direction}`,
          ...turnTexts(
            { ...subject, wording: wording as Wording, indicator: slug, period: '2025' },
            { ...turn, stage: 'active' },
          ),
        },
        {
          label: `revision cluster ${slug} ${direction}`,
          ...clusterTexts({ ...subject, wording: wording as Wording, day: '2026-07-01' }, cluster),
        },
      ];
    }),
  );
}

function persistentMoves(): GoldenSignal[] {
  const price = (period: string) => ({ period, value: '90' });
  const held = ['2026-08-04', '2026-08-05', '2026-08-06', '2026-08-07'].map(price);
  return instruments.flatMap(({ key, name, unit: code, currency, nativeTimeframe }) => {
    const monthly = nativeTimeframe === 'MN';
    const days = monthly ? ['2026-05', '2026-06', '2026-07'].map(price) : held;
    const period = monthly ? '2026-04' : '2026-08-03';
    const subject = { unit: code, currency, name, publisher: PUBLISHER, timeframe: nativeTimeframe as 'D1' | 'MN' };
    const variants = [
      ['running', 'down', 'active', null],
      ['closed', 'up', 'closed', null],
      ['further', 'down', 'active', null, '86.5'],
      ['still there', 'down', 'active', null, '88.7'],
      ['further in between', 'up', 'active', null, '94.5', '106.5'],
      ['broken', 'down', 'closed', { period: monthly ? '2026-08' : '2026-08-10', value: '94.5' }],
      ['regained', 'down', 'closed', { period: monthly ? '2026-08' : '2026-08-10', value: '97.5' }],
    ] as const;
    return variants.map(([label, direction, stage, broken, last, first]) => {
      const [previous, actual] = direction === 'up' ? ['88.9', '96.95'] : ['96.95', '88.9'];
      const move = { period, previousPeriod: monthly ? '2026-03' : '2026-07-31', previous, actual };
      return {
        label: `persistent move ${key} ${label}`,
        ...persistentMoveTexts(subject, move, {
          direction,
          held: days.map((one, at) => ({ ...one, value: (at === 0 ? first : undefined) ?? last ?? one.value })),
          broken,
          stage,
        }),
      };
    });
  });
}

export const GOLDEN_SIGNALS: readonly GoldenSignal[] = [...streaks(), ...turnsAndClusters(), ...persistentMoves()];
