import type pg from 'pg';
import { lastDayOf } from '../../../domain/figures/periods.js';
import { writeFigures } from '../../../domain/figures/figure-text.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import { formatPeriodBeside, formatWhenBeside } from '../../../domain/locale/format.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { moveSize } from '../../derive/moves/move-sizes.js';
import { rateName } from '../../derive/moves/move-texts.js';
import { difference, isAbove, midpoint, percentChange } from '../../../domain/figures/decimal.js';
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
import { moveWords, spanWords, stepWords, textsOf, type Sentence, type SignalTexts } from './signal-texts.js';

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

/** In whole percent, how much of a move was undone; 99 if nearly all was. */
function shareBack({ actual, previous }: Pick<PriceMove, 'actual' | 'previous'>, stood: string): string {
  const share = Math.abs((Number(stood) - Number(actual)) / (Number(previous) - Number(actual)));
  return `${Math.min(99, Math.round(share * 100))}%`;
}

const isBeyond = (direction: Direction, level: string, other: string): boolean =>
  direction === 'up' ? isAbove(level, other) : isAbove(other, level);

/** A step since the move of less than this share of it is none worth a word. */
const TINY_SHARE = 0.1;

/** What became of a move: a price that broke the signal returned half of it, or all. */
function wayOf({ direction, broken }: PersistentMove, { previous, actual }: PriceMove, stood: string) {
  if (broken !== null) return isBeyond(direction, stood, previous) ? 'broken' : 'regained';
  const [since, size] = [Number(stood) - Number(actual), Number(actual) - Number(previous)];
  if (Math.abs(since) < TINY_SHARE * Math.abs(size)) return 'stayed';
  return isBeyond(direction, stood, actual) ? 'further' : 'kept';
}

/** The furthest price since the move, where it lies beyond the move by more than half of its size; none where it is the newest. */
function peakOf({ direction, held, broken }: PersistentMove, { previous, actual }: PriceMove): Observation | null {
  const furthest = held.reduce<Observation | null>(
    (most, one) => (most === null || isBeyond(direction, one.value, most.value) ? one : most),
    null,
  );
  if (furthest === null || (broken === null && furthest === held.at(-1))) return null;
  return isBeyond(direction, furthest.value, difference(actual, difference(midpoint(previous, actual), actual)))
    ? furthest
    : null;
}

export function persistentMoveTexts(
  {
    unit,
    currency,
    timeframe,
    name,
    publisher,
  }: Pick<Subject, 'unit' | 'currency' | 'timeframe' | 'name' | 'publisher'>,
  move: Omit<MoveRow, 'position'>,
  found: PersistentMove,
): SignalTexts {
  const { direction, held, broken } = found;
  const newest = broken ?? held.at(-1) ?? { period: move.period, value: move.actual };
  const way = wayOf(found, move, newest.value);
  const peak = peakOf(found, move);
  const before = { period: move.previousPeriod, value: move.previous };
  const percent = unitNamed(unit).dimension === 'ratio' ? null : percentChange(move.previous, move.actual);
  // The figure that broke it is part of what the text says.
  return textsOf({ publisher, period: newest.period, basis: 'observed' }, (locale) => {
    const { title, summary, peak: between } = SENTENCES[locale].signals.persistent_move;
    const levels = [newest.value, peak?.value ?? move.actual, move.actual, move.previous];
    const { full, beside } = writeFigures(locale, { unit, currency }, levels);
    const after = (say: Sentence, words: Parameters<Sentence>[0]) => (peak === null ? '' : say(words));
    return {
      title: (words) => title[way](words) + after(between.title, words),
      summary: (words) => summary[way](words) + after(between.summary, words),
      words: {
        name: rateName(locale, name, unit, currency),
        span: spanWords(locale, timeframe, held.length),
        move: moveSize(locale, { unit, currency, actual: move.actual, previous: move.previous, percent }),
        last: formatPeriodBeside(locale, held.at(-1)?.period ?? move.period, move.period),
        before: formatWhenBeside(locale, move.previousPeriod, move.period),
        share: shareBack(move, newest.value),
        until: formatPeriodBeside(locale, newest.period, move.period),
        level: full[0] ?? '',
        stood: (VOICES[locale].fullUnit === 'last' ? full : beside)[0] ?? '',
        peak: beside[1] ?? '',
        peakWhen: peak === null ? '' : formatWhenBeside(locale, peak.period, move.period),
        ...moveWords(locale, unit, direction, true),
        ...stepWords(locale, { unit, currency }, before, { period: move.period, value: move.actual }),
      },
    };
  });
}
