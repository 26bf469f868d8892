import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import { SeriesQuery, type Series } from '../../serve/resources/series/series.schema.js';
import { SeriesService } from '../../serve/resources/series/series.service.js';
import { day, period } from '../../serve/resources/parameters.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { Averages } from '../arguments/averages.service.js';
import { wholePeriods, withYearOf } from '../arguments/whole-periods.js';
import { localeArgument, nameArgument, namedCountries } from '../arguments/arguments.schema.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ProjectedComputation, projectedComputation } from '../projections/computation-projection.js';
import { FigureText } from '../text/figure-text.service.js';
import { SeriesText } from '../text/series-text.service.js';

const MOST_POINTS = 260;
/** What is called so is an index, and its change of a year only where no index is stored. */
const INDEX = /\bCPI\b|consumer prices?|[价物]指数|物価指数/iu;

const { frequency, aggregate, transform, base, level } = SeriesQuery.shape;
const other = nameArgument.optional();

const input = z.strictObject({
  series: z
    .string()
    .min(1)
    .max(840)
    .describe('Up to 12, with semicolons: USD/JPY; 10-year yield; unemployment in Japan'),
  country: namedCountries.describe('For indicators and operands that name none: JP'),
  minus: other.describe('Subtracts: 2-year yield'),
  per: other.describe('Divides by: population'),
  times: other.describe('Multiplies by: official-exchange-rate'),
  frequency: frequency.describe('One figure a week, month, quarter or year'),
  aggregate: aggregate.describe('Needs frequency; default: mean'),
  transform: transform.describe(
    'yoy: % on the year; pop: % on the period before (both in points for rates); change: in units; index: 100 at base; compound: index from growth rates',
  ),
  base: base.meta({ description: '2015; default: first' }),
  level: level.meta({ description: 'In units of the result: -5', type: ['string', 'number'] }),
  from: period.optional().describe('First of the result: 2015-01; default: all'),
  to: period.optional().describe('Inclusive; default: newest'),
  asOf: day.optional().describe('As known at the end of: 2024-12-31'),
  limit: z.int().min(1).max(MOST_POINTS).optional().describe('Newest points; default: 12 with from, else 3'),
  locale: localeArgument,
});

export const series = {
  name: 'series',
  title: 'Computed series',
  description: [
    'Computes from published series: any currency pair (USD/JPY is yen per dollar), spreads, ratios, values per head, changes on the year, indices, means and extremes by year or span, days above a level, streaks, crossings, last and largest moves.',
    'Use it to calculate; for published values use `figures` or `quotes`.',
    'Steps run in this order: one of minus, per, times (at the lower frequency); aggregate; transform; level. For falls of over 5 %, set transform pop, level -5: `lastBelow` is the latest, `lowest` the largest; for rises in a row, transform change, level 0: `longestAbove`, `lastRun`.',
    'Statistics cover the whole span; points are its newest. Nothing is computed across a missing period.',
  ],
  input,
  data: z.array(ProjectedComputation),
} satisfies ToolDefinition;

@McpController()
export class SeriesTool {
  constructor(
    private readonly computed: SeriesService,
    private readonly resolver: ArgumentResolver,
    private readonly averages: Averages,
    private readonly lines: SeriesText,
    private readonly figures: FigureText,
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
    { series: names, country, minus, per, times, limit, ...sent }: z.output<typeof input>,
    context: RequestContext,
  ) {
    const query = withYearOf(names, sent);
    // Without references the service refuses the request, after its checks.
    const isChange = query.transform === 'yoy' || query.transform === 'pop';
    const isOfIndex = isChange || ((minus ?? per ?? times) === undefined && INDEX.test(names));
    const references = (await this.resolver.series(names, country, isOfIndex, context)) ?? [];
    // The service gives an operand the economy of the series; instruments have none.
    const among = { country, hasEconomy: references.some((one) => one.includes('@')) };
    const operands = {
      minus: await this.resolver.operand('minus', minus, among, context),
      per: await this.resolver.operand('per', per, among, context),
      times: await this.resolver.operand('times', times, among, context),
    };
    const points = limit ?? (query.from === undefined ? 3 : 12);
    const { frequency: of = 'D' } = query;
    // A year is asked for as one: half of it is no year.
    const spanned = of === 'W' || of === 'M' ? wholePeriods(query, of) : query;
    const request = { ...operands, ...spanned, series: [...references], points };
    const own = await this.computed.find(request, context);
    const found = (await this.averaged(request, own, context)) ?? own;
    const { before = null } = found.nearest ?? {};
    // The reason why the publisher left it out says more than its neighbour.
    const isLeftOut = found.data.some(({ points: some }) => some.some(({ missing }) => missing !== null));
    if (query.from === undefined || before === null || isLeftOut) return found;
    // As of quotes: without a figure in the span, the one before it.
    const near = await this.computed.find({ ...request, from: before, to: before }, context);
    return { ...near, notices: [this.figures.instead('outside', query.locale), ...near.notices] };
  }

  /** The stored averages of weeks or months, where they reach further than the daily prices to be averaged; else null. */
  private async averaged(
    request: SeriesQuery,
    own: Result<Series[]>,
    context: RequestContext,
  ): Promise<Result<Series[]> | null> {
    const { series: names, frequency, aggregate = 'mean', minus, per, times, locale } = request;
    const [daily = '', ...more] = names;
    if ((frequency !== 'W' && frequency !== 'M') || aggregate !== 'mean' || more.length > 0) return null;
    if ((minus ?? per ?? times) !== undefined) return null;
    const key = await this.averages.find(daily, frequency, context);
    if (key === null) return null;
    const found = await this.computed.find({ ...request, series: [key] }, context);
    const [ofDays, ofAverages] = [own.data[0]?.statistics, found.data[0]?.statistics];
    if (!ofAverages) return null;
    const reachesFurther =
      !ofDays || (request.from === undefined ? ofAverages.last > ofDays.last : ofAverages.first < ofDays.first);
    if (!reachesFurther) return null;
    return { ...found, notices: [this.figures.instead('average', locale), ...found.notices] };
  }
}
