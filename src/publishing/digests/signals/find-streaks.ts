import type pg from 'pg';
import type { Frequency } from '../../../figures/periods.js';
import type { UnitCode } from '../../../figures/units.js';
import { lowered } from '../../../locale/format.js';
import type { Localized } from '../../../locale/locale.js';
import { batches } from '../../derive/derive-releases.js';
import type { Findings } from './findings.js';
import { moveWords, SIGNAL_TEMPLATES, spanWords, stepWords, textsOf } from './signal-texts.js';
import { streaksOf, type KnownFigure, type Streak } from './streak.rule.js';

/** Days without a release after which a streak is no longer told as running. */
const CURRENT_DAYS: Readonly<Record<Frequency, number>> = { A: 550, H: 370, Q: 200, M: 100, W: 30, D: 15 };

interface Subject {
  readonly id: number;
  readonly indicator: string;
  readonly region: string;
  readonly source: string;
  readonly unit: UnitCode;
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
  FROM (SELECT series_id FROM stirred UNION SELECT series_id FROM bereft) t JOIN series s ON s.id = t.series_id
  WHERE s.indicator IS NOT NULL`;

const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, s.source_id AS source, i.unit, i.frequency, i.short_name AS name,
         r.name AS "regionName", p.publisher,
         (SELECT count(*) FROM derivable_observations o WHERE o.series_id = s.id AND o.valid_to IS NULL) AS rows
  FROM (SELECT DISTINCT series_id FROM stirred) t JOIN derivable_series s ON s.id = t.series_id
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

export async function findStreaks(client: pg.PoolClient, findings: Findings): Promise<void> {
  for (const { subject } of (await client.query<{ subject: string }>(SCOPES)).rows) {
    findings.asked({ rule: 'streak', subject, from: null, to: null });
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
        add(findings, subject, streak, own);
    }
    await findings.send();
  }
}

function add(findings: Findings, subject: Subject, streak: Streak, changes: readonly ChangeRow[]): void {
  const { indicator, region, source, unit, frequency, name, regionName, publisher } = subject;
  const { direction, first, last, moves, judged } = streak;
  const carried = changes.filter(({ period }) => period >= first.period && period <= last.period);
  const newest = carried.reduce<ChangeRow | undefined>(
    (held, change) => (held === undefined || change.day > held.day ? change : held),
    undefined,
  );
  const told = judged === 'closed' ? 'closed' : 'running';
  const sourced = { publisher, day: newest?.day ?? streak.lastSeen, basis: newest?.basis ?? 'retrieved' };
  const texts = textsOf(sourced, (locale) => ({
    title: SIGNAL_TEMPLATES[locale].streak.title[told],
    summary: SIGNAL_TEMPLATES[locale].streak.summary[told],
    words: {
      region: regionName[locale],
      name: lowered(locale, name[locale]),
      span: spanWords(locale, frequency, moves),
      ...moveWords(locale, unit, direction, false),
      ...stepWords(locale, unit, first, last),
    },
  }));
  findings.found({
    rule: 'streak',
    subject: `${indicator}@${region}`,
    starts: first.period,
    ...texts,
    judged,
    currentDays: CURRENT_DAYS[frequency],
    firstSeen: streak.firstSeen,
    lastSeen: streak.lastSeen,
    figures: new Map([[source, moves + 1]]),
    independent: moves + 1,
    changes: carried.map(({ position }) => position),
  });
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
