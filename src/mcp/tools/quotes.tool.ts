import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../errors/api-error.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import {
  INSTRUMENT_KINDS,
  TIMEFRAMES,
  type InstrumentBars,
  type InstrumentDetail,
} from '../../resources/markets/market.schema.js';
import { MarketsService } from '../../resources/markets/markets.service.js';
import { day, period } from '../../resources/parameters.schema.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { limitOf, localeArgument, nameArgument } from '../arguments.schema.js';
import { FigureText } from '../text/figure-text.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { ToolRunner } from '../tool-runner.service.js';

const input = z.strictObject({
  instrument: nameArgument
    .optional()
    .describe('Key or words: eurusd, Brent, 金价, 10-year Treasury yield; none: give kind'),
  kind: z.enum(INSTRUMENT_KINDS).optional().describe('All instruments of a kind; none: give instrument'),
  from: period.optional().describe('First day or period: 2026-01-01, 2026-Q1; none: limit decides'),
  to: period.optional().describe('Last day or period, inclusive; none: the newest'),
  asOf: day.optional().describe('As known at the end of this day; none: today'),
  timeframe: z
    .enum(TIMEFRAMES)
    .optional()
    .describe('D1 days, W1 weeks, MN months; none: as printed by the source'),
  limit: limitOf(260, 5).describe('Newest figures of the span, per instrument'),
  locale: localeArgument,
});

export const quotes = {
  name: 'quotes',
  title: 'Quotes',
  description:
    'Gets the newest official close of an exchange rate, commodity or yield with its day and age, and earlier closes over a span, newest span first, by day, week or month. Use it for "what is the price" and "how has it moved"; for unusual moves use latest_changes with kind move; for economic figures use figures. Official publishers print the closes, which are days or weeks old and never live; exchange rates are against the euro, without cross rates. Words that name no instrument are an error that lists the most likely ones.',
  input,
  data: z.union([z.looseObject({ key: z.string() }), z.array(z.looseObject({ key: z.string() }))]),
} satisfies ToolDefinition;

type Quoted = InstrumentDetail | InstrumentBars[];

@McpController()
export class QuotesTool {
  constructor(
    private readonly markets: MarketsService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: FigureText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(quotes)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, Quoted>(quotes, sent, mcp, {
      query: (query, context) => this.find(query, context),
      more: 'figures.earlier',
      render: ({ data }, language, { today }) =>
        Array.isArray(data)
          ? this.lines.bars(data, today, language)
          : this.lines.points(data, today, language),
    });
  }

  private async find(
    { instrument, kind, timeframe, limit, ...query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<Quoted>> {
    if ((instrument === undefined) === (kind === undefined))
      throw invalidParameter({ parameter: 'instrument', reason: 'one_of_two', args: { other: 'kind' } });
    const bars = { ...query, tf: timeframe ?? 'D1', bars: limit };
    if (kind !== undefined) return this.markets.listBars(kind, bars, context);
    const key = await this.resolver.instrument(instrument ?? '', context);
    const found = await this.markets.find(key, { ...query, points: limit }, context);
    if (timeframe === undefined) return found;
    return this.markets.listBars(found.data.kind, { ...bars, instrument: key }, context);
  }
}
