import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../domain/errors/api-error.js';
import { newestOf } from '../../serve/responses/freshness.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { percentChange } from '../../domain/figures/decimal.js';
import { NOISE } from '../../domain/figures/noise.js';
import { formatPeriod } from '../../domain/locale/format.js';
import { firstDayOf, lastDayOf, nextPeriod, previousPeriod, yearBeforeOf } from '../../domain/figures/periods.js';
import { day, EARLIEST, period } from '../../serve/resources/parameters.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { localeArgument, namedCountries, nameArgument } from '../arguments/arguments.schema.js';
import type { NamedSeries } from '../arguments/series-namer.service.js';
import { changeOfIndex, indexOfChange, indicatorSlugs, isAnnual } from '../arguments/known-names.js';
import { FigureText } from '../text/figure-text.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedSeries, projectedSeries } from '../projections/series-projection.js';
import { withYearOf } from '../arguments/whole-periods.js';
import { ToolRunner } from '../calls/tool-runner.service.js';

/** The largest deficit is the lowest balance. */
const DEFICIT = /deficit|赤字|逆差/iu;

const input = z.strictObject({
  indicator: nameArgument.describe(`Slug or common name: ${indicatorSlugs()}`),
  country: namedCountries.describe('Up to 30, with commas: JP, Germany, G20 (members)'),
  from: period.optional().describe('2015, 2015-Q1 or 2015-01; the same as `to`: one period; neither: newest'),
  to: period.optional().describe('Inclusive; without from: all up to it'),
  asOf: day.optional().describe('As known at the end of: 2024-12-31'),
  rank: z
    .enum(['highest', 'lowest'])
    .optional()
    .describe('Orders all, or those of country; without: highest (of deficits largest)'),
  limit: z.int().min(1).max(60).optional().describe('Of a ranking; default 10 without country'),
  locale: localeArgument,
});

export const figures = {
  name: 'figures',
  title: 'Figures',
  description: [
    'Gets figures of one indicator for countries; without country, ranks those stored.',
    'Use it for values and their history; use `latest_changes` for news, `quotes` for market prices, `series` to calculate (US inflation by month: transform yoy).',
    'All are annual except three of the US: consumer-price-index (monthly), nominal-gdp-annual-rate (quarterly), policy-rate-upper (at each change).',
    'A ranking takes the newest figure of each up to `to` (years differ); it omits aggregates and those over three years behind.',
    'One country and one period returns every value published for it; a missing period, the reason; a span without figures, the nearest.',
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
      query: async (query, context) => withoutRankingOfOne(await this.find(query, context)),
      project: (data) => ({ data: projectedSeries(data) }),
      render: ({ data }, language) => this.lines.series(data, language),
    });
  }

  private async find(sent: z.output<typeof input>, context: RequestContext): Promise<Result<MacroSeries>> {
    const args = withYearOf(sent.indicator, sent);
    // Without a slug the service refuses the request, after its checks.
    const named = (await this.resolver.indicator(args.indicator, context)) ?? { key: '', own: [] };
    const asked = isAnnual(named.key) ? inYears(args) : args;
    const own = await this.ofIndicator(named, asked, context);
    const isWider = (asked.from !== args.from || asked.to !== args.to) && hasYears(own, asked);
    const found = isWider ? { ...own, notices: [this.lines.instead('years', args.locale), ...own.notices] } : own;
    const index = indexOfChange(named.key);
    if (index !== undefined && found.data.ranking === null) return this.withMonth(found, index, args, context);
    const change = changeOfIndex(named.key);
    if (change === undefined || found.data.series.length > 0) return found;
    // An index that is not stored for an economy is asked for what it says: how prices changed.
    const changes = await this.ofIndicator({ ...named, key: change }, args, context);
    if (changes.data.series.length === 0) return found;
    const notice = this.lines.instead('change', args.locale, { slug: named.key });
    return { ...changes, notices: [notice, ...changes.notices] };
  }

  /** Beside changes of years, what the index that they are of says of its newest month, with its sources and their notices. */
  private async withMonth(
    found: Result<MacroSeries>,
    index: string,
    { from, to, asOf, locale }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<MacroSeries>> {
    const asked = [from, to].flatMap((one) => one ?? []);
    const isOfMonths = asked.some((one) => one.length > 4);
    if (asOf !== undefined || (asked.length > 0 && !isOfMonths && hasYears(found, { from, to }))) return found;
    const economy = await this.resolver.onlyEconomy(index, context);
    if (economy === undefined || !found.data.series.some(({ region }) => region.code === economy)) return found;
    const span = { from: yearsBefore(to ?? context.today, 2), to, vintages: 'newest', locale } as const;
    const { data, sources, notices } = await this.macro.find(index, { ...span, region: [economy] }, context);
    const [{ region, observations } = { region: null, observations: [] }] = data.series;
    const last = observations.findLast(
      ({ value, period }) => value !== null && lastDayOf(period ?? '') >= firstDayOf(from ?? EARLIEST),
    );
    const before = observations.find(({ period }) => period === yearBeforeOf(last?.period ?? ''));
    const percent = percentChange(String(before?.value ?? 0), String(last?.value ?? 0));
    // A month of the year that the yearly change is of is no news.
    if (last === undefined || percent === null || region === null) return found;
    if (!isOfMonths && isWithin(last.period, found)) return found;
    const args = { slug: index, region: region.name, percent, period: last.period ?? '' };
    const added = sources.filter(({ id }) => !found.sources.some((one) => one.id === id));
    return {
      ...found,
      sources: [...found.sources, ...added],
      notices: [...new Set([this.lines.month(args, locale), ...found.notices, ...notices])],
    };
  }

  private async ofIndicator(
    { key: slug, own }: NamedSeries,
    { indicator, country, rank, limit, ...query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<MacroSeries>> {
    const others = await this.resolver.countries(country, context, rank !== undefined);
    // Economies that the words name, and those of the argument: none is left out.
    const region = own.length > 0 ? [...new Set([...own, ...(others ?? [])])] : others;
    await context.faults.check(['limit', 'country'], () => {
      if (region === undefined || limit === undefined || rank !== undefined) return;
      throw invalidParameter({ parameter: 'limit', reason: 'not_together', args: { other: 'country' } });
    });
    // A ranking is of the newest figures, up to the end of a span.
    const isRanked = rank !== undefined && query.from === undefined;
    const isSpan = region !== undefined && !isRanked && (query.from ?? query.to) !== undefined;
    const first = DEFICIT.test(indicator) === (rank !== 'lowest') ? 'lowest' : 'highest';
    const newest = { rank: first, limit: region?.length ?? limit ?? 10 } as const;
    const of = { ...(region && { region }), vintages: 'newest', locale: query.locale } as const;
    const isOneFigure = region?.length === 1 && query.from !== undefined && query.from === query.to;
    if (isOneFigure && query.asOf === undefined) {
      const all = await this.macro.find(slug, { ...query, ...of, vintages: 'all' }, context);
      const history = withoutNoise(all);
      const last = history.data.series[0]?.observations.at(-1);
      if (last?.knownUntil === null) return history;
      // The values that a withdrawn figure had, each with the days between which it was known.
      if (last !== undefined)
        return { ...history, notices: [this.lines.instead('withdrawn', query.locale), ...history.notices] };
    }
    const found = await this.macro.find(slug, { ...query, ...of, ...(isSpan ? {} : newest) }, context);
    if (!isSpan || found.data.series.length > 0) return inOrder(found, region, rank && first, limit);
    // The periods beside an empty span tell whether the publisher left it out; the newest before its end tell what held
    // in it, such as a policy rate; else the newest tell how far figures reach.
    const { from, to, ...known } = query;
    const beside = { from: from && previousPeriod(from), to: to && nextPeriod(to) };
    const after = to === undefined ? [] : [{ from: nextPeriod(to) }];
    for (const wider of [beside, { ...newest, to }, ...after, newest]) {
      const all = await this.macro.find(slug, { ...known, ...of, ...wider }, context);
      const near = wider === after[0] ? firstOf(all) : all;
      const begin = from ?? to ?? EARLIEST;
      const missed = lastDayOf(begin) < context.today ? 'outside' : 'ahead';
      const instead = wider === after[0] ? 'begins' : missed;
      const args = { period: formatPeriod(query.locale, begin) };
      const notices = [this.lines.instead(instead, query.locale, args), ...near.notices];
      if (near.data.series.length > 0) return inOrder({ ...near, notices }, region, rank && first, limit);
    }
    return found;
  }
}

/** Years are asked for by any of their quarters, months or days. */
function inYears<Query extends { from?: string | undefined; to?: string | undefined }>(query: Query): Query {
  const [from, to] = [query.from, query.to].map((one) => one?.replace(/^(\d{4})-.*$/, '$1'));
  return { ...query, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Whether a figure is of the years asked for; those beside them have a notice of their own. */
const hasYears = (
  { data }: Result<MacroSeries>,
  { from = '', to = '9' }: { from?: string | undefined; to?: string | undefined },
): boolean =>
  data.series.some(({ observations }) =>
    observations.some(({ period }) => period !== null && period >= from && period <= to),
  );

const isWithin = (month: string | null, { newestPeriod }: Result<MacroSeries>): boolean =>
  month === null || newestPeriod == null || month.slice(0, 4) <= newestPeriod;

const yearsBefore = (day: string, count: number): string => `${Number(day.slice(0, 4)) - count}`;

/** One economy alone is compared with none. */
const withoutRankingOfOne = (found: Result<MacroSeries>): Result<MacroSeries> =>
  found.data.ranking?.countries === 1 ? { ...found, data: { ...found.data, ranking: null } } : found;

/** Of each series the oldest figure. */
function firstOf(found: Result<MacroSeries>): Result<MacroSeries> {
  const series = found.data.series.map((one) => ({ ...one, observations: one.observations.slice(0, 1) }));
  const newest = newestOf(
    new Set(series.flatMap(({ observations }) => observations.flatMap(({ period }) => period ?? []))),
  );
  const of = newest === null ? {} : { newestPeriod: newest };
  const freshness = found.freshness && { ...found.freshness, ...of };
  return { ...found, ...of, ...(freshness && { freshness }), data: { ...found.data, series } };
}

/** Restatements that only another floating-point number makes are none; a value that was withdrawn between stays two. */
function withoutNoise(found: Result<MacroSeries>): Result<MacroSeries> {
  const series = found.data.series.map((one) => ({
    ...one,
    observations: one.observations.reduce<typeof one.observations>((kept, figure) => {
      const before = kept.at(-1);
      const isSame =
        before?.period === figure.period &&
        before.knownUntil === figure.knownSince &&
        before.value !== null &&
        figure.value !== null &&
        Math.abs(figure.value - before.value) <= Math.abs(before.value) * NOISE;
      return isSame ? [...kept.slice(0, -1), { ...figure, knownSince: before.knownSince }] : [...kept, figure];
    }, []),
  }));
  return { ...found, data: { ...found.data, series } };
}

/** Ranked by the newest figure of the span, or in the order in which their countries were requested; without either, as found. */
function inOrder(
  found: Result<MacroSeries>,
  region: readonly string[] | undefined,
  rank: 'highest' | 'lowest' | undefined,
  limit: number | undefined,
): Result<MacroSeries> {
  if (region === undefined) return found;
  const newest = ({ observations }: MacroSeries['series'][number]) =>
    observations.findLast(({ value }) => value !== null)?.value ?? null;
  if (rank !== undefined) {
    const [sign, absent] = rank === 'highest' ? [-1, -Infinity] : [1, Infinity];
    const series = found.data.series.toSorted(
      (one, other) => sign * ((newest(one) ?? absent) - (newest(other) ?? absent)),
    );
    return { ...found, data: { ...found.data, series: series.slice(0, limit) } };
  }
  const placeOf = ({ region: { code } }: MacroSeries['series'][number]) =>
    region.includes(code) ? region.indexOf(code) : region.length;
  const series = found.data.series.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...found, data: { ...found.data, series } };
}
