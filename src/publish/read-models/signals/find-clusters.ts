import { creditColumns, creditJoin, creditOf, type Credited } from '../../derive/credit.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import type pg from 'pg';
import { measuredName } from '../../../domain/figures/figure-text.js';
import { isExchangeRate, type UnitCode } from '../../../domain/figures/units.js';
import { isBalance, type Wording } from '../../../domain/figures/wording.js';
import { nextPeriod } from '../../../domain/figures/periods.js';
import { formatPeriod } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { figuresOf, type DetectedSignal, type Evaluation } from './signal.js';
import { clusterOf, RECENT_YEARS, type Cluster, type Revision } from './revision-cluster.rule.js';
import { listed, textsOf, type SignalTexts } from './signal-texts.js';

/** A vintage's revisions are news for a quarter of a year. */
const CURRENT_DAYS = 90;

interface Candidate extends Credited {
  readonly indicator: string;
  readonly day: string;
  readonly unit: UnitCode;
  readonly name: Localized;
  readonly wording: Wording;
}

export interface RevisionRow extends Revision {
  readonly weight: number;
  readonly name: Localized;
  readonly source: string;
  readonly position: number;
  readonly basis: VintageBasis;
}

const CANDIDATES = `
  SELECT DISTINCT s.indicator, t.vintage_day AS day, i.short_name AS name, i.unit, i.wording, ${creditColumns('p')}
  FROM affected_changes t JOIN series s ON s.id = t.series_id
    JOIN indicators i ON i.slug = s.indicator JOIN sources p ON p.id = i.source_id ${creditJoin('p', 's.origins')}
  WHERE t.kind = 'revision' ORDER BY s.indicator, t.vintage_day`;

/** $1 indicator, $2 vintage day, $3 the earliest year of a counted period */
const REVISIONS = `
  SELECT s.region, r.weight, r.name, s.source_id AS source, c.position, c.period, c.occurred_basis AS basis,
         c.previous_value::text AS previous, c.actual_value::text AS actual
  FROM derivable_series s JOIN regions r ON r.code = s.region AND r.kind = 'country'
    JOIN changes c ON c.series_id = s.id AND c.vintage_day = $2
  WHERE s.indicator = $1 AND c.kind = 'revision' AND coalesce(c.revision ->> 'way', 'restated') = 'restated'
    AND c.status <> 'withdrawn' AND ltrim(c.period, 'FY') >= $3
  ORDER BY s.region, c.period`;

export async function* clusters(client: pg.PoolClient): AsyncGenerator<Evaluation> {
  for (const candidate of (await client.query<Candidate>(CANDIDATES)).rows) {
    const { indicator, day } = candidate;
    // A fiscal year ends in the year after the one that names it.
    const oldest = String(Number(day.slice(0, 4)) - RECENT_YEARS - 1);
    const { rows } = await client.query<RevisionRow>(REVISIONS, [indicator, day, oldest]);
    const cluster = clusterOf(rows, day);
    yield {
      scopes: [{ subject: indicator, from: day, to: day }],
      signals: cluster === null ? [] : [signalOf(candidate, cluster)],
    };
  }
}

/** From the earliest to the newest revised period. */
function periodsIn(locale: Locale, revised: readonly Revision[]): string {
  const periods = revised.map(({ period }) => period).sort();
  const [from, to] = [periods[0] ?? '', periods.at(-1) ?? ''];
  if (from === to) return formatPeriod(locale, from);
  const words = { from: formatPeriod(locale, from), to: formatPeriod(locale, to) };
  const { range, two } = SENTENCES[locale].signals.list;
  return nextPeriod(from) === to ? two({ a: words.from, b: words.to }) : range(words);
}

function signalOf(candidate: Candidate, cluster: Cluster<RevisionRow>): DetectedSignal {
  const { indicator, day } = candidate;
  const { revised } = cluster;
  return {
    subject: indicator,
    starts: day,
    ...clusterTexts({ ...candidate, publisher: creditOf(candidate) }, cluster),
    // A vintage is complete, so a cluster is never emerging.
    stage: 'active',
    currentDays: CURRENT_DAYS,
    firstSeen: day,
    lastSeen: day,
    figures: figuresOf(revised, 2),
    // Two figures of one period, before and after, are one fact.
    independent: revised.length,
    changes: revised.map(({ position }) => position),
  };
}

export function clusterTexts(
  { day, unit, name, wording, publisher }: Omit<Candidate, 'indicator' | keyof Credited> & Pick<Credited, 'publisher'>,
  { direction, revised, voting }: Cluster<RevisionRow>,
): SignalTexts {
  const basis = revised[0]?.basis ?? 'retrieved';
  const [up, down] = isBalance(wording)
    ? (['surplus', 'deficit'] as const)
    : isExchangeRate(unit)
      ? (['weaker', 'stronger'] as const)
      : (['up', 'down'] as const);
  const way = direction === 'up' ? up : down;
  const share = revised.length === voting ? 'all' : 'some';
  return textsOf({ publisher, period: day, basis }, (locale) => {
    const { title, summary, share: shares } = SENTENCES[locale].signals.revision_cluster;
    const words = {
      name: measuredName(locale, unit, name[locale]),
      n: VOICES[locale].count(revised.length),
      m: VOICES[locale].count(voting),
      economies: listed(locale, revised),
      periods: periodsIn(locale, revised),
    };
    return {
      title: (all) => title[way]({ ...all, share: shares.title[share](all) }),
      summary: (all) => summary[way]({ ...all, share: shares.summary[share](all) }),
      words,
    };
  });
}
