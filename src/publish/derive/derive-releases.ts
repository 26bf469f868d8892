import { fiscalYearOf } from '../../domain/figures/fiscal-years.js';
import { percentChange } from '../../domain/figures/decimal.js';
import { yearBeforeOf } from '../../domain/figures/periods.js';
import type pg from 'pg';
import { isExchangeRate, unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { wordingOf, type Wording } from '../../domain/figures/wording.js';
import type { Localized } from '../../domain/locale/locale.js';
import { changeId } from './change-id.js';
import { creditColumns, creditJoin, creditOf, type Credited } from './credit.js';
import type { DatedVintage } from './templates.js';
import { changeTexts } from './change-texts.js';
import { contextOf } from './context.rule.js';
import { deltasOf, type DeriveContext, DerivedChanges, type NewChange } from './derived-changes.js';
import { knownOn, weigh } from './importance.js';
import {
  countSmaller,
  derivePresence,
  earlierOf,
  type PresenceChange,
  type RevisionFacts,
} from './revision-facts.rule.js';
import { presenceTexts } from './revision-texts.js';
import { deriveReleasesAndRevisions, type DerivedChange, type KnownRange } from './release-revision.rule.js';

/** Stored rows in memory at a time; a longer series comes alone. */
const BATCH_ROWS = 20_000;

interface Subject extends Credited {
  readonly id: number;
  readonly indicator: string;
  readonly region: string;
  readonly unit: UnitCode;
  readonly wording: Wording;
  readonly currency: string | null;
  /** 0..100, from the catalogue: of the indicator and of the economy. */
  readonly attention: number;
  readonly regionWeight: number;
  readonly aggregate: boolean;
  readonly decision: boolean;
  readonly name: Localized;
  readonly regionName: Localized;
  readonly days: readonly DatedVintage[];
  /** Days after the baseline on which the publisher released figures. */
  readonly released: readonly string[];
  readonly rows: number;
}

const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, i.unit, i.decision, i.attention, r.weight AS "regionWeight",
         r.kind = 'aggregate' AS aggregate, r.currency, i.wording, i.short_name AS name, r.name AS "regionName",
         ${creditColumns('o')}, v.days,
         ARRAY(SELECT h.day::text FROM series_vintages h
               WHERE h.series_id = s.id AND h.basis = 'released' AND h.day > s.baseline_day) AS released,
         (SELECT count(*) FROM derivable_observations d WHERE d.series_id = s.id) AS rows
  FROM (
    SELECT t.series_id, jsonb_agg(jsonb_build_object('day', t.day, 'basis', h.basis, 'copyBefore', (
             SELECT max(p.day) FROM series_vintages p
             WHERE p.series_id = t.series_id AND p.day < t.day AND NOT p.backfilled)) ORDER BY t.day) AS days
    FROM derivable_vintages t JOIN series_vintages h ON h.series_id = t.series_id AND h.day = t.day
    GROUP BY t.series_id
  ) v JOIN derivable_series s ON s.id = v.series_id
    JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
    JOIN sources o ON o.id = s.source_id ${creditJoin('o', 's.origins')}
  ORDER BY s.id`;

const RANGES = `
  SELECT series_id AS series, period, valid_from::text AS "from", valid_to::text AS "to", value::text
  FROM derivable_observations WHERE series_id = ANY ($1)
  ORDER BY series_id, period, valid_from`;

/**
 * Vintages to derive releases and revisions from; never a baseline or a backfilled one, nor a partial one or the one
 * after it, which catches up with years that were no news of its day.
 */
const LIST_VINTAGES = `
  INSERT INTO derivable_vintages (series_id, day)
  SELECT v.series_id, v.day
  FROM declared_coverage e JOIN derivable_series s ON s.id = e.series_id
    JOIN series_vintages v ON v.series_id = s.id
  WHERE s.indicator IS NOT NULL AND e.affected > 0 AND (e.held OR NOT e.newer)
    AND v.day >= $1 AND v.day > s.baseline_day AND NOT v.backfilled
    AND NOT (SELECT bool_or(partial) FROM (
      SELECT p.partial FROM series_vintages p WHERE p.series_id = v.series_id AND p.day <= v.day
      ORDER BY p.day DESC LIMIT 2) two)`;

const LIST_STANDING = `
  INSERT INTO recomputed_changes (id)
  SELECT c.id FROM derivable_vintages v
    JOIN changes c ON c.series_id = v.series_id AND c.vintage_day = v.day
  WHERE c.kind IN ('release', 'revision')`;

/**
 * Derives the newest vintage, and after a replacement every later one of the series that it changed. A pure
 * function of what is stored, independent of the order of imports.
 */
export async function deriveReleases({ client, vintage }: DeriveContext): Promise<void> {
  const listed = await client.query(LIST_VINTAGES, [vintage]);
  if ((listed.rowCount ?? 0) === 0) return;
  await client.query('ANALYZE derivable_vintages');
  await client.query(LIST_STANDING);
  await deriveListed(client);
}

async function deriveListed(client: pg.PoolClient): Promise<void> {
  const output = new DerivedChanges(client);
  const subjects = (await client.query<Subject>(SUBJECTS)).rows;
  for (const batch of batches(subjects)) {
    const ranges = await client.query<KnownRange & { readonly series: number }>(RANGES, [batch.map(({ id }) => id)]);
    const bySeries = new Map<number, KnownRange[]>(batch.map(({ id }) => [id, []]));
    for (const range of ranges.rows) bySeries.get(range.series)?.push(range);
    for (const subject of batch) {
      const history = bySeries.get(subject.id) ?? [];
      for (const vintage of subject.days) {
        const { day } = vintage;
        if (isOfItself(subject)) continue;
        const changes = deriveReleasesAndRevisions(history, day);
        for (const change of changes) {
          // A rule of its own derives decisions.
          if (subject.decision && change.kind === 'release') continue;
          const smaller = change === changes.at(-1) ? countSmaller(history, day) : 0;
          await output.write(changeOf(subject, change, history, vintage, smaller));
        }
        for (const change of derivePresence(history, day)) {
          await output.write(presenceOf(subject, change, history, vintage));
        }
      }
    }
  }
  await output.flush();
}

/** Splits subjects into batches of about the number of rows that memory may hold. */
export function* batches<T extends { readonly rows: number }>(subjects: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let rows = 0;
  for (const subject of subjects) {
    if (rows > 0 && rows + subject.rows > BATCH_ROWS) {
      yield batch;
      batch = [];
      rows = 0;
    }
    batch.push(subject);
    rows += subject.rows;
  }
  if (batch.length > 0) yield batch;
}

function changeOf(
  subject: Subject,
  change: DerivedChange,
  history: readonly KnownRange[],
  vintage: DatedVintage,
  smaller: number,
): NewChange {
  const { day, basis } = vintage;
  const { indicator, region } = subject;
  const { kind, period, actual, previous, rebasing } = change;
  const figure = {
    series: subject.id,
    unit: subject.unit,
    period,
    actual,
    previous,
    rebasing: rebasing ?? null,
    revision: kind === 'revision' ? restatement(change, history, day, smaller) : null,
  };
  const wording = wordingOf(subject.wording, subject.aggregate);
  const context = kind === 'release' ? contextOf(knownOn(history, day, period), { ...subject, wording }) : null;
  const named = { ...subject, region: subject.regionName, publisher: creditOf(subject) };
  return {
    id: changeId({ kind, indicator, region, period, vintageDay: day }),
    kind,
    figure,
    texts: changeTexts({
      subject: named,
      change,
      ...deltasOf(figure),
      ...yearsBefore(change, history, day),
      context,
      revision: figure.revision,
      fiscalYear: fiscalYearOf(indicator, region, period),
      published: previous.knownSince !== null && subject.released.includes(previous.knownSince),
      ...vintage,
    }),
    context,
    importance: weigh(change, history, day, { ...subject, median: subject.wording.median === true }),
    occurredOn: day,
    occurredBasis: basis,
    vintageDay: day,
    knownSince: day,
  };
}

const restatement = (
  { period, rebasing }: DerivedChange,
  history: readonly KnownRange[],
  day: string,
  smaller: number,
): RevisionFacts => ({
  way: 'restated',
  periods: rebasing?.periods ?? 1,
  since: rebasing?.since ?? period,
  smaller,
  earlier: earlierOf(history, period, day),
});

function presenceOf(
  subject: Subject,
  change: PresenceChange,
  history: readonly KnownRange[],
  vintage: DatedVintage,
): NewChange {
  const { day, basis } = vintage;
  const { indicator, region, unit } = subject;
  const { kind, period, actual, previous, revision } = change;
  const named = { ...subject, region: subject.regionName, publisher: creditOf(subject) };
  return {
    id: changeId({ kind, indicator, region, period, vintageDay: day }),
    kind,
    figure: { series: subject.id, unit, period, actual, previous, revision },
    texts: presenceTexts({ subject: named, change, ...vintage }),
    importance: weigh(change, history, day, { ...subject, median: subject.wording.median === true }),
    occurredOn: day,
    occurredBasis: basis,
    vintageDay: day,
    knownSince: day,
  };
}

/** The exchange rate of the US dollar against itself is one, and no news. */
const isOfItself = ({ unit, currency }: Subject): boolean => isExchangeRate(unit) && unitNamed(unit).per === currency;

/** The figure of a year before, and by how much the figure before exceeded its own of a year before. */
function yearsBefore({ period, previous }: DerivedChange, history: readonly KnownRange[], day: string) {
  const known = (wanted: string | null): string | null =>
    history.find((range) => range.period === wanted && range.from <= day && (range.to === null || range.to > day))
      ?.value ?? null;
  const former = known(yearBeforeOf(previous.period));
  const formerYear = former === null || previous.value === null ? null : percentChange(former, previous.value);
  return { yearBefore: known(yearBeforeOf(period)), formerYear };
}
