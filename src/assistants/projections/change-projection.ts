import { z } from 'zod';
import type { Change, ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { ProjectedValue, projectedValue } from './figure-projection.js';
import { present } from './present.js';

/** Members of every projected item; `sources` are ids of `meta.sources`. */
export const cited = { url: z.string(), sources: z.array(z.string()) };

export const ProjectedChange = z.looseObject({
  id: z.string(),
  headline: z.string(),
  figure: ProjectedValue.optional(),
  ...cited,
});

/**
 * A change in at most 260 tokens: what its other members or the headline already say is omitted, and titles of signals
 * stand once in `meta`.
 */
export function projectedChange(change: Change) {
  const { id, kind, status, evidenceClass, headline, importance, occurredAt, occurredBasis } = change;
  const { figure, companies, signals, sources } = change;
  return {
    ...{ id, kind, evidenceClass, headline, importance, occurredAt, occurredBasis },
    ...(status === 'corrected' && { status, updatedAt: change.updatedAt }),
    ...(figure && { figure: projectedFigures(figure) }),
    ...present({ companies: companies.map(({ slug }) => slug), signals: signals.map((one) => one.id) }),
    sources,
    url: linkOf(change),
  };
}

/** One change, with its summary and its figures before each correction. */
export function projectedDetail({ summary, corrections, ...change }: ChangeDetail) {
  const { smaller = 0, earlier = [] } = change.figure?.revision ?? {};
  return {
    ...projectedChange({ ...change, summary }),
    summary,
    ...present({ smaller: smaller || null, earlier: earlier.length > 1 ? earlier : null, corrections }),
  };
}

/** The titles of the signals of changes, each once, for `meta`. */
export function signalsOf(changes: readonly Change[]) {
  const titles = new Map(changes.flatMap(({ signals }) => signals.map(({ id, title }) => [id, title])));
  return present({ signals: [...titles].map(([id, title]) => ({ id, title })) });
}

/** What the headline says of a revision beside its two figures. */
function projectedRevision({ way, periods, since }: NonNullable<NonNullable<Change['figure']>['revision']>) {
  return {
    ...present({ way: way === 'restated' ? null : way }),
    ...(periods > 1 && { periods, since }),
  };
}

function projectedFigures({ actual, previous, unit, deltaPercent, revision }: NonNullable<Change['figure']>) {
  const { value, period, missing } = previous;
  return {
    ...projectedValue(actual),
    unit: unit.code,
    ...present({ deltaPercent }),
    ...(revision !== null && projectedRevision(revision)),
    // The headline or the value itself says how to write it.
    previous: projectedValue({ value, period, missing, text: null }),
  };
}
