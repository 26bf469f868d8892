import { z } from 'zod';
import type { Change, ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { ProjectedFigure, untexted } from './figure-projection.js';
import { present } from './present.js';

/** Members of every projected item; `sources` are ids of `meta.sources`. */
export const cited = { url: z.string(), sources: z.array(z.unknown()) };

export const ProjectedChange = z.looseObject({
  id: z.string(),
  kind: z.string(),
  headline: z.string(),
  importance: z.number(),
  occurredAt: z.string(),
  figure: ProjectedFigure.extend({ deltaPercent: z.number().optional(), previous: z.unknown() }).optional(),
  ...cited,
});

/**
 * A change in at most 250 tokens: what its other members or the headline already say is omitted, and titles of signals
 * stand once in `meta`.
 */
export function projectedChange(change: Change): z.input<typeof ProjectedChange> {
  const { id, kind, status, evidenceClass, headline, importance, occurredAt, occurredBasis } = change;
  const { figure, companies, signals, sources } = change;
  const { updatedOn, publishedOn } = daysOf(change);
  return {
    id,
    kind,
    evidenceClass,
    headline,
    importance,
    occurredAt,
    occurredBasis,
    ...present({ publishedOn }),
    ...(status === 'corrected' && { status, updatedOn }),
    ...(figure && { figure: projectedFigures(figure) }),
    ...present({ companies: companies.map(({ slug }) => slug), signals: signals.map((one) => one.id) }),
    sources,
    url: linkOf(change),
  };
}

/** A list of so many changes, which an exact question finds, has their summaries too, in the text as in the structure. */
const FEW_CHANGES = 3;

export const haveSummaries = ({ length }: readonly Change[]): boolean => length <= FEW_CHANGES;

export function projectedChanges(changes: readonly Change[]) {
  if (!haveSummaries(changes)) return changes.map(projectedChange);
  return changes.map((change) => ({ ...projectedChange(change), summary: change.summary }));
}

/** The days of a change that results state; that of its publication here unless it occurred on it. */
export function daysOf({ occurredAt, publishedAt, updatedAt }: Change) {
  const [publishedOn, updatedOn] = [publishedAt.slice(0, 10), updatedAt.slice(0, 10)];
  return { publishedOn: publishedOn === occurredAt.slice(0, 10) ? null : publishedOn, updatedOn };
}

/** One change, with its summary, which states what else a revision changed, and its figures before each correction. */
export function projectedDetail({ summary, corrections, ...change }: ChangeDetail) {
  const before = corrections.map(({ dataVersion: _version, ...figures }) => figures);
  return { ...projectedChange({ ...change, summary }), summary, ...present({ corrections: before }) };
}

/** The titles of the signals of changes, each once, for `meta`. */
export function signalsOf(changes: readonly Change[]) {
  const titles = new Map(changes.flatMap(({ signals }) => signals.map(({ id, title }) => [id, title])));
  return present({ signals: [...titles].map(([id, title]) => ({ id, title })) });
}

/** What the headline says of a revision beside its two figures. */
function projectedRevision({ way, periods, since }: NonNullable<NonNullable<Change['figure']>['revision']>) {
  return { ...present({ way: way === 'restated' ? null : way }), ...(periods > 1 && { periods, since }) };
}

function projectedFigures({ actual, previous, unit, deltaPercent, revision }: NonNullable<Change['figure']>) {
  return {
    ...untexted(actual),
    unit: unit.code,
    ...present({ deltaPercent }),
    ...(revision !== null && projectedRevision(revision)),
    previous: untexted(previous),
  };
}
