import type pg from 'pg';
import { lastDayOf } from '../../../domain/figures/periods.js';
import { writeFigures, type FigureUnit } from '../../../domain/figures/figure-text.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import { formatPeriodBeside, formatWhenBeside } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { moveSize } from '../../derive/moves/move-sizes.js';
import { rateName } from '../../derive/moves/move-texts.js';
import { isAbove, percentChange } from '../../../domain/figures/decimal.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import type { DetectedSignal, Direction, Evaluation } from './signal.js';
import {
  HELD,
  persistentMoveOf,
  WATCHED_OBSERVATIONS,
  type PriceMove,
  type Observation,
  type PersistentMove,
} from './persistent-move.rule.js';
import { moveWords, spanWords, stepWords, textsOf, type SignalTexts } from './signal-texts.js';

/** Days without an observation after which a move no longer counts as current. */
const CURRENT_DAYS = { D1: 30, W1: 60, MN: 120 } as const;

interface Subject {
  readonly id: number;
  readonly instrument: string;
  readonly source: string;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly timeframe: keyof typeof CURRENT_DAYS;
  readonly name: Localized;
  readonly publisher: Localized;
  /** Moves from this period on are evaluated again; all where it is null. */
  readonly from: string | null;
}

interface MoveRow extends PriceMove {
  readonly position: number;
  readonly previousPeriod: string;
}

const GONE = `
  SELECT s.instrument FROM series_without_changes b JOIN series s ON s.id = b.series_id WHERE s.instrument IS NOT NULL`;

/** An observation affects moves up to $1 observations before it. */
const SUBJECTS = `
  SELECT s.id, s.instrument, s.source_id AS source, i.unit, i.currency, i.native_timeframe AS timeframe, i.name, p.publisher, (
    SELECT o.period FROM derivable_observations o
    WHERE o.series_id = s.id AND o.valid_to IS NULL AND o.period < t.first
    ORDER BY o.period DESC OFFSET $1 - 1 LIMIT 1) AS from
  FROM (SELECT series_id, min(period) AS first FROM affected_observations GROUP BY series_id) t
    JOIN derivable_series s ON s.id = t.series_id JOIN instruments i ON i.key = s.instrument
    JOIN sources p ON p.id = s.source_id
  ORDER BY s.id`;

const MOVES = `
  SELECT period, position, previous_period AS "previousPeriod", previous_value::text AS previous,
         actual_value::text AS actual
  FROM changes
  WHERE series_id = $1 AND kind = 'move' AND status <> 'withdrawn' AND ($2::text IS NULL OR period >= $2)
    AND previous_value IS NOT NULL
  ORDER BY period`;

const AFTER = `
  SELECT period, value::text FROM derivable_observations
  WHERE series_id = $1 AND valid_to IS NULL AND period > $2 ORDER BY period LIMIT ${String(WATCHED_OBSERVATIONS)}`;

export async function* persistentMoves(client: pg.PoolClient): AsyncGenerator<Evaluation> {
  const gone = (await client.query<{ instrument: string }>(GONE)).rows;
  yield { scopes: gone.map(({ instrument }) => ({ subject: instrument })) };
  for (const subject of (await client.query<Subject>(SUBJECTS, [WATCHED_OBSERVATIONS + 1])).rows) {
    const { id, instrument, from } = subject;
    const signals: DetectedSignal[] = [];
    for (const move of (await client.query<MoveRow>(MOVES, [id, from])).rows) {
      const after = (await client.query<Observation>(AFTER, [id, move.period])).rows;
      const found = persistentMoveOf(move, after);
      if (found !== null) signals.push(signalOf(subject, move, found));
    }
    yield { scopes: [{ subject: instrument, from }], signals };
  }
}

function signalOf(subject: Subject, move: MoveRow, found: PersistentMove): DetectedSignal {
  const { instrument, source, timeframe } = subject;
  const { held, stage } = found;
  return {
    subject: instrument,
    starts: move.period,
    ...persistentMoveTexts(subject, move, found),
    stage,
    currentDays: CURRENT_DAYS[timeframe],
    firstSeen: lastDayOf(held[HELD - 1]?.period ?? move.period),
    lastSeen: lastDayOf(held.at(-1)?.period ?? move.period),
    figures: new Map([[source, held.length + 2]]),
    independent: held.length + 2,
    changes: [move.position],
  };
}

/** The level after a move and the one that the move reached, with equal decimals; the first named has the unit in full. */
function levelWords(locale: Locale, measure: FigureUnit, values: readonly string[]): Record<string, string> {
  const { full, beside } = writeFigures(locale, measure, values);
  const [stood, reached] = VOICES[locale].fullUnit === 'last' ? [full[0], beside[1]] : [beside[0], full[1]];
  return { stood: stood ?? '', reached: reached ?? '' };
}

/** In whole percent, how much of a move was undone; 99 if nearly all was. */
function shareBack({ actual, previous }: Pick<PriceMove, 'actual' | 'previous'>, stood: string): string {
  const share = Math.abs((Number(stood) - Number(actual)) / (Number(previous) - Number(actual)));
  return `${Math.min(99, Math.round(share * 100))}%`;
}

const isBeyond = (direction: Direction, level: string, other: string): boolean =>
  direction === 'up' ? isAbove(level, other) : isAbove(other, level);

export function persistentMoveTexts(
  {
    unit,
    currency,
    timeframe,
    name,
    publisher,
  }: Pick<Subject, 'unit' | 'currency' | 'timeframe' | 'name' | 'publisher'>,
  move: Omit<MoveRow, 'position'>,
  { direction, held, broken }: PersistentMove,
): SignalTexts {
  const stood = (broken ?? held.at(-1))?.value ?? move.actual;
  const ending = isBeyond(direction, stood, move.previous) ? 'broken' : 'regained';
  const going = isBeyond(direction, stood, move.actual) ? 'further' : 'held';
  const way = broken === null ? going : ending;
  const before = { period: move.previousPeriod, value: move.previous };
  const percent = unitNamed(unit).dimension === 'ratio' ? null : percentChange(move.previous, move.actual);
  // The figure that broke it is part of what the text says.
  const newest = (broken ?? held.at(-1))?.period ?? move.period;
  return textsOf({ publisher, period: newest, basis: 'observed' }, (locale) => ({
    title: SENTENCES[locale].signals.persistent_move.title[way],
    summary: SENTENCES[locale].signals.persistent_move.summary[way],
    words: {
      name: rateName(locale, name, unit, currency),
      span: spanWords(locale, timeframe, held.length),
      move: moveSize(locale, { unit, currency, actual: move.actual, previous: move.previous, percent }),
      last: formatPeriodBeside(locale, held.at(-1)?.period ?? move.period, move.period),
      before: formatWhenBeside(locale, move.previousPeriod, move.period),
      share: shareBack(move, stood),
      until: broken === null ? '' : formatPeriodBeside(locale, broken.period, move.period),
      ...levelWords(locale, { unit, currency }, [stood, move.actual, move.previous]),
      ...moveWords(locale, unit, direction, true),
      ...stepWords(locale, { unit, currency }, before, { period: move.period, value: move.actual }),
    },
  }));
}
