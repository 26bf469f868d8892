import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import type { MacroSeries } from '../../resources/macro/macro.schema.js';
import { MacroService } from '../../resources/macro/macro.service.js';
import { day, period } from '../../resources/parameters.schema.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { limitOf, localeArgument, namedCountries, nameArgument } from '../arguments.schema.js';
import { FigureText } from '../text/figure-text.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { FigureSummary } from '../tool-outputs.schema.js';
import { ToolRunner } from '../tool-runner.service.js';

const input = z.strictObject({
  indicator: nameArgument.describe('Slug or words: gdp-growth, inflation, 失业率'),
  country: namedCountries.describe(
    'Names or codes, up to 30: JP or Germany, FR; none: a ranking of countries',
  ),
  from: period
    .optional()
    .describe('First period: 2015, 2015-Q1 or a day; none, without to: the newest two figures'),
  to: period.optional().describe('Last period, inclusive'),
  asOf: day.optional().describe('As known at the end of this day; none: today'),
  rank: z.enum(['highest', 'lowest']).default('highest').describe('Order of a ranking'),
  limit: limitOf(60, 10).describe('Countries of a ranking'),
  locale: localeArgument,
});

export const figures = {
  name: 'figures',
  title: 'Figures',
  description:
    'Gets published figures of one indicator: the newest two of countries, a series over a span (from, to), figures as they were known on a day (asOf), or a ranking of countries by newest value, highest first. Use it for "how high is", "since when", "which country has the most"; for newly published or revised figures use latest_changes; for exchange rates, yields and prices use quotes. Each figure names its period: mostly annual, none is live. Words that name no indicator are an error that lists the most likely ones; countries without figures are omitted.',
  input,
  data: z.looseObject({
    indicator: z.looseObject({ slug: z.string(), name: z.string() }),
    series: z.array(
      z.looseObject({
        region: z.looseObject({ code: z.string(), name: z.string() }),
        observations: z.array(FigureSummary),
        source: z.string(),
      }),
    ),
  }),
} satisfies ToolDefinition;

@McpController()
export class FiguresTool {
  constructor(
    private readonly macro: MacroService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: FigureText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(figures)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, MacroSeries>(figures, sent, mcp, {
      query: (query, context) => this.find(query, context),
      render: ({ data }, language) => this.lines.series(data, language),
    });
  }

  private async find(
    { indicator, country, rank, limit, ...query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<MacroSeries>> {
    const slug = await this.resolver.indicator(indicator, context);
    const region = await this.resolver.countries(country, context);
    const isSpan = region !== undefined && (query.from !== undefined || query.to !== undefined);
    const order = isSpan ? {} : { rank, limit: region?.length ?? limit };
    return this.macro.find(
      slug,
      { ...query, ...(region && { region }), ...order, vintages: 'newest' },
      context,
    );
  }
}
