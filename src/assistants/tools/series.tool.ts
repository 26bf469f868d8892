import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { SeriesQuery, type Series } from '../../serve/resources/series/series.schema.js';
import { SeriesService } from '../../serve/resources/series/series.service.js';
import { day, period } from '../../serve/resources/parameters.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { localeArgument, nameArgument, namedCountries } from '../arguments/arguments.schema.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ProjectedComputation, projectedComputation } from '../projections/computation-projection.js';
import { SeriesText } from '../text/series-text.service.js';

const MOST_POINTS = 260;

const { frequency, aggregate, transform, base, level } = SeriesQuery.shape;
const other = nameArgument.optional();

const input = z.strictObject({
  series: z
    .string()
    .min(1)
    .max(840)
    .describe('Up to 12, with semicolons between: USD/JPY; 10-year yield; unemployment in Japan'),
  country: namedCountries.describe('Of indicators'),
  minus: other.describe('Subtracts a series: 2-year yield'),
  per: other.describe('Divides by one: population'),
  times: other.describe('Multiplies by one: official-exchange-rate'),
  frequency: frequency.describe('One figure a week, month, quarter or year'),
  aggregate: aggregate.describe('With frequency; without it mean'),
  transform: transform.describe(
    'yoy: on the year before; pop: on the period before (rates: in points); change: in units',
  ),
  base: base.describe('Of index: its last figure is 100').meta({ examples: [] }),
  level: level.describe('A number').meta({ examples: [] }),
  from: period.optional(),
  to: period.optional(),
  asOf: day.optional(),
  limit: z
    .int()
    .min(1)
    .max(MOST_POINTS)
    .optional()
    .describe('Newest points; without it 12 with from, else 3'),
  locale: localeArgument,
});

export const series = {
  name: 'series',
  title: 'Computed series',
  description: [
    'Computes from published series: any pair of currencies (yen per dollar is USD/JPY), spread, ratio, per head, year-on-year, index, means and extremes by year or span, days above a level, streaks, crossings, last and largest move.',
    'Use it for what must be calculated or compared; for one published series `figures` or `quotes`.',
    'In this order: one of minus, per, times (at the longer frequency); aggregate; transform; level. A fall of over 5 % is transform pop, level -5: lastBelow is the last one, lowest the largest; rises in a row are transform change, level 0: longestAbove.',
    'Statistics are of the whole span, points its newest. Nothing is computed across a missing period. What is computed says so, with its operation and inputs.',
  ],
  input,
  data: z.array(ProjectedComputation),
} satisfies ToolDefinition;

@McpController()
export class SeriesTool {
  constructor(
    private readonly computed: SeriesService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: SeriesText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(series)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, Series[]>(series, sent, mcp, {
      query: (query, context) => this.find(query, context),
      project: (data) => ({ data: data.map(projectedComputation) }),
      render: ({ data }, language) => this.lines.lines(data, language),
    });
  }

  private async find(
    { series: names, country, minus, per, times, limit, ...query }: z.output<typeof input>,
    context: RequestContext,
  ) {
    // Without references the service refuses the request, after its checks.
    const references = (await this.resolver.series(names, country, context)) ?? [];
    // The service gives an operand the economy of the series; instruments have none.
    const among = references.some((one) => one.includes('@')) ? undefined : country;
    const operands = {
      minus: await this.resolver.operand('minus', minus, among, context),
      per: await this.resolver.operand('per', per, among, context),
      times: await this.resolver.operand('times', times, among, context),
    };
    const points = limit ?? (query.from === undefined ? 3 : 12);
    return this.computed.find({ ...operands, ...query, series: [...references], points }, context);
  }
}
