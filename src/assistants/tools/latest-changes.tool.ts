import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { CHANGE_KINDS } from '../../serve/resources/changes/change.schema.js';
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
  total,
} from '../arguments/arguments.schema.js';
import { listOf } from '../../serve/resources/parameters.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedChange, signalsOf, signals } from '../projections/change-projection.js';

const input = z.strictObject({
  order: changeOrder,
  limit: limitOf(25, 10),
  cursor,
  coverage,
  topic,
  country: namedCountries,
  kind: listOf(z.enum(CHANGE_KINDS))
    .optional()
    .describe(
      `One or several of ${CHANGE_KINDS.join(', ')}, separated by commas: release,revision; omitted: all`,
    ),
  minImportance: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Least importance, 0 to 100: 60 for what makes headlines; omitted: all'),
  status: z
    .enum(['corrected'])
    .optional()
    .describe('corrected: only changes whose values were corrected here; omitted: all'),
  since,
  until,
  publishedSince: sincePublication,
  locale: localeArgument,
});

export const latestChanges = {
  name: 'latest_changes',
  title: 'Latest changes',
  description: [
    'Lists verified changes in economic and market figures, newest publication here (not occurredAt) or most important first; the text of each names its day.',
    'Kinds: release (first figure of a period), revision (a figure that its publisher restated), move (a market move that is large against the last weeks and the last year of its instrument, not the latest quote), decision (a changed policy rate, of the US only; a hold is no change; those of past years are in `figures`), structure (a group relation that a register newly states, changes or ends, on its day, not that of a deal).',
    'Use it for "what is new", "what mattered most" or "what was revised", by country, domain, topic, kind or day. By words use `search_changes`; for a value or series `figures`; for a price `quotes`; for dates `release_calendar` (no tool confirms a hold).',
    'Each item has headline, figure (if any) with unit, period and previous value, importance, sources and link. Previous is the period before; for a revision, the former value of the same period; for a move, the close before.',
    'A change must match every filter. An exchange rate belongs to the country of its currency and to the euro area (EMU), a group relation to the countries of both companies, WTI, Henry Hub and Treasury yields to the US; Brent and gold have no country, so a filter by country drops them. For the most important, or how many there are, send order importance with since (a stated span) or publishedSince (the last days), in one call. Importance is not the size of a change.',
    'Without a match the list is empty (nothing stored, not nothing published: economic figures are annual, save CPI, nominal GDP and the policy rate of the US; of moves: none up to the newest close, whose day `quotes` gives) and the result names the nearest days with matching changes.',
  ],
  input,
  data: z.array(ProjectedChange),
  meta: { page: nextPage, total, signals },
} satisfies ToolDefinition;

@McpController()
export class LatestChangesTool {
  constructor(
    private readonly changes: ChangesService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: ChangeText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(latestChanges)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(latestChanges, sent, mcp, {
      // Withdrawn changes are listed only for `status=withdrawn`, which this tool does not offer.
      query: async ({ country, coverage, topic, ...query }, context) =>
        this.changes.listValues(
          {
            ...query,
            coverage: await this.resolver.member('coverage', coverage, context),
            topic: await this.resolver.member('topic', topic, context),
            country: await this.resolver.countries(country, context),
          },
          context,
        ),
      project: (data) => ({ data: data.map(projectedChange), meta: signalsOf(data) }),
      render: ({ data, total }, language) => this.lines.page(data, language, total),
    });
  }
}
