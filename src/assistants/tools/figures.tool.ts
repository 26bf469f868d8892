import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { nextPeriod, previousPeriod } from '../../domain/figures/periods.js';
import { day, period } from '../../serve/resources/parameters.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { localeArgument, namedCountries, nameArgument } from '../arguments/arguments.schema.js';
import { indicatorSlugs } from '../arguments/known-names.js';
import { FigureText } from '../text/figure-text.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedSeries, projectedSeries } from '../projections/series-projection.js';
import { ToolRunner } from '../calls/tool-runner.service.js';

const input = z.strictObject({
  indicator: nameArgument.describe(
    `One of these and no others (no core inflation, payrolls or PCE), or its name in any words (失业率, jobless rate; check in data.indicator which was meant): ${indicatorSlugs()}; contractual-earnings: men in Japan by age, no average; fiscal balance, revenue and tax are of the central government; amounts are in US dollars of the year, save -to-gdp, -ppp, exchange rates and earnings`,
  ),
  country: namedCountries.describe(
    'Up to 30 countries or aggregates by name or code, separated by commas: JP, Germany, EMU (the euro area, not the EU), European Union, World, OECD; omitted: a ranking of countries',
  ),
  from: period
    .optional()
    .describe(
      'First period: 2015, 2015-Q1, 2015-01 or a day; to rank one period, the same as to; omitted: the oldest if to is given, else the two newest',
    ),
  to: period.optional().describe('Last period, inclusive: 2020; omitted: the newest'),
  asOf: day
    .optional()
    .describe(
      'As known at the end of this day: 2026-04-30; before the first stored vintage nothing but a notice of its day; omitted: today; for the value of a period use from and to',
    ),
  rank: z
    .enum(['highest', 'lowest'])
    .default('highest')
    .describe('Which end of a ranking comes first; without effect if country is given'),
  limit: z
    .int()
    .min(1)
    .max(60)
    .optional()
    .describe('Most countries in a ranking; omitted: 10; an error with country'),
  locale: localeArgument,
});

export const figures = {
  name: 'figures',
  title: 'Figures',
  description: [
    'Gets published figures of one economic indicator, each with value, unit, period, source and link.',
    'With country: the two newest figures of each country, or the series from `from` to `to`. Without country: a ranking of countries by their newest figure in that span; for a ranking within a group (EU, G20) send its members as country and order them yourself (over 30: several calls).',
    'Use it for "how high is", "how has it developed" or "which country has the most", also for lending rates, annual exchange rates and the US policy rate (no others are here). For what was newly published or revised use `latest_changes`; for daily exchange rates, US Treasury yields and commodity prices `quotes`.',
    'Figures are annual, without newer monthly ones in any tool, except three of the US: consumer-price-index (monthly, not seasonally adjusted), nominal-gdp-annual-rate (quarterly, a level; real growth by quarter is not here) and policy-rate-upper (one figure for each change, none for a hold).',
    'For current US inflation alone use consumer-price-index, not cpi-inflation (to compare countries, cpi-inflation for all): send country US and from 24 months back, compare the newest month with the same one a year before, and say that you calculated it. For the US policy rate (upper limit only) send country US, from and to (for one day twice the same): the oldest figure held when the span began; a newer change may not be stored, so say its day.',
    'A ranking is of levels, never of changes over the span, and has at most 60 countries from one end (no rank beyond), no aggregates and no country whose newest figure is over three years older than the newest of all. Its periods can differ: name each.',
    'A missing period has a reason. A span without figures gives the nearest ones; a notice names countries without any.',
  ],
  input,
  data: ProjectedSeries,
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
      project: (data) => ({ data: projectedSeries(data) }),
      render: ({ data }, language) => this.lines.series(data, language),
    });
  }

  private async find(
    { indicator, country, rank, limit, ...query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<MacroSeries>> {
    // Without a slug the service refuses the request, after its checks.
    const slug = (await this.resolver.indicator(indicator, context)) ?? '';
    const region = await this.resolver.countries(country, context);
    await context.faults.check(['limit', 'country'], () => {
      if (country === undefined || limit === undefined) return;
      throw invalidParameter({ parameter: 'limit', reason: 'not_together', args: { other: 'country' } });
    });
    const isSpan = region !== undefined && (query.from !== undefined || query.to !== undefined);
    const newest = { rank, limit: region?.length ?? limit ?? 10 };
    const of = { ...(region && { region }), vintages: 'newest', locale: query.locale } as const;
    const found = await this.macro.find(slug, { ...query, ...of, ...(isSpan ? {} : newest) }, context);
    if (!isSpan || found.data.series.length > 0) return found;
    // The periods beside an empty span tell whether the publisher left it out; the newest before its end tell what held
    // in it, such as a policy rate; else the newest tell how far figures reach.
    const { from, to, ...known } = query;
    const beside = { from: from && previousPeriod(from), to: to && nextPeriod(to) };
    for (const wider of [beside, { ...newest, to }, newest]) {
      const near = await this.macro.find(slug, { ...known, ...of, ...wider }, context);
      const notices = [this.lines.outside(query.locale), ...near.notices];
      if (near.data.series.length > 0) return { ...near, notices };
    }
    return found;
  }
}
