import { Get, Param, Query } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { PlanReach } from '../../http/response/plan-reach.decorator.js';
import { EntitiesService } from './entities.service.js';
import { EntityId, StructureMap, StructureQuery, entitiesResource } from './structure.schema.js';

@PlanReach()
@ResourceController(entitiesResource)
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Get(':id/structure')
  @DescribeRoute({
    data: StructureMap,
    operation: 'getStructure',
    summary: "An entity's structure map",
    description:
      'The entities that consolidate this entity in their accounts and those that it consolidates, along direct relations up and down, without siblings. The plan limits the depth; `meta.reach` states the limit if it applies.',
    errors: ['plan_reach_exceeded'],
  })
  structure(
    @Query({ schema: StructureQuery }) query: StructureQuery,
    @Param('id', { schema: EntityId }) id: string,
    @Context() context: RequestContext,
  ) {
    return this.entities.structure(id, query, context);
  }
}
