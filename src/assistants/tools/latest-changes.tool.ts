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
} from '../arguments/arguments.schema.js';
import { listOf, searchText } from '../../serve/resources/parameters.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedChanges, signalsOf } from '../projections/change-projection.js';

const input = z.strictObject({
  query: searchText
    .optional()
    .describe('All words must match: unemployment; 德国 通胀; US inflation of 2023')
    .meta({ examples: [] }),
  order: changeOrder,
  limit: limitOf(25, 10),
  cursor,
  coverage,
  topic,
  country: namedCountries,
  kind: listOf(z.enum(CHANGE_KINDS)).optional().describe(CHANGE_KINDS.join(', ')),
  minImportance: z.number().int().min(0).max(100).optional().describe('60 for what makes headlines'),
  status: z.enum(['corrected']).optional().describe('Only those corrected here'),
  since,
  until,
  publishedSince: sincePublication,
  locale: localeArgument,
});

export const latestChanges = {
  name: 'latest_changes',
  title: 'Latest changes',
  description: [
    'Lists verified changes of economic and market figures, newest publication first or most important first, of which recent ones weigh more.',
    'Use it for what is new, mattered most or changed about something; for a value `figures`, for a price `quotes` (a move is not the latest quote).',
    'Kinds: release (first figure of a period), revision (restated by more than 0.1 %; smaller ones: `figures` of the period), move (unusual for its instrument), decision (policy rate), structure (group relation).',
    'A change must match every filter. Brent and gold are of World (WLD), of no country. Misspellings are corrected; if nothing has all words of query, changes of the indicators or instruments named are listed with a notice.',
    'Without a match since or until, the nearest days with matches are named.',
  ],
  input,
  data: z.array(ProjectedChange),
  meta: { page: nextPage.optional() },
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
      query: async ({ query: q, country, coverage, topic, ...query }, context) =>
        this.changes.listValues(
          {
            ...query,
            q,
            coverage: await this.resolver.member('coverage', coverage, context),
            topic: await this.resolver.member('topic', topic, context),
            country: await this.resolver.countries(country, context),
          },
          context,
        ),
      project: (data) => ({ data: projectedChanges(data), meta: signalsOf(data) }),
      render: ({ data, total }, language) => this.lines.page(data, language, total),
    });
  }
}
