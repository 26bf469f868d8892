import { difference } from '../../../domain/figures/decimal.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Wording } from '../../../domain/figures/wording.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { changeId } from '../change-id.js';
import { type DeriveContext, DerivedChanges, type NewChange } from '../derived-changes.js';
import { importanceOfDecision, ordinaryStepOf } from '../importance.js';
import type { KnownRange } from '../release-revision.rule.js';
import { decisionTexts } from './decision-texts.js';
import { decisionsOf, type Decision } from './decisions.rule.js';

interface Subject {
  readonly id: number;
  readonly indicator: string;
  readonly region: string;
  readonly unit: UnitCode;
  /** 0..100, from the catalogue: of the indicator and of the economy. */
  readonly attention: number;
  readonly regionWeight: number;
  readonly wording: Required<Pick<Wording, 'decision'>>;
  readonly publisher: Localized;
  readonly day: string;
  readonly baseline: boolean;
}

/** Vintages of decisions that this publication changed, the baseline included. $1 vintage day */
const SUBJECTS = `
  SELECT s.id, s.indicator, s.region, i.unit, i.attention, r.weight AS "regionWeight", i.wording, o.publisher,
         v.day, v.day = s.baseline_day AS baseline
  FROM declared_coverage e JOIN derivable_series s ON s.id = e.series_id
    JOIN indicators i ON i.slug = s.indicator AND i.decision
    JOIN regions r ON r.code = s.region
    JOIN sources o ON o.id = s.source_id
    JOIN series_vintages v ON v.series_id = s.id
  WHERE e.affected > 0 AND (e.held OR NOT e.newer)
    AND v.day >= $1::date AND v.day >= s.baseline_day AND NOT v.backfilled
  ORDER BY s.id, v.day`;

const STANDING = `
  INSERT INTO recomputed_changes (id)
  SELECT c.id FROM changes c WHERE c.kind = 'decision' AND c.series_id = $1 AND c.vintage_day = $2::date`;

const RANGES = `
  SELECT period, valid_from::text AS "from", valid_to::text AS "to", value::text
  FROM derivable_observations WHERE series_id = $1 ORDER BY period, valid_from`;

/** Policy rates have few figures, so each evaluated vintage reads its whole series. */
export async function deriveDecisions({ client, vintage }: DeriveContext): Promise<void> {
  const subjects = (await client.query<Subject>(SUBJECTS, [vintage])).rows;
  const output = new DerivedChanges(client);
  for (const subject of subjects) {
    await client.query(STANDING, [subject.id, subject.day]);
    const ranges = (await client.query<KnownRange>(RANGES, [subject.id])).rows;
    for (const decision of decisionsOf(ranges, subject.day, subject.baseline)) {
      await output.write(changeOf(subject, decision, ranges));
    }
  }
  await output.flush();
}

function changeOf(subject: Subject, decision: Decision, ranges: readonly KnownRange[]): NewChange {
  const { id: series, indicator, region, day, unit, wording, publisher } = subject;
  const { period, actual, previous } = decision;
  const ordinaryStep = ordinaryStepOf(ranges, day, period);
  return {
    id: changeId({ kind: 'decision', indicator, region, period, vintageDay: day }),
    kind: 'decision',
    figure: { series, unit, period, actual, previous: { ...previous, basis: 'period', missing: null } },
    texts: decisionTexts({ ...wording.decision, publisher, unit }, decision),
    importance: importanceOfDecision(Number(difference(actual, previous.value)), ordinaryStep, subject),
    // The source states the day from which the rate holds.
    occurredOn: period,
    occurredBasis: 'observed',
    vintageDay: day,
    knownSince: day,
  };
}
