import { z } from 'zod';
import type { Change, ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { ProjectedValue, projectedValue } from './figure-projection.js';
import { present } from './present.js';

/** Members of every projected item. */
export const cited = {
  url: z.string().describe('Its page: link it'),
  sources: z.array(z.string()).describe('Ids in meta.sources'),
};

/** Of a result with changes: the titles of their signals. */
export const signals = z.array(z.looseObject({ id: z.string(), title: z.string() })).optional();

export const ProjectedChange = z.looseObject({
  id: z.string(),
  kind: z.string(),
  evidenceClass: z
    .string()
    .describe('fact: stated, or arithmetic on stated figures; supported: inferred by a rule'),
  headline: z.string(),
  importance: z.number().describe('0 to 100'),
  occurredAt: z.string().describe('When the source published it; of a move, its close'),
  status: z.string().optional().describe('corrected: its values were'),
  updatedAt: z.string().optional().describe('When corrected'),
  figure: ProjectedValue.extend({
    unit: z.string(),
    previous: z.looseObject({ value: z.number().nullable() }),
  })
    .optional()
    .describe('Absent for structure'),
  signals: z.array(z.string()).optional().describe('Ids in meta.signals'),
  ...cited,
});

/**
 * A change in at most 250 tokens: what its other members or the headline already say is omitted, and titles of signals
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
  return { ...projectedChange({ ...change, summary }), summary, ...present({ corrections }) };
}

/** The titles of the signals of changes, each once, for `meta`. */
export function signalsOf(changes: readonly Change[]) {
  const titles = new Map(changes.flatMap(({ signals }) => signals.map(({ id, title }) => [id, title])));
  return present({ signals: [...titles].map(([id, title]) => ({ id, title })) });
}

function projectedFigures({ actual, previous, unit }: NonNullable<Change['figure']>) {
  const { value, period, missing } = previous;
  return {
    ...projectedValue(actual),
    unit: unit.code,
    // The headline or the value itself says how to write it.
    previous: projectedValue({ value, period, missing, text: null }),
  };
}
