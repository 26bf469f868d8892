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
