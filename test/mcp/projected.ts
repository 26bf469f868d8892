import { projectedMeta } from '../../src/assistants/projections/source-projection.js';

export type Projected = Readonly<{ data: unknown; meta?: object }>;

/** The structure of a tool whose route responds with this body. */
export function projected(body: Record<'data' | 'meta', unknown>, project: (data: never) => Projected): unknown {
  const { data, meta } = project(body.data as never);
  return plain({ data, meta: { ...projectedMeta(body.meta as never), ...meta } });
}

/** JSON omits undefined members. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
