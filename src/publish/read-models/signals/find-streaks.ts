import { creditColumns, creditJoin, creditOf, type Credited } from '../../derive/credit.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import type pg from 'pg';
import { nextPeriod, type Frequency } from '../../../domain/figures/periods.js';
import { currencyHolder } from '../../../domain/figures/currencies.js';
import { isExchangeRate, type UnitCode } from '../../../domain/figures/units.js';
import {
  articled,
  namedBySign,
  verbForms,
  wordingOf,
  type Wording,
} from '../../../domain/figures/wording.js';
import { plainUnit, writeFigures } from '../../../domain/figures/figure-text.js';
import { formatPeriod, formatWhen, lowered } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { nameInText } from '../../../domain/locale/places.js';
import { batches } from '../../derive/derive-releases.js';
import { measured } from '../../derive/templates.js';
import type { Detections } from './detections.js';
import {
  directedName,
  SIGNAL_TEMPLATES,
  spanWords,
  stepWords,
  textsOf,
  type Sourced,
  type SignalTexts,
} from './signal-texts.js';
import { directionOf } from './signal.js';
import { streaksOf, type KnownFigure, type Streak } from './streak.rule.js';

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

const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, s.source_id AS source, i.unit, i.wording, r.currency, i.frequency, i.short_name AS name,
         r.name AS "regionName", r.kind = 'aggregate' AS aggregate, ${creditColumns('p')},
         (SELECT count(*) FROM derivable_observations o WHERE o.series_id = s.id AND o.valid_to IS NULL) AS rows
  FROM (SELECT DISTINCT series_id FROM affected_observations) t JOIN derivable_series s ON s.id = t.series_id
    JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
    JOIN sources p ON p.id = s.source_id ${creditJoin('p', 's.origins')}
  WHERE EXISTS (SELECT FROM changes c WHERE c.series_id = s.id AND c.kind = 'release' AND c.status <> 'withdrawn')
  ORDER BY s.id`;

const FIGURES = `
  SELECT series_id AS series, period, value::text FROM derivable_observations
  WHERE series_id = ANY ($1) AND valid_to IS NULL ORDER BY series_id, period`;

const CHANGES = `
  SELECT series_id AS series, kind, period, position, occurred_at::date::text AS day, occurred_basis AS basis
  FROM changes WHERE series_id = ANY ($1) AND kind IN ('release', 'revision') AND status <> 'withdrawn'
  ORDER BY series_id, position`;

export async function findStreaks(client: pg.PoolClient, detections: Detections): Promise<void> {
  for (const { subject } of (await client.query<{ subject: string }>(SCOPES)).rows) {
    detections.evaluated({ rule: 'streak', subject, from: null, to: null });
  }
  const subjects = (await client.query<Subject>(SUBJECTS)).rows;
  for (const batch of batches(subjects)) {
    const ids = [batch.map(({ id }) => id)];
    const figures = grouped(
      (await client.query<KnownFigure & { readonly series: number }>(FIGURES, ids)).rows,
    );
    const changes = grouped((await client.query<ChangeRow>(CHANGES, ids)).rows);
    for (const subject of batch) {
      const own = changes.get(subject.id) ?? [];
      const releases = own.filter(({ kind }) => kind === 'release');
      const known = figures.get(subject.id) ?? [];
      for (const streak of streaksOf(known, releases)) add(detections, subject, streak, known, own);
    }
    await detections.send();
  }
}

function add(
  detections: Detections,
  subject: Subject,
  streak: Streak,
  figures: readonly KnownFigure[],
  changes: readonly ChangeRow[],
): void {
  const { indicator, region, source, frequency } = subject;
  const { first, last, moves, stage } = streak;
  const carried = changes.filter(({ period }) => period >= first.period && period <= last.period);
  const ended = stage === 'closed' ? figures.find(({ period }) => period > last.period) : undefined;
  // What ended a streak is part of its text, so the source is that of the newest figure it tells.
  const told = changes.filter(({ period }) => period >= first.period && period <= (ended ?? last).period);
  const newest = told.reduce<ChangeRow | undefined>(
    (held, change) => (held === undefined || change.day > held.day ? change : held),
    undefined,
  );
  const publisher = creditOf(subject);
  const sourced = { publisher, period: newest?.day ?? streak.lastSeen, basis: newest?.basis ?? 'retrieved' };
  const texts = streakTexts(subject, streak, ended, sourced);
  detections.detected({
    rule: 'streak',
    subject: `${indicator}@${region}`,
    starts: first.period,
    ...texts,
    stage,
    currentDays: CURRENT_DAYS[frequency],
    firstSeen: streak.firstSeen,
    lastSeen: streak.lastSeen,
    figures: new Map([[source, moves + 1]]),
    independent: moves + 1,
    changes: carried.map(({ position }) => position),
  });
}

/** @param ended the figure that ended a closed streak */
export function streakTexts(
  given: Omit<Subject, 'id' | 'indicator' | 'region' | 'source' | 'rows' | keyof Credited>,
  streak: Streak,
  ended: KnownFigure | undefined,
  sourced: Sourced,
): SignalTexts {
  const subject = { ...given, wording: wordingOf(given.wording, given.aggregate === true) };
  const { moves, stage } = streak;
  const variant =
    stage !== 'closed' ? 'running' : isTurn(subject.wording, streak, ended) ? 'turned' : 'closed';
  return textsOf(sourced, (locale) => ({
    title: SIGNAL_TEMPLATES[locale].streak.title[variant],
    summary: (words) =>
      SIGNAL_TEMPLATES[locale].streak.summary[variant]({ ...words, subject: words['inSummary'] ?? '' }),
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
  {
    unit,
    currency,
    name,
    wording,
    regionName,
    aggregate,
  }: Pick<Subject, 'unit' | 'currency' | 'name' | 'wording' | 'regionName' | 'aggregate'>,
  { direction, first, last }: Streak,
): Record<string, string> {
  const [from, to] = [first, last].map(({ value }) => namedBySign(locale, name, wording, value));
  const one = from !== undefined && from.negative === to?.negative;
  const exchange = isExchangeRate(unit) && currency !== null;
  const negative = one && to.negative;
  const up = (direction === 'up') !== (negative || exchange);
  const [start, end] = one ? [from.value, to.value] : [first.value, last.value];
  const { figure, rate } = SIGNAL_TEMPLATES[locale].streak.subject;
  const region = nameInText(locale, regionName[locale]);
  const plain = measured(locale, { aggregate, wording }, lowered(locale, one ? to.name : name[locale]));
  const directed = directedName(locale, unit, plain);
  const held = rate({ holder: exchange ? currencyHolder(locale, currency, region) : '' });
  return {
    subject: exchange ? held : figure({ region, name: directed }),
    inSummary: exchange ? held : figure({ region, name: articled(locale, wording, directed) }),
    ...verbForms(locale, one ? wording.verb : 'rise', negative, up),
    // The name has said that the figures are ratios to GDP.
    ...stepWords(
      locale,
      { unit: plainUnit(unit), currency },
      { ...first, value: start },
      { ...last, value: end },
    ),
  };
}

/** Whether the next period's figure moved the other way, on the same side of zero: then the turn is the news. */
function isTurn(wording: Wording, { first, last }: Streak, ended: KnownFigure | undefined): boolean {
  if (ended?.period !== nextPeriod(last.period) || directionOf(last.value, ended.value) === null)
    return false;
  const below = [first, last, ended].map(({ value }) => value.startsWith('-'));
  return wording.sides === null || below.every((one) => one === below[0]);
}

/** The figure after a streak. */
function endWords(
  locale: Locale,
  {
    unit,
    currency,
    name,
    wording,
    aggregate,
  }: Pick<Subject, 'unit' | 'currency' | 'name' | 'wording' | 'aggregate'>,
  { direction, last }: Streak,
  ended: KnownFigure,
): Record<string, string> {
  const next = namedBySign(locale, name, wording, ended.value);
  const { full } = writeFigures(locale, { unit: plainUnit(unit), currency }, [next.value, last.value]);
  const exchange = isExchangeRate(unit) && currency !== null;
  const up = (direction === 'down') !== (next.negative || exchange);
  const { past, noun } = verbForms(locale, wording.verb, next.negative, up);
  return {
    turned: locale === 'ja' ? noun : past,
    nextWhen: formatWhen(locale, ended.period),
    next: full[0] ?? '',
    nextName: articled(locale, wording, measured(locale, { aggregate, wording }, lowered(locale, next.name))),
    nextPeriod: formatPeriod(locale, ended.period),
  };
}

function grouped<Row extends { readonly series: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.series);
    if (group === undefined) groups.set(row.series, [row]);
    else group.push(row);
  }
  return groups;
}
