import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { EntitiesService } from './entities.service.js';
import { EntityId, StructureMap, StructureQuery } from './structure.schema.js';

@ApiTags('Companies')
@Controller('entities')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Get(':id/structure')
  @Answers({
    data: StructureMap,
    operation: 'getStructure',
    summary: "An entity's structure map",
    description:
      'Who consolidates the entity and whom it consolidates in its accounts, by direct relations up and down, without siblings. How deep depends on the plan; `meta.reach` says where the plan ends the map.',
    errors: ['plan_reach_exceeded'],
  })
  structure(
    @Query({ schema: StructureQuery }) query: StructureQuery,
    @Param('id', { schema: EntityId }) id: string,
    @Call() call: CallContext,
  ) {
    return this.entities.structure(id, query, call);
  }
}
