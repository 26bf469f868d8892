import type pg from 'pg';
import { difference, percentChange } from '../../domain/figures/decimal.js';
import { unitNamed, type UnitCode, type UnitDefinition } from '../../domain/figures/units.js';
import type { VintageBasis } from '../../domain/figures/vintage-basis.js';
import { CopyBuffer } from '../publication/copy-buffer.js';
import type { Publication } from '../publication/record-publication.js';
import type { FigureContext } from './context.rule.js';
import type { ChangeTexts } from './templates.js';
import type { RevisionFacts } from './revision-facts.rule.js';
import type { PreviousFigure, Rebasing } from './release-revision.rule.js';

/** A figure of a series that changed. */
interface ChangedFigure {
  readonly series: number;
  readonly unit: UnitCode;
  readonly period: string;
  /** Null for a figure that its source withdrew. */
  readonly actual: string | null;
  readonly previous: PreviousFigure;
  readonly rebasing?: Rebasing | null;
  readonly revision?: RevisionFacts | null;
}

export interface NewChange {
  readonly id: string;
  readonly kind: 'release' | 'revision' | 'move' | 'decision' | 'structure';
  readonly texts: ChangeTexts;
  readonly importance: number;
  readonly occurredOn: string;
  readonly occurredBasis: VintageBasis | 'observed';
  readonly vintageDay: string;
  /** The day of the vintage from which it is known; later than the observed day of a move. */
  readonly knownSince: string;
  readonly figure?: ChangedFigure;
  /** Its sentence is that of the texts. */
  readonly context?: FigureContext | null;
  /** Ids of the child and the parent of a relation that changed. */
  readonly entities?: readonly [child: string, parent: string];
}

/** `deltaPercent` is null for ratios, which differ by percentage points. */
export function deltasOf({ unit, actual, previous: { value } }: Omit<ChangedFigure, 'series' | 'period'>) {
  if (value === null || actual === null) return { delta: null, deltaPercent: null };
  const { dimension }: UnitDefinition = unitNamed(unit);
  const deltaPercent = dimension === 'ratio' ? null : percentChange(value, actual);
  return { delta: difference(actual, value), deltaPercent };
}

const COLUMNS =
  'id, kind, headline, summary, importance, occurred_on, occurred_basis, vintage_day, known_since, entity_id, ' +
  'other_entity_id, series_id, period, actual_value, previous_value, previous_period, previous_basis, ' +
  'previous_missing, previous_known_since, delta, delta_percent, rebasing, revision, context';
const NO_FIGURE = Array.from({ length: 12 }, () => null);

/** Copies changes to the table `derived_changes`. */
export class DerivedChanges extends CopyBuffer {
  constructor(client: pg.PoolClient) {
    super(client, `derived_changes (${COLUMNS})`, 2_000);
  }

  async write({ figure, texts, entities, context = null, ...change }: NewChange): Promise<void> {
    const [child, parent] = entities ?? [null, null];
    this.add([
      change.id,
      change.kind,
      JSON.stringify(texts.headline),
      JSON.stringify(texts.summary),
      change.importance,
      change.occurredOn,
      change.occurredBasis,
      change.vintageDay,
      change.knownSince,
      child,
      parent,
      ...(figure === undefined ? NO_FIGURE : valuesOf(figure)),
      context === null ? null : JSON.stringify({ ...context, text: texts.context }),
    ]);
    if (this.full) await this.send();
  }
}

function valuesOf(figure: ChangedFigure): (string | number | null)[] {
  const { previous, rebasing = null, revision = null } = figure;
  const { delta, deltaPercent } = deltasOf(figure);
  return [
    figure.series,
    figure.period,
    figure.actual,
    previous.value,
    previous.period,
    previous.basis,
    previous.missing,
    previous.knownSince,
    delta,
    deltaPercent,
    rebasing === null ? null : JSON.stringify(rebasing),
    revision === null ? null : JSON.stringify(revision),
  ];
}

/** The publication for which a rule derives changes. */
export interface DeriveContext {
  readonly client: pg.PoolClient;
  /** `YYYY-MM-DD`. */
  readonly vintage: string;
  readonly publication: Publication;
}

/**
 * Writes changes to `derived_changes`, and published changes that it evaluated again to `recomputed_changes`: the
 * publication withdraws those that are no longer derived. Reads only derivable views, and depends only on the stored
 * content.
 */
export type Deriver = (publishing: DeriveContext) => Promise<void>;
