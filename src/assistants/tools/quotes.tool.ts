import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../domain/errors/api-error.js';
import { nextPeriod, previousPeriod } from '../../domain/figures/periods.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import {
  INSTRUMENT_KINDS,
  TIMEFRAMES,
  type InstrumentBars,
  type MarketQuery,
  type InstrumentDetail,
} from '../../serve/resources/markets/market.schema.js';
import { FREQUENCIES } from '../../serve/resources/markets/bars.view.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import { day, period } from '../../serve/resources/parameters.schema.js';
import { wholePeriods, withYearOf } from '../arguments/whole-periods.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { Averages, type Averaged } from '../arguments/averages.service.js';
import { cursor, localeArgument, nameArgument, nextPage } from '../arguments/arguments.schema.js';
import { ProjectedQuote, projectedBars, projectedQuote } from '../projections/quote-projection.js';
import { FigureText } from '../text/figure-text.service.js';
import { hasInstrumentOf } from '../arguments/known-names.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';

const MOST_CLOSES = 260;
const USUAL_CLOSES = 5;
const CLOSES_OF_SPAN = 31;

const input = z.strictObject({
  instrument: nameArgument.optional().describe('One key or name: eurusd, brent, 金价, us-par-yield-10y; or give kind'),
  kind: z
    .enum(INSTRUMENT_KINDS.filter(hasInstrumentOf))
    .optional()
    .describe('All of a kind; without timeframe, those with daily closes'),
  from: period.optional().describe('2026, 2026-Q1 or 2026-01-01; default: newest closes'),
  to: period.optional().describe('Inclusive; default: newest'),
  asOf: day.optional().describe('As known at the end of: 2024-12-31'),
  timeframe: z.enum(TIMEFRAMES).optional().describe('Day, week, month; default: its own'),
  limit: z
    .int()
    .min(1)
    .max(MOST_CLOSES)
    .optional()
    .describe(`Newest closes of each; default: ${CLOSES_OF_SPAN} with from, else ${USUAL_CLOSES}`),
  cursor,
  locale: localeArgument,
});

export const quotes = {
  name: 'quotes',
  title: 'Quotes',
  description: [
    'Gets daily, weekly or monthly closes of euro exchange rates, commodities and US Treasury yields.',
    'Use it for prices; use `series` for pairs without the euro, `latest_changes` for unusual moves, `figures` for indicators.',
    'Closes can be old: name their day. No futures, shares, daily opens, highs or lows.',
    'With instrument and from but no timeframe, `range` has lowest, highest and rounded mean of the whole span. One instrument and one period returns every value published for it; a span without closes, the close before, else after.',
  ],
  input,
  data: z.union([ProjectedQuote, z.array(z.unknown())]),
  meta: { page: nextPage.optional() },
} satisfies ToolDefinition;

type Quoted = InstrumentDetail | InstrumentBars[];

@McpController()
export class QuotesTool {
  constructor(
    private readonly markets: MarketsService,
    private readonly resolver: ArgumentResolver,
    private readonly averages: Averages,
    private readonly lines: FigureText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(quotes)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, Quoted>(quotes, sent, mcp, {
      query: (query, context) => this.find(query, context),
      project: (data) => ({ data: Array.isArray(data) ? data.map(projectedBars) : projectedQuote(data) }),
      statesAge: true,
      render: ({ data }, language, { today }) =>
        Array.isArray(data) ? this.lines.bars(data, today, language) : this.lines.points(data, today, language),
    });
  }

  private async find(
    { instrument, kind, timeframe, limit: most, ...sent }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<Quoted>> {
    const query = withYearOf(instrument, sent);
    await context.faults.check(['instrument', 'kind'], () => {
      if ((instrument === undefined) === (kind === undefined))
        throw invalidParameter({ parameter: 'instrument', reason: 'one_of_two', args: { other: 'kind' } });
    });
    const limit = most ?? (query.from === undefined ? USUAL_CLOSES : CLOSES_OF_SPAN);
    const bars = { ...query, tf: timeframe ?? 'D1', bars: limit };
    if (kind !== undefined) return this.markets.listBars(kind, bars, context);
    // Without a key the service refuses the request, after its checks.
    const key = (instrument && (await this.resolver.instrument(instrument, context))) ?? '';
    const points = { ...query, points: limit };
    if (timeframe === undefined) return this.points(key, points, context);
    const found = await this.markets.find(key, { locale: query.locale, points: 1 }, context);
    // Its own timeframe is no other question than none.
    if (found.data.nativeTimeframe === timeframe) return this.points(key, points, context);
    const built = await this.markets.listBars(found.data.kind, { ...bars, instrument: key }, context);
    if (timeframe === 'D1' || built.data.some((one) => one.bars.length > 0)) return built;
    return (await this.average(key, timeframe === 'W1' ? 'W' : 'M', points, context)) ?? built;
  }

  /** The stored average of each week or month, where no closes are stored; null without one in the span. */
  private async average(
    key: string,
    frequency: Averaged,
    query: MarketQuery,
    context: RequestContext,
  ): Promise<Result<Quoted> | null> {
    const average = await this.averages.find(key, frequency, context);
    if (average === null) return null;
    const found = await this.markets.find(average, query, context);
    if (found.data.points.length === 0) return null;
    return { ...found, notices: [this.lines.instead('average', query.locale), ...found.notices] };
  }

  /** The closes of a span; without any, the newest one before it, else the first after it, and a notice. */
  private async points(key: string, query: MarketQuery, context: RequestContext): Promise<Result<Quoted>> {
    const { from, to, ...known } = query;
    // Of one period, all values that it had.
    const isOne = from !== undefined && from === to;
    const found = await this.markets.find(key, { ...query, ...(isOne && { vintages: 'all' }) }, context);
    const wide = wholePeriods(query, FREQUENCIES[found.data.nativeTimeframe]);
    if (wide.from !== from || wide.to !== to) return this.points(key, wide, context);
    if (found.data.points.length > 0 || (from === undefined && to === undefined)) return found;
    const average = await this.average(key, 'M', query, context);
    if (average !== null) return average;
    if (from !== undefined) {
      const near = await this.markets.find(key, { ...known, to: previousPeriod(from), points: 1 }, context);
      const notices = [this.lines.instead('before', query.locale), ...near.notices];
      if (near.data.points.length > 0) return withoutPages({ ...near, notices });
    }
    if (to === undefined) return found;
    const later = await this.markets.find(key, { ...known, from: nextPeriod(to), points: 1 }, context);
    const { first } = later.data.range ?? {};
    if (first === undefined) return found;
    const next = await this.markets.find(key, { ...known, to: first, points: 1 }, context);
    return withoutPages({ ...next, notices: [this.lines.instead('after', query.locale), ...next.notices] });
  }
}

/** A cursor of another span than the requested one would be refused. */
const withoutPages = ({ page: _page, ...rest }: Result<Quoted>): Result<Quoted> => rest;
