import type pg from 'pg';
import type { Frequency } from '../../../figures/periods.js';
import { currencyName } from '../../../figures/currencies.js';
import { UNITS, type UnitCode } from '../../../figures/units.js';
import { namedBySign, verbForms, type Wording } from '../../../figures/wording.js';
import { lowered } from '../../../locale/format.js';
import type { Locale, Localized } from '../../../locale/locale.js';
import { batches } from '../../derive/derive-releases.js';
import type { Detections } from './detections.js';
import { SIGNAL_TEMPLATES, spanWords, stepWords, textsOf } from './signal-texts.js';
import { streaksOf, type KnownFigure, type Streak } from './streak.rule.js';

/** Days without a release after which a streak is no longer current. */
const CURRENT_DAYS: Readonly<Record<Frequency, number>> = { A: 550, H: 370, Q: 200, M: 100, W: 30, D: 15 };

interface Subject {
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
  readonly publisher: Localized;
  readonly rows: number;
}

interface ChangeRow {
  readonly series: number;
  readonly kind: 'release' | 'revision';
  readonly period: string;
  readonly position: number;
  readonly day: string;
  readonly basis: 'released' | 'retrieved';
}

const SCOPES = `
  SELECT s.indicator || '@' || s.region AS subject
  FROM (SELECT series_id FROM affected_observations UNION SELECT series_id FROM series_without_changes) t JOIN series s ON s.id = t.series_id
  WHERE s.indicator IS NOT NULL`;

const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, s.source_id AS source, i.unit, i.wording, r.currency, i.frequency, i.short_name AS name,
         r.name AS "regionName", p.publisher,
         (SELECT count(*) FROM derivable_observations o WHERE o.series_id = s.id AND o.valid_to IS NULL) AS rows
  FROM (SELECT DISTINCT series_id FROM affected_observations) t JOIN derivable_series s ON s.id = t.series_id
    JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
    JOIN sources p ON p.id = s.source_id
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
      for (const streak of streaksOf(figures.get(subject.id) ?? [], releases))
        add(detections, subject, streak, own);
    }
    await detections.send();
  }
}

function add(detections: Detections, subject: Subject, streak: Streak, changes: readonly ChangeRow[]): void {
  const { indicator, region, source, frequency, regionName, publisher } = subject;
  const { first, last, moves, stage } = streak;
  const carried = changes.filter(({ period }) => period >= first.period && period <= last.period);
  const newest = carried.reduce<ChangeRow | undefined>(
    (held, change) => (held === undefined || change.day > held.day ? change : held),
    undefined,
  );
  const variant = stage === 'closed' ? 'closed' : 'running';
  const sourced = { publisher, day: newest?.day ?? streak.lastSeen, basis: newest?.basis ?? 'retrieved' };
  const texts = textsOf(sourced, (locale) => ({
    title: SIGNAL_TEMPLATES[locale].streak.title[variant],
    summary: SIGNAL_TEMPLATES[locale].streak.summary[variant],
    words: {
      region: regionName[locale],
      span: spanWords(locale, frequency, moves),
      ...streakWords(locale, subject, streak),
    },
  }));
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

/** A deficit narrows, a currency weakens; a streak through zero speaks of the balance. */
function streakWords(
  locale: Locale,
  { unit, currency, name, wording }: Subject,
  { direction, first, last }: Streak,
): Record<string, string> {
  const [from, to] = [first, last].map(({ value }) => namedBySign(locale, name, wording, value));
  const one = from !== undefined && from.negative === to?.negative;
  const exchange = UNITS[unit].dimension === 'exchange_rate' && currency !== null;
  const negative = one && to.negative;
  const up = (direction === 'up') !== (negative || exchange);
  const [start, end] = one ? [from.value, to.value] : [first.value, last.value];
  return {
    name: exchange ? currencyName(currency)[locale] : lowered(locale, one ? to.name : name[locale]),
    ...verbForms(locale, one ? wording.verb : 'rise', negative, up),
    ...stepWords(locale, { unit, currency }, { ...first, value: start }, { ...last, value: end }),
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
