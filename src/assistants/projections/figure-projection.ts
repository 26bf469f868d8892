import { z } from 'zod';
import type { Figure, SeriesFigure } from '../../domain/figures/figure.schema.js';
import type { Age } from '../../domain/figures/timetable.js';
import { present } from './present.js';

type Value = Pick<Figure, 'value' | 'text' | 'missing'> & { readonly period: string | null };

/** A value, null with a reason in `missing`, and its period. */
export const ProjectedPoint = z.looseObject({ value: z.number().nullable(), period: z.string().optional() });
/** The same beside its unit. */
export const ProjectedFigure = ProjectedPoint.extend({ unit: z.string().optional() });

/** A value and its period; the unit and the source stand beside it or above. */
export function projectedValue({ value, text, period, missing }: Value) {
  return { value, ...present({ text, period, missing }) };
}

/** The same where the unit beside it, or a headline, says how to write it. */
export const untexted = (figure: Omit<Value, 'text'>) => projectedValue({ ...figure, text: null });

/** A figure of a list whose unit stands once; of a former value also the days between which it was known. */
export function projectedPoint({ knownUntil = null, knownSince, ...figure }: SeriesFigure) {
  const known = knownUntil === null ? {} : present({ knownSince, knownUntil });
  return { ...untexted(figure), ...known };
}

/** Of figures that are out of date, the day by which newer ones were expected; nothing of current ones. */
export function projectedAge({ stale, expectedBy }: Age) {
  return stale ? { stale, ...present({ expectedBy: expectedBy?.slice(0, 10) }) } : {};
}

/** The sources that the publishers of figures cite, each once; beside `source`. */
export function originsOf(figures: readonly Pick<Figure, 'origins'>[]) {
  return present({ origins: [...new Set(figures.flatMap(({ origins }) => origins))].sort() });
}

/** A figure with its unit, and the value before it. */
export function projectedFigure({ unit, previous, ...figure }: Figure) {
  return { ...projectedValue(figure), unit, ...(previous && { previous: projectedValue(previous) }) };
}
