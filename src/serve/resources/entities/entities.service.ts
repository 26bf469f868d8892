import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Result } from '../../responses/result.js';
import { ApiError, notFound } from '../../../domain/errors/api-error.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { EDGES, KNOWN, ROOT, SLUGS_OF_ENTITIES, type EdgeRow, type NodeRow, type SlugRow } from './structure.rows.js';
import { walk, type Placed } from './structure-walk.rows.js';
import { DEEPEST, entitiesResource, type StructureMap, type StructureQuery } from './structure.schema.js';

const MOST_EDGES = 2_000;

@Injectable()
export class EntitiesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
  ) {}

  /** @throws ApiError `plan_reach_exceeded` beyond the plan, `not_found` for an unknown entity */
  async structure(id: string, query: StructureQuery, context: RequestContext): Promise<Result<StructureMap>> {
    const allowed = Math.min(context.reach.structureDepth, DEEPEST);
    const depth = query.depth ?? allowed;
    if (depth > allowed) throw new ApiError('plan_reach_exceeded');
    return this.reader.read(entitiesResource, context, async (read, cite) => {
      const [root] = await read<NodeRow>(ROOT, [id]);
      if (root === undefined) throw notFound('id', 'no_entity', id);
      const { placed, leftOut, more } = await walk(read, root, depth);
      const edges = await read<EdgeRow>(EDGES, [placed.map(({ node }) => node.id), MOST_EDGES]);
      const listed = await read<SlugRow>(SLUGS_OF_ENTITIES, [placed.map(({ node }) => node.id)]);
      const slugs = new Map(listed.map(({ id: entity, slug }) => [entity, slug]));
      const [known] = await read<StructureMap['known']>(KNOWN, [id]);
      return {
        data: {
          root: root.id,
          depth,
          nodes: [...placed]
            .sort((a, b) => a.level - b.level)
            .map((one) => this.node(one, slugs.get(one.node.id) ?? null, context.locale, cite)),
          edges: edges.map(({ from, to, relation, since, until, source }) => ({
            from,
            to,
            relation,
            since,
            until,
            evidenceClass: 'fact' as const,
            source: cite.source(source),
          })),
          truncated: { nodes: leftOut, edges: Math.max(0, (edges[0]?.total ?? 0) - edges.length) },
          known: known ?? { given: 0, stated: null },
        },
        ...(depth === allowed && allowed < DEEPEST && { reach: { given: depth, allowed, more } }),
      };
    });
  }

  private node({ node, level }: Placed, slug: string | null, locale: Locale, cite: Citations) {
    const { id, lei, name, type, country, source } = node;
    cite.entity(node);
    const page = slug === null ? undefined : this.urls.links(locale, ['companies', slug]).page;
    return {
      id,
      lei,
      name,
      missing: name === null ? ('not_in_source' as const) : null,
      slug,
      ...(page !== undefined && { page }),
      type,
      country,
      source: cite.source(source),
      level,
    };
  }
}
