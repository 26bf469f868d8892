import { creditColumns, creditJoin, creditOf, type Credited } from '../../derive/credit.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import type pg from 'pg';
import { nextPeriod, previousPeriod, type Frequency } from '../../../domain/figures/periods.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import { formatPeriod, formatWhen, lowered } from '../../../domain/locale/format.js';
import { articled, type Wording } from '../../../domain/figures/wording.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { figuresOf, type DetectedSignal, type Evaluation } from './signal.js';
import { listed, directedName, moveWords, textsOf, type SignalTexts } from './signal-texts.js';
import { TURNED, turningPointOf, type Economy, type TurningPoint } from './turning-point.rule.js';

/** Days without a further economy after which a turning point is no longer current. */
const CURRENT_DAYS: Readonly<Record<Frequency, number>> = { A: 400, H: 250, Q: 150, M: 75, W: 30, D: 15 };
const BATCH = 20;

interface Period {
  readonly indicator: string;
  readonly period: string;
}

interface Turned extends Period {
  readonly unit: UnitCode;
  readonly name: Localized;
  readonly wording: Wording;
  readonly publisher: Localized;
}

interface Candidate extends Turned, Omit<Credited, 'publisher'> {
  readonly frequency: Frequency;
  readonly expected: number;
}

export interface EconomyRow extends Period, Economy {
  readonly weight: number;
  readonly name: Localized;
  readonly source: string;
  readonly position: number;
  readonly basis: VintageBasis;
}

/** A figure affects the turning points of its own period, of both neighbours, and of the one after the next. */
const CELLS = `
  SELECT DISTINCT s.indicator, t.period FROM affected_observations t JOIN series s ON s.id = t.series_id
  WHERE s.indicator IS NOT NULL`;

/** A deleted series may have affected every period of its indicator. */
const WITHOUT_CHANGES = `
  SELECT s.indicator, c.period FROM series b JOIN derivable_series s ON s.indicator = b.indicator
    JOIN changes c ON c.series_id = s.id AND c.kind = 'release'
  WHERE b.id IN (SELECT series_id FROM series_without_changes)
  UNION
  SELECT g.subject, g.starts FROM signals g
  WHERE g.rule = 'turn' AND g.subject IN (
    SELECT b.indicator FROM series b WHERE b.id IN (SELECT series_id FROM series_without_changes))`;

/** $1 indicators, $2 periods, $3 the periods before them, $4 how many economies at least */
const CANDIDATES = `
  SELECT k.indicator, k.period, i.unit, i.frequency, i.short_name AS name, i.wording, ${creditColumns('p')}, (
    SELECT count(*) FROM derivable_series s JOIN regions r ON r.code = s.region AND r.kind = 'country'
      JOIN derivable_observations o ON o.series_id = s.id AND o.period = k.previous AND o.valid_to IS NULL
    WHERE s.indicator = k.indicator) AS expected
  FROM (SELECT * FROM unnest($1::text[], $2::text[] COLLATE "C", $3::text[] COLLATE "C")) AS k (indicator, period, previous)
    JOIN indicators i ON i.slug = k.indicator JOIN sources p ON p.id = i.source_id
    LEFT JOIN LATERAL (SELECT s.origins FROM series s WHERE s.indicator = i.slug ORDER BY s.id LIMIT 1) m ON true
    ${creditJoin('p', 'm.origins')}
  WHERE (
    SELECT count(*) FROM derivable_series s
      JOIN changes c ON c.series_id = s.id AND c.period = k.period AND c.kind = 'release'
    WHERE s.indicator = k.indicator AND c.status <> 'withdrawn') >= $4
  ORDER BY k.indicator, k.period`;

/** $1 indicators, $2 periods, $3–$4 the two periods before, $5 the period after */
const ECONOMIES = `
  SELECT DISTINCT ON (k.indicator, k.period, s.region)
         k.indicator, k.period, s.region, r.weight, r.name, s.source_id AS source, c.position,
         c.occurred_at::date::text AS day, c.occurred_basis AS basis,
         e.value::text AS earlier, v.value::text AS previous, a.value::text AS actual, f.value IS NOT NULL AS followed
  FROM (SELECT * FROM unnest($1::text[], $2::text[] COLLATE "C", $3::text[] COLLATE "C", $4::text[] COLLATE "C",
                             $5::text[] COLLATE "C")) AS k (indicator, period, earlier, previous, next)
    JOIN derivable_series s ON s.indicator = k.indicator
    JOIN regions r ON r.code = s.region AND r.kind = 'country'
    JOIN changes c ON c.series_id = s.id AND c.period = k.period AND c.kind = 'release' AND c.status <> 'withdrawn'
    LEFT JOIN derivable_observations e ON e.series_id = s.id AND e.period = k.earlier AND e.valid_to IS NULL
    LEFT JOIN derivable_observations v ON v.series_id = s.id AND v.period = k.previous AND v.valid_to IS NULL
    LEFT JOIN derivable_observations a ON a.series_id = s.id AND a.period = k.period AND a.valid_to IS NULL
    LEFT JOIN derivable_observations f ON f.series_id = s.id AND f.period = k.next AND f.valid_to IS NULL
  ORDER BY k.indicator, k.period, s.region, c.position`;

export async function* turningPoints(client: pg.PoolClient): AsyncGenerator<Evaluation> {
  const periodsToCheck = await affectedPeriods(client);
  yield { scopes: periodsToCheck.map(({ indicator, period }) => ({ subject: indicator, from: period, to: period })) };
  const candidates = await client.query<Candidate>(CANDIDATES, [
    periodsToCheck.map(({ indicator }) => indicator),
    periodsToCheck.map(({ period }) => period),
    periodsToCheck.map(({ period }) => previousPeriod(period)),
    TURNED,
  ]);
  for (let at = 0; at < candidates.rows.length; at += BATCH) {
    const batch = candidates.rows.slice(at, at + BATCH);
    const periods = batch.map(({ period }) => period);
    const { rows } = await client.query<EconomyRow>(ECONOMIES, [
      batch.map(({ indicator }) => indicator),
      periods,
      periods.map((period) => previousPeriod(previousPeriod(period))),
      periods.map(previousPeriod),
      periods.map(nextPeriod),
    ]);
    yield {
      signals: batch.flatMap((candidate) => {
        const { indicator, period, expected } = candidate;
        const own = rows.filter((row) => row.indicator === indicator && row.period === period);
        const turn = turningPointOf(own, expected);
        return turn === null ? [] : [signalOf(candidate, turn)];
      }),
    };
  }
}

async function affectedPeriods(client: pg.PoolClient): Promise<Period[]> {
  const cells = (await client.query<Period>(CELLS)).rows;
  const around = cells.flatMap(({ indicator, period }) => {
    const next = nextPeriod(period);
    return [previousPeriod(period), period, next, nextPeriod(next)].map((one) => ({ indicator, period: one }));
  });
  const withoutChanges = (await client.query<Period>(WITHOUT_CHANGES)).rows;
  const all = [...around, ...withoutChanges].map((one) => [`${one.indicator} ${one.period}`, one] as const);
  return [...new Map(all).values()];
}

function signalOf(candidate: Candidate, turn: TurningPoint<EconomyRow>): DetectedSignal {
  const { indicator, period, frequency } = candidate;
  const { turned, stage, firstSeen, lastSeen } = turn;
  return {
    subject: indicator,
    starts: period,
    ...turnTexts({ ...candidate, publisher: creditOf(candidate) }, turn),
    stage,
    currentDays: CURRENT_DAYS[frequency],
    firstSeen,
    lastSeen,
    figures: figuresOf(turned, 3),
    independent: 3 * turned.length,
    changes: turned.map(({ position }) => position),
  };
}

export function turnTexts(
  { period, unit, name, wording, publisher }: Turned,
  { direction, turned, published, lastSeen }: TurningPoint<EconomyRow>,
): SignalTexts {
  const basis = turned.find(({ day }) => day === lastSeen)?.basis ?? 'retrieved';
  return textsOf({ publisher, period: lastSeen, basis }, (locale) => ({
    title: SENTENCES[locale].signals.turn.title,
    summary: SENTENCES[locale].signals.turn.summary,
    words: {
      name: articled(locale, wording, directedName(locale, unit, lowered(locale, name[locale]))),
      period: formatPeriod(locale, period),
      when: formatWhen(locale, period),
      previousPeriod: formatPeriod(locale, previousPeriod(period)),
      previousWhen: formatWhen(locale, previousPeriod(period)),
      n: VOICES[locale].count(turned.length),
      m: VOICES[locale].count(published),
      economies: listed(locale, turned),
      ...moveWords(locale, unit, direction, false),
    },
  }));
}
