import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import {
  INSTRUMENT_KINDS,
  TIMEFRAMES,
  type InstrumentBars,
  type InstrumentDetail,
} from '../../serve/resources/markets/market.schema.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import { day, period } from '../../serve/resources/parameters.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { localeArgument, nameArgument } from '../arguments/arguments.schema.js';
import { ProjectedQuote, projectedBars, projectedQuote } from '../projections/quote-projection.js';
import { FigureText } from '../text/figure-text.service.js';
import { hasInstrumentOf } from '../arguments/known-names.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';

const MOST_CLOSES = 260;
const USUAL_CLOSES = 5;

const input = z.strictObject({
  instrument: nameArgument
    .optional()
    .describe(
      'One instrument by key or words: eurusd, US dollar, brent, wti, henry-hub, gold (monthly averages; no other commodities), 金价, us-par-yield-10y (1m to 30y), us-treasury-10y-monthly-average (a mean, only if the daily yields are stale); either instrument or kind',
    ),
  kind: z
    .enum(INSTRUMENT_KINDS.filter(hasInstrumentOf))
    .optional()
    .describe(
      'All instruments of a kind: fx (the 30 or so currencies with an ECB reference rate, against the euro; others only yearly, in figures), commodity (energy, gold) or rate (US Treasury yields); for their moves since a day send to = that day and limit 1 without from, and compare with quote.last',
    ),
  from: period
    .optional()
    .describe(
      'First day or period: 2026-01-01, 2026-Q1; for a move since a day, start some days before it; omitted: limit decides',
    ),
  to: period.optional().describe('Last day or period, inclusive: 2026-06-30; omitted: the newest'),
  asOf: day
    .optional()
    .describe(
      'As known at the end of this day: 2026-06-30, none before the first stored vintage; for the close of a day use from and to; omitted: today',
    ),
  timeframe: z
    .enum(TIMEFRAMES)
    .optional()
    .describe('Last close of each day (D1), week (W1) or month (MN); omitted: the frequency of the source'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MOST_CLOSES)
    .optional()
    .describe(
      `Closes of each instrument, at most: the newest of the span; 1 is enough for a price; omitted: ${MOST_CLOSES} with from, else ${USUAL_CLOSES}`,
    ),
  locale: localeArgument,
});

export const quotes = {
  name: 'quotes',
  title: 'Quotes',
  description: [
    'Gets the newest official close, with its day, of an exchange rate against the euro, a commodity price or a US Treasury yield, and earlier closes over a span by day, week or month.',
    'Use it for "what is the price" and "how has it moved". For unusual moves use `latest_changes` with kind move; for economic indicators and annual average exchange rates per US dollar `figures`; for the main ones at once, as of the day of its brief, `latest_brief`.',
    'Publishers issue closes days or weeks late, never live: name the day of each close that you state. A close is the official value of its publisher: a spot price of oil and gas, a reference rate, a par yield, a monthly average of gold. No futures, shares, opens, highs or lows of a day.',
    'Exchange rates are units of a currency per euro, without cross rates: for USD/JPY send kind fx with limit 1, divide JPY by USD of the same day, and say that you calculated it; for its course by month kind fx with from and timeframe MN; by day without timeframe.',
    'More than 260 closes are cut to the newest: set timeframe W1 or MN; for the highest, lowest and mean close of a span, also of those cut, send instrument, from and limit 1 without timeframe: range has them. A span without closes gives the nearest.',
  ],
  input,
  data: z.union([
    ProjectedQuote,
    z
      .array(z.looseObject({ key: z.string(), name: z.string() }))
      .describe('For kind: each with the members above'),
  ]),
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
      project: (data) => ({ data: Array.isArray(data) ? data.map(projectedBars) : projectedQuote(data) }),
      render: ({ data }, language, { today }) =>
        Array.isArray(data)
          ? this.lines.bars(data, today, language)
          : this.lines.points(data, today, language),
    });
  }

  private async find(
    { instrument, kind, timeframe, limit: most, ...query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<Quoted>> {
    await context.faults.check(['instrument', 'kind'], () => {
      if ((instrument === undefined) === (kind === undefined))
        throw invalidParameter({ parameter: 'instrument', reason: 'one_of_two', args: { other: 'kind' } });
    });
    // A span that is asked for starts at its start.
    const limit = most ?? (query.from === undefined ? USUAL_CLOSES : MOST_CLOSES);
    const bars = { ...query, tf: timeframe ?? 'D1', bars: limit };
    if (kind !== undefined) return this.markets.listBars(kind, bars, context);
    // Without a key the service refuses the request, after its checks.
    const key = (instrument && (await this.resolver.instrument(instrument, context))) ?? '';
    const found = await this.markets.find(key, { ...query, points: limit }, context);
    if (timeframe === undefined) return found;
    return this.markets.listBars(found.data.kind, { ...bars, instrument: key }, context);
  }
}
