import type pg from 'pg';
import { pegOf } from '../../../domain/figures/currencies.js';
import { frequencyOf, lastDayOf, periodOn, shiftedDay } from '../../../domain/figures/periods.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { changeId } from '../change-id.js';
import { type DeriveContext, DerivedChanges, type NewChange } from '../derived-changes.js';
import type { FigureContext } from '../context.rule.js';
import { moveContextOf } from './move-context.rule.js';
import { moveTexts } from './move-texts.js';
import {
  BASELINE_DAYS,
  deriveMove,
  importanceOfMove,
  isOfAnchor,
  priceOf,
  WINDOW,
  type Move,
  type Price,
} from './moves.rule.js';
import type { KnownRange } from '../release-revision.rule.js';

interface Subject {
  readonly id: number;
  readonly instrument: string;
  readonly kind: string;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly name: Localized;
  readonly publisher: Localized;
  /** 0..100, from the catalogue. */
  readonly attention: number;
  /** Last period of its first vintage. */
  readonly baseline: string;
}

interface MoveCandidate {
  readonly series: number;
  readonly period: string;
  /** The vintage whose values the rule uses; null if the price no longer exists, or no change may be derived. */
  readonly day: string | null;
}

/** Weekly averages follow daily prices, which are instruments of their own. Backfills derive nothing. */
const SUBJECTS = `
  SELECT s.id, s.instrument, n.kind, n.unit, n.currency, n.name, o.publisher, n.attention,
         v.last_period AS baseline
  FROM declared_coverage e JOIN derivable_series s ON s.id = e.series_id
    JOIN instruments n ON n.key = s.instrument
    JOIN sources o ON o.id = s.source_id
    JOIN series_vintages v ON v.series_id = s.id AND v.day = s.baseline_day
  WHERE e.affected > 0 AND (e.held OR NOT e.newer) AND NOT (n.average AND n.native_timeframe = 'W1')
  ORDER BY s.id`;

/**
 * The cells that the rule evaluates again: those that this vintage changes, and later ones that became known with it or
 * after it. The rule uses the values known when the present value became known. $1 series, $2 horizons, $3 vintage
 */
const CANDIDATES = `
  WITH wanted AS (
    SELECT s.id, s.baseline_day, w.above FROM unnest($1::integer[], $2::text[]) AS w (id, above)
      JOIN derivable_series s USING (id)
  ), altered AS (
    SELECT a.series_id, a.period FROM observation_differences a JOIN wanted w ON w.id = a.series_id WHERE a.period > w.above
  ), lowest AS (
    SELECT series_id, min(period) AS period FROM observation_differences GROUP BY series_id
  ), listed AS (
    SELECT series_id, period FROM altered
    UNION
    SELECT o.series_id, o.period FROM wanted w JOIN lowest l ON l.series_id = w.id
      JOIN derivable_observations o ON o.series_id = w.id
    WHERE o.valid_to IS NULL AND o.period > w.above AND o.period > l.period
      AND greatest(o.valid_from, w.baseline_day) >= $3::date
  )
  SELECT l.series_id AS series, l.period, v.day::text AS day
  FROM listed l JOIN wanted w ON w.id = l.series_id
    LEFT JOIN derivable_observations o
      ON o.series_id = l.series_id AND o.period = l.period AND o.valid_to IS NULL
    LEFT JOIN series_vintages v
      ON v.series_id = l.series_id AND v.day = greatest(o.valid_from, w.baseline_day) AND NOT v.backfilled
  ORDER BY l.series_id, l.period COLLATE "C"`;

/** $1 series, $2 periods */
const LIST_STANDING = `
  INSERT INTO recomputed_changes (id)
  SELECT c.id FROM unnest($1::integer[], $2::text[]) AS j (series_id, period)
    JOIN changes c ON c.series_id = j.series_id AND c.period = j.period
  WHERE c.kind = 'move'`;

/** The window before a period and everything after it. $1 series, $2 first evaluated period, or '' for all */
const RANGES = `
  SELECT o.period, o.valid_from::text AS "from", o.valid_to::text AS "to", o.value::text
  FROM derivable_observations o
  WHERE o.series_id = $1 AND o.period >= coalesce((
    SELECT min(w.period) FROM (
      SELECT DISTINCT b.period FROM derivable_observations b
      WHERE b.series_id = $1 AND b.period < $2 ORDER BY b.period DESC LIMIT ${2 * WINDOW}) w), '')
  ORDER BY o.period, o.valid_from`;

/** Derives market moves beyond an instrument's own normal: a pure function of what is stored. */
export async function deriveMoves({ client, vintage }: DeriveContext): Promise<void> {
  const subjects = (await client.query<Subject>(SUBJECTS)).rows;
  if (subjects.length === 0) return;
  const candidates = await client.query<MoveCandidate>(CANDIDATES, [
    subjects.map(({ id }) => id),
    subjects.map(({ baseline }) => horizonOf(baseline)),
    vintage,
  ]);
  await client.query(LIST_STANDING, [
    candidates.rows.map(({ series }) => series),
    candidates.rows.map(({ period }) => period),
  ]);
  const output = new DerivedChanges(client);
  for (const subject of subjects) {
    const cells = candidates.rows.filter(({ series, day }) => series === subject.id && day !== null);
    for (const found of await movesOf(client, subject, cells)) await output.write(changeOf(subject, found));
  }
  await output.flush();
}

/** The rate that the same source prints of another currency. $1 series, $2 currency */
const ANCHOR = `
  SELECT a.id FROM derivable_series s JOIN instruments n ON n.key = s.instrument
    JOIN instruments m ON m.unit = n.unit AND m.native_timeframe = n.native_timeframe AND m.currency = $2
    JOIN derivable_series a ON a.instrument = m.key AND a.source_id = s.source_id
  WHERE s.id = $1`;

interface FoundMove {
  readonly move: Move;
  readonly context: FigureContext | null;
}

async function movesOf(client: pg.PoolClient, subject: Subject, cells: readonly MoveCandidate[]): Promise<FoundMove[]> {
  const [first] = cells;
  if (first === undefined) return [];
  const frequency = frequencyOf(first.period) === 'M' ? 'M' : 'D';
  const kind = subject.kind === 'rate' ? 'rate' : 'price';
  const recent = new Knowledge(await rangesOf(client, subject.id, first.period));
  const anchor = await anchorOf(client, subject, first.period);
  const moves = cells.flatMap(({ period, day }) => {
    const prices = recent.on(day ?? '');
    const move = deriveMove(
      prices,
      prices.findIndex((price) => price.period === period),
      kind,
      frequency,
    );
    return move === null || isOfAnchor(move, anchor.on(day ?? '')) ? [] : [{ move, day: day ?? '' }];
  });
  if (moves.length === 0) return [];
  const all = new Knowledge(await rangesOf(client, subject.id, ''));
  return moves.map(({ move, day }) => ({ move, context: moveContextOf(move, all.on(day), frequency) }));
}

/** The prices of the currency to which the subject's is pegged; none without one. */
async function anchorOf(client: pg.PoolClient, { id, currency }: Subject, from: string): Promise<Knowledge> {
  const peg = currency === null ? undefined : pegOf(currency);
  if (peg === undefined) return new Knowledge([]);
  const { rows } = await client.query<{ id: number }>(ANCHOR, [id, peg]);
  return new Knowledge(rows[0] === undefined ? [] : await rangesOf(client, rows[0].id, from));
}

async function rangesOf(client: pg.PoolClient, series: number, from: string): Promise<KnownRange[]> {
  return (await client.query<KnownRange>(RANGES, [series, from])).rows;
}

/** The prices of one series as known on a given day. */
class Knowledge {
  private readonly held = new Map<string, Price[]>();

  constructor(private readonly ranges: readonly KnownRange[]) {}

  on(day: string): Price[] {
    const held = this.held.get(day);
    if (held !== undefined) return held;
    const prices = this.ranges
      .filter(({ from, to }) => from <= day && (to === null || to > day))
      .map(({ period, value, from }) => priceOf(period, value, from));
    this.held.set(day, prices);
    return prices;
  }
}

/** Periods up to this one make no moves: they precede the last days of the first import. */
function horizonOf(baseline: string): string {
  return periodOn(shiftedDay(lastDayOf(baseline), -BASELINE_DAYS), frequencyOf(baseline));
}

function changeOf(subject: Subject, { move, context }: FoundMove): NewChange {
  const { instrument, name, publisher, unit, currency, attention } = subject;
  const { period, value: actual } = move.actual;
  const day = lastDayOf(period);
  return {
    id: changeId({ kind: 'move', indicator: instrument, region: '', period, vintageDay: day }),
    kind: 'move',
    figure: {
      series: subject.id,
      unit,
      period,
      actual,
      previous: { ...move.previous, basis: 'period', missing: null },
    },
    texts: moveTexts({ name, publisher, unit, currency, move, context }),
    importance: importanceOfMove(move, attention),
    context,
    occurredOn: day,
    occurredBasis: 'observed',
    vintageDay: day,
    knownSince: move.actual.knownSince,
  };
}
