import { creditColumns, creditJoin, creditOf, type Credited } from '../../derive/credit.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import type pg from 'pg';
import { nextPeriod, type Frequency } from '../../../domain/figures/periods.js';
import { currencyHolder } from '../../../domain/figures/currencies.js';
import { isExchangeRate, type UnitCode } from '../../../domain/figures/units.js';
import {
  articled,
  formsBelowZero,
  namedBySign,
  verbForms,
  wordingOf,
  type Wording,
} from '../../../domain/figures/wording.js';
import { plainUnit, writeFigures } from '../../../domain/figures/figure-text.js';
import { formatPeriod, formatWhen, lowered } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { batches } from '../../derive/derive-releases.js';
import { measured } from '../../derive/templates.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { directedName, spanWords, stepWords, textsOf, type Sourced, type SignalTexts } from './signal-texts.js';
import { directionOf, type DetectedSignal, type Evaluation } from './signal.js';
import { streaksOf, type KnownFigure, type Streak } from './streak.rule.js';
import { grouped } from '../../../domain/grouped.js';

/** Days without a release after which a streak is no longer current. */
const CURRENT_DAYS: Readonly<Record<Frequency, number>> = { A: 550, H: 370, Q: 200, M: 100, W: 30, D: 15 };

interface Subject extends Credited {
  readonly id: number;
  readonly indicator: string;
  readonly region: string;
  readonly source: string;
  readonly unit: UnitCode;
  readonly wording: Wording;
  readonly currency: string | null;
  readonly frequency: Frequency;
  readonly name: Localized;
  readonly regionName: Localized;
  /** Whether the region is a group of economies. */
  readonly aggregate?: boolean | undefined;
  readonly rows: number;
}

/** What the texts name of a subject. */
type Described = Omit<Subject, 'id' | 'indicator' | 'region' | 'source' | 'rows' | keyof Credited>;

interface ChangeRow {
  readonly series: number;
  readonly kind: 'release' | 'revision';
  readonly period: string;
  readonly position: number;
  readonly day: string;
  readonly basis: VintageBasis;
}

const SCOPES = `
  SELECT s.indicator || '@' || s.region AS subject
  FROM (SELECT series_id FROM affected_observations UNION SELECT series_id FROM series_without_changes) t JOIN series s ON s.id = t.series_id
  WHERE s.indicator IS NOT NULL`;

/** Months that are not adjusted move with the season, and a streak of them says nothing. */
const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, s.source_id AS source, i.unit, i.wording, r.currency, i.frequency, i.short_name AS name,
         r.name AS "regionName", r.kind = 'aggregate' AS aggregate, ${creditColumns('p')},
         (SELECT count(*) FROM derivable_observations o WHERE o.series_id = s.id AND o.valid_to IS NULL) AS rows
  FROM (SELECT DISTINCT series_id FROM affected_observations) t JOIN derivable_series s ON s.id = t.series_id
    JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
    JOIN sources p ON p.id = s.source_id ${creditJoin('p', 's.origins')}
  WHERE EXISTS (SELECT FROM changes c WHERE c.series_id = s.id AND c.kind = 'release' AND c.status <> 'withdrawn')
    AND (i.frequency = 'A' OR i.seasonal_adjustment IS DISTINCT FROM 'not_adjusted')
  ORDER BY s.id`;

const FIGURES = `
  SELECT series_id AS series, period, value::text FROM derivable_observations
  WHERE series_id = ANY ($1) AND valid_to IS NULL ORDER BY series_id, period`;

const CHANGES = `
  SELECT series_id AS series, kind, period, position, occurred_at::date::text AS day, occurred_basis AS basis
  FROM changes WHERE series_id = ANY ($1) AND kind IN ('release', 'revision') AND status <> 'withdrawn'
    AND actual_value IS NOT NULL
  ORDER BY series_id, position`;

export async function* streaks(client: pg.PoolClient): AsyncGenerator<Evaluation> {
  yield { scopes: (await client.query<{ subject: string }>(SCOPES)).rows };
  for (const batch of batches((await client.query<Subject>(SUBJECTS)).rows)) {
    const ids = [batch.map(({ id }) => id)];
    const figureRows = await client.query<KnownFigure & { readonly series: number }>(FIGURES, ids);
    const figures = grouped(figureRows.rows, ({ series }) => series);
    const changeRows = await client.query<ChangeRow>(CHANGES, ids);
    const changes = grouped(changeRows.rows, ({ series }) => series);
    yield {
      signals: batch.flatMap((subject) => {
        const own = changes.get(subject.id) ?? [];
        const known = figures.get(subject.id) ?? [];
        const releases = own.filter(({ kind }) => kind === 'release');
        return streaksOf(known, releases).map((streak) => signalOf(subject, streak, known, own));
      }),
    };
  }
}

function signalOf(
  subject: Subject,
  streak: Streak,
  figures: readonly KnownFigure[],
  changes: readonly ChangeRow[],
): DetectedSignal {
  const { indicator, region, source, frequency } = subject;
  const { first, last, moves, stage, firstSeen, lastSeen } = streak;
  const until = (end: KnownFigure) => changes.filter(({ period }) => period >= first.period && period <= end.period);
  const ended = stage === 'closed' ? figures.find(({ period }) => period > last.period) : undefined;
  // What ended a streak is part of its text, so the source is that of the newest figure that it mentions.
  const newest = until(ended ?? last).reduce<ChangeRow | undefined>(
    (newer, change) => (newer === undefined || change.day > newer.day ? change : newer),
    undefined,
  );
  const sourced = {
    publisher: creditOf(subject),
    period: newest?.day ?? lastSeen,
    basis: newest?.basis ?? 'retrieved',
  } as const;
  return {
    subject: `${indicator}@${region}`,
    starts: first.period,
    ...streakTexts(subject, streak, ended, sourced),
    stage,
    currentDays: CURRENT_DAYS[frequency],
    firstSeen,
    lastSeen,
    figures: new Map([[source, moves + 1]]),
    independent: moves + 1,
    changes: until(last).map(({ position }) => position),
  };
}

/** @param ended the figure that ended a closed streak */
export function streakTexts(
  given: Described,
  streak: Streak,
  ended: KnownFigure | undefined,
  sourced: Sourced,
): SignalTexts {
  const subject = { ...given, wording: wordingOf(given.wording, given.aggregate === true) };
  const { moves, stage } = streak;
  const variant = stage !== 'closed' ? 'running' : isTurn(subject.wording, streak, ended) ? 'turned' : 'closed';
  return textsOf(sourced, (locale) => ({
    title: SENTENCES[locale].signals.streak.title[variant],
    summary: (words) =>
      SENTENCES[locale].signals.streak.summary[variant]({ ...words, subject: words['inSummary'] ?? '' }),
    words: {
      span: spanWords(locale, subject.frequency, moves),
      ...streakWords(locale, subject, streak),
      ...(ended === undefined ? {} : endWords(locale, subject, streak, ended)),
    },
  }));
}

/** A deficit narrows, a currency weakens; a streak through zero speaks of the balance. */
function streakWords(
  locale: Locale,
  { unit, currency, name, wording, regionName, aggregate }: Described,
  { direction, first, last }: Streak,
): Record<string, string> {
  const [from, to] = [first, last].map(({ value }) => namedBySign(locale, name, wording, value));
  const one = from !== undefined && from.negative === to?.negative;
  // What slowed is still above zero.
  const isThroughZero = first.value.startsWith('-') !== last.value.startsWith('-');
  const exchange = isExchangeRate(unit) && currency !== null;
  const negative = one && to.negative;
  const up = (direction === 'up') !== (negative || exchange);
  const [start, end] = one ? [from.value, to.value] : [first.value, last.value];
  const { figure, rate } = SENTENCES[locale].signals.streak.subject;
  const region = regionName[locale];
  const plain = measured(locale, { aggregate, wording }, lowered(locale, one ? to.name : name[locale]));
  const directed = directedName(locale, unit, plain);
  const exchanged = rate({ holder: exchange ? currencyHolder(locale, currency, region) : '' });
  return {
    subject: exchange ? exchanged : figure({ region, name: directed }),
    inSummary: exchange ? exchanged : figure({ region, name: articled(locale, wording, directed) }),
    ...verbForms(locale, one && !isThroughZero ? wording.verb : 'rise', negative, up),
    ...belowZero(locale, wording, start, end),
    // The name has said that the figures are ratios to GDP.
    ...stepWords(locale, { unit: plainUnit(unit), currency }, { ...first, value: start }, { ...last, value: end }),
  };
}

/** In Japanese, what lies below zero shrinks or grows. */
function belowZero(locale: Locale, wording: Wording, from: string, to: string) {
  const forms = formsBelowZero(locale, wording, from, to);
  const { noun, delta } = SENTENCES[locale].changes.release.belowZero;
  return forms && { past: delta({ delta: forms.past }), noun: noun({ noun: forms.noun }) };
}

/** Whether the next period's figure moved the other way, on the same side of zero: then the turn is the news. */
function isTurn(wording: Wording, { first, last }: Streak, ended: KnownFigure | undefined): boolean {
  if (ended?.period !== nextPeriod(last.period) || directionOf(last.value, ended.value) === null) return false;
  const below = [first, last, ended].map(({ value }) => value.startsWith('-'));
  return wording.sides === null || below.every((one) => one === below[0]);
}

/** The figure after a streak. */
function endWords(
  locale: Locale,
  { unit, currency, name, wording, aggregate }: Described,
  { direction, last }: Streak,
  ended: KnownFigure,
): Record<string, string> {
  const next = namedBySign(locale, name, wording, ended.value);
  const { full } = writeFigures(locale, { unit: plainUnit(unit), currency }, [next.value, last.value]);
  const exchange = isExchangeRate(unit) && currency !== null;
  const up = (direction === 'down') !== (next.negative || exchange);
  const { past, noun } = verbForms(locale, wording.verb, next.negative, up);
  return {
    turned: { past, noun }[VOICES[locale].turned],
    nextWhen: formatWhen(locale, ended.period),
    next: full[0] ?? '',
    nextName: articled(locale, wording, measured(locale, { aggregate, wording }, lowered(locale, next.name))),
    nextPeriod: formatPeriod(locale, ended.period),
  };
}
