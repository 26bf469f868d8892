import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { LocaleQuery } from '../parameters.schema.js';
import { BoardService } from './board.service.js';
import { ChangedSeriesService } from './changed-series.service.js';
import {
  EconomyBoard,
  IndicatorSlug,
  ListedIndicator,
  MacroQuery,
  MacroSeries,
  macroResource,
} from './macro.schema.js';
import { MacroService } from './macro.service.js';

@ResourceController(macroResource)
export class MacroController {
  constructor(
    private readonly macro: MacroService,
    private readonly board: BoardService,
    private readonly changed: ChangedSeriesService,
  ) {}

  @Get()
  @DescribeRoute({
    data: z.array(ListedIndicator),
    operation: 'listIndicators',
    summary: 'Indicators',
    description:
      'Every indicator with a series, in the order of the catalogue: how many economies it has, from which period to which, when its next figure is expected, when its figures last changed, and its source.',
  })
  list(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.board.list(context);
  }

  @Get('board')
  @DescribeRoute({
    data: EconomyBoard,
    operation: 'getEconomyBoard',
    summary: 'The economy board',
    description:
      'The latest figures of the headline indicators, one row per economy, each with the previous period. For discovery it also lists every indicator and region with a series: of each indicator how many economies, from which period to which, when the next figure is expected, when its figures last changed, and its source.',
  })
  showBoard(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.board.show(context);
  }

  @Get(':indicator')
  @DescribeRoute({
    data: MacroSeries,
    paged: true,
    operation: 'getMacroSeries',
    tools: ['figures'],
    summary: 'Series of one indicator',
    description:
      'With `region`: the whole series of up to 30 regions, oldest first. Without it: the newest two figures of every region; `rank` sorts the regions by the newest figure. `vintages=all` returns every value that each period of one region ever had. `asOf` returns the figures as they were known at the end of a day; before the first stored vintage the series is empty, and a notice names the earliest day. `publishedSince` returns only what was published, restated or withdrawn since, for a copy.',
  })
  find(
    @Query({ schema: MacroQuery }) query: MacroQuery,
    @Param('indicator', { schema: IndicatorSlug }) indicator: string,
    @Context() context: RequestContext,
  ) {
    const { publishedSince } = query;
    return publishedSince === undefined
      ? this.macro.find(indicator, query, context)
      : this.changed.list(indicator, publishedSince, query, context);
  }
}
