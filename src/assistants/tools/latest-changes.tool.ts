import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { daysSince } from '../../domain/figures/periods.js';
import { CHANGE_KINDS, type Change } from '../../serve/resources/changes/change.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import {
  namedCountries,
  coverage,
  changeOrder,
  cursor,
  limitOf,
  localeArgument,
  since,
  topic,
  until,
  sincePublication,
  nextPage,
} from '../arguments/arguments.schema.js';
import { listOf, searchText } from '../../serve/resources/parameters.schema.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { MOST_SERIES } from '../../serve/resources/series/series.schema.js';
import { SeriesService } from '../../serve/resources/series/series.service.js';
import { FigureText } from '../text/figure-text.service.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedChanges, signalsOf } from '../projections/change-projection.js';

const KINDS =
  'release (first figure of a period), revision (restated by over 0.1 %; `figures` has smaller ones), ' +
  'move (unusual for its instrument), decision (policy rate), structure (group relation)';

const input = z.strictObject({
  query: searchText.optional().describe('All words must match: US inflation; 德国 通胀'),
  order: changeOrder,
  limit: limitOf(25, 10),
  cursor,
  coverage,
  topic,
  country: namedCountries.describe('Code or name: JP, Germany, EMU; WLD for Brent and gold'),
  kind: listOf(z.enum(CHANGE_KINDS)).optional().describe(KINDS),
  minImportance: z.number().int().min(0).max(100).optional().describe('60 keeps headline changes'),
  status: z.enum(['corrected']).optional().describe('Only corrected'),
  since,
  until,
  publishedSince: sincePublication,
  locale: localeArgument,
});

/** Who is shown a younger change is not misled by the age of its series. */
const RECENT_DAYS = 45;

export const latestChanges = {
  name: 'latest_changes',
  title: 'Latest changes',
  description: [
    'Lists verified changes in economic and market figures and corporate groups, newest publication first, or by importance and recency.',
    'Use it for what changed or mattered most; use `figures` for values of a period, `quotes` for prices (a move is not the latest quote).',
    'A change must match every filter. If no change has every word of query, those of the series that it names are listed with a notice.',
    'If since or until leaves none, the nearest matching days are named.',
  ],
  input,
  data: z.array(ProjectedChange),
  meta: { page: nextPage.optional() },
} satisfies ToolDefinition;

@McpController()
export class LatestChangesTool {
  constructor(
    private readonly changes: ChangesService,
    private readonly series: SeriesService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: ChangeText,
    private readonly figures: FigureText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(latestChanges)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(latestChanges, sent, mcp, {
      // Withdrawn changes are listed only for `status=withdrawn`, which this tool does not offer.
      query: async ({ query: q, country, coverage, topic, ...query }, context) => {
        const filter = {
          ...query,
          q,
          coverage: await this.resolver.member('coverage', coverage, context),
          topic: await this.resolver.member('topic', topic, context),
          country: await this.resolver.countries(country, context),
        };
        const found = await this.changes.listValues(filter, context);
        if (query.until !== undefined || query.cursor !== undefined) return found;
        // Of days after the newest change, that change tells how far the figures reach.
        const { before = null } = found.nearest ?? {};
        const last = { ...filter, since: undefined, until: before ?? undefined, limit: 1 };
        const { data } = before === null ? found : await this.changes.listValues(last, context);
        return { ...found, notices: [...(await this.overdue(data, context)), ...found.notices] };
      },
      project: (data) => ({ data: projectedChanges(data), meta: signalsOf(data) }),
      render: ({ data, total }, language) => this.lines.page(data, language, total),
    });
  }

  /** Of older changes of few series: a notice that newer figures of all of them were due. */
  private async overdue(changes: readonly Change[], context: RequestContext): Promise<string[]> {
    const { locale } = context;
    const keys = [...new Set(changes.map(({ subject }) => subject.key))];
    const isOfSeries = changes.every(({ subject }) => subject.type !== 'entity');
    if (keys.length === 0 || keys.length > MOST_SERIES || !isOfSeries) return [];
    const days = changes.map(({ occurredAt }) => occurredAt.slice(0, 10)).sort();
    if (daysSince(days.at(-1) ?? '', context.today) < RECENT_DAYS) return [];
    const year = days[0]?.slice(0, 4);
    const { data, freshness } = await this.series.find({ series: keys, points: 1, from: year, locale }, context);
    const due = data
      .flatMap(({ stale, expectedBy }) => (stale && expectedBy !== null ? [expectedBy] : []))
      .sort()
      .at(-1);
    return freshness?.stale === true && due !== undefined ? [this.figures.due(due, locale)] : [];
  }
}
