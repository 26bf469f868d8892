import type { Locale } from '../../src/domain/locale/locale.js';
import type { SourceAttribution } from '../../src/domain/sources/source.schema.js';
import { modifiedBy, projectedSource } from '../../src/assistants/projections/source-projection.js';

export type Projected = Readonly<{ data: unknown; meta?: object }>;

/** The structure of a tool whose route responds with this body. */
export function projected(
  body: Record<'data' | 'meta', unknown>,
  project: (data: never) => Projected,
): unknown {
  const { data, meta } = project(body.data as never);
  const whole = body.meta as { locale: Locale; sources: SourceAttribution[] };
  const { sources, locale } = whole;
  const cited = { sources: sources.map(projectedSource), ...modifiedBy(sources, locale) };
  return plain({ data, meta: { ...whole, ...cited, ...meta } });
}

/** JSON omits undefined members. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
