import { Get, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Series, SeriesQuery, seriesResource } from './series.schema.js';
import { SeriesService } from './series.service.js';

@ResourceController(seriesResource)
export class SeriesController {
  constructor(private readonly series: SeriesService) {}

  @Get()
  @DescribeRoute({
    data: z.array(Series),
    operation: 'getSeries',
    tools: ['series'],
    summary: 'Several series, and computed ones',
    description:
      'The figures of several indicators and instruments, each with statistics of its span; and what is computed from them: pairs of currencies, differences, quotients and products of two series, means and extremes of weeks to years, changes on a year or a period before, indices. Computed figures are marked and name their inputs; they are exact until they are rounded once, and never made across a missing period. A series without figures has no points, and a notice names it.',
  })
  find(@Query({ schema: SeriesQuery }) query: SeriesQuery, @Context() context: RequestContext) {
    return this.series.find(query, context);
  }
}
