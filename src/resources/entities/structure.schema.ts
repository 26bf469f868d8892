import { z } from 'zod';
import { NAMED } from '../../errors/named.schema.js';
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
    name: z.string().nullable().describe('As registered; null where no register at hand describes it'),
    missing: z.enum(['not_in_source']).nullable().describe('Why there is no name'),
    type: z
      .string()
      .describe(
        '`legal_entity`, `fund`, `branch`, `sole_proprietor`, …, `registrant`, or `unknown`; more may come',
      ),
    country: z.string().nullable(),
    source: z.string().describe('Id in `meta.sources`: its register, or who names it'),
    level: z
      .int()
      .describe(
        'Direct relations from the root: negative for those above it. An ultimate parent that no direct relation leads to stands one above the highest',
      ),
  })
  .meta({ id: 'StructureNode' });

const edge = z
  .object({
    from: z.string().describe('Id of the parent: it consolidates the other'),
    to: z.string().describe('Id of the child'),
    relation: z.enum(['direct', 'ultimate']),
    evidenceClass: z.enum(['fact']),
    since: z.string().nullable().describe('Day, as the register states it'),
    until: z.string().nullable().describe('Day on which the register states that it will end'),
    source: z.string().describe('Id in `meta.sources`'),
  })
  .meta({ id: 'StructureEdge', description: 'Accounting consolidation, never a share of ownership' });

export const StructureMap = z
  .object({
    root: z.string().describe('Id of the entity that was asked for'),
    depth: z.int().describe('Direct relations followed from the root, up and down'),
    nodes: z.array(node).describe('By level from the top, then by name; at most 500'),
    edges: z.array(edge).describe('Between the nodes, direct ones first; at most 2,000'),
    truncated: z
      .object({
        nodes: z
          .int()
          .describe(
            'Entities left out of the first level that did not fit; what lies below was not looked at',
          ),
        edges: z.int().describe('Relations between the nodes that were left out'),
      })
      .describe('0 and 0 where all of it is here'),
    known: z
      .object({
        given: z.int().describe('Direct children of the root that are held'),
        stated: z.int().nullable().describe('How many the register states; null where it did not say'),
      })
      .describe('“n of N”: where `given` is less than `stated`, the map does not show all'),
  })
  .meta({ id: 'StructureMap' });
export type StructureMap = z.infer<typeof StructureMap>;

export const StructureQuery = z.strictObject({
  locale,
  depth: optionalCountOf(DEEPEST)
    .describe('Direct relations to follow, up and down. Without it: as far as the plan allows')
    .meta({ examples: [1] }),
});
export type StructureQuery = z.infer<typeof StructureQuery>;

export const EntityId = z
  .string()
  .max(64)
  .regex(/^ent_[A-Za-z0-9_-]{1,60}$/)
  .describe("A legal entity's id")
  .meta({ examples: ['ent_9jTnHW5n71q73wi-OJ6Q4hr-3IT'] })
  .register(NAMED, { reason: 'no_entity' });
