import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { page } from '../links.schema.js';
import { locale, optionalCountOf } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const entitiesResource = {
  path: 'entities',
  tag: 'Entities',
  about: 'Who consolidates whom, around one legal entity',
  family: 'structure',
} satisfies Resource;

/** Greater than the depth of any plan. */
export const DEEPEST = 4;

const node = z
  .object({
    id: z.string(),
    lei: z.string().nullable(),
    name: z.string().nullable().describe('As registered; null if no imported register describes the entity'),
    missing: z.enum(['not_in_source']).nullable().describe('Why `name` is null'),
    slug: z.string().nullable().describe('null if the entity is not in the list of companies'),
    page,
    type: z
      .string()
      .describe(
        '`legal_entity`, `fund`, `branch`, `sole_proprietor`, …, `registrant`, or `unknown`; more values may follow',
      ),
    country: z.string().nullable(),
    source: z.string().describe('Id in `meta.sources` of its register, or of the source that names it'),
    level: z
      .int()
      .describe(
        'Distance from the root in direct relations; negative above the root. An ultimate parent without a direct relation is one level above the highest entity',
      ),
  })
  .meta({ id: 'StructureNode' });

const edge = z
  .object({
    from: z.string().describe('Id of the parent, which consolidates the child'),
    to: z.string().describe('Id of the child'),
    relation: z.enum(['direct', 'ultimate']),
    evidenceClass: z.literal('fact'),
    since: z.string().nullable().describe('Day, as the register states it'),
    until: z.string().nullable().describe('Day on which the relation ends, as the register states it'),
    source: z.string().describe('Id in `meta.sources`'),
  })
  .meta({ id: 'StructureEdge', description: 'Accounting consolidation, never a share of ownership' });

export const known = z
  .object({
    given: z.int().describe('Number of its direct children in the database'),
    stated: z.int().nullable().describe('Number of direct children that the register states; null if it states none'),
  })
  .meta({ id: 'KnownChildren', description: 'If `given` is less than `stated`, not all children are in the database' });

export const StructureMap = z
  .object({
    root: z.string().describe('Id of the requested entity'),
    depth: z.int().describe('Levels of direct relations above and below the root'),
    nodes: z.array(node).describe('By level from the top, then by name; at most 500'),
    edges: z.array(edge).describe('Relations between the nodes, direct ones first; at most 2,000'),
    truncated: z
      .object({
        nodes: z
          .int()
          .describe('Number of entities omitted from the first incomplete level; deeper levels are not counted'),
        edges: z.int().describe('Number of omitted relations between the nodes'),
      })
      .meta({ id: 'Truncated', description: 'Both are 0 if the map is complete' }),
    known,
  })
  .meta({ id: 'StructureMap' });
export type StructureMap = z.infer<typeof StructureMap>;

export const StructureQuery = z.strictObject({
  locale,
  depth: optionalCountOf(DEEPEST)
    .describe('Levels of direct relations to follow, up and down; default: the depth of the plan')
    .meta({ examples: [1] }),
});
export type StructureQuery = z.infer<typeof StructureQuery>;

export const EntityId = z
  .string()
  .max(64)
  .regex(/^ent_[A-Za-z0-9_-]{1,60}$/)
  .meta({ description: 'Id of a legal entity', examples: ['ent_9jTnHW5n71q73wi-OJ6Q4hr-3IT'] })
  .register(NAMED, { reason: 'no_entity' });
