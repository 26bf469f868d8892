import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Result } from '../../responses/result.js';
import { CHANGE_KINDS, type Change } from '../../resources/changes/change.schema.js';
import { ChangesService } from '../../resources/changes/changes.service.js';
import {
  namedCountries,
  coverage,
  cursor,
  limitOf,
  localeArgument,
  since,
  topic,
  until,
} from '../arguments.schema.js';
import { listOf } from '../../resources/parameters.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { ChangeItem } from '../tool-outputs.schema.js';

const input = z.strictObject({
  limit: limitOf(25, 10),
  cursor,
  coverage,
  topic,
  country: namedCountries,
  kind: listOf(z.enum(CHANGE_KINDS))
    .optional()
    .describe(`${CHANGE_KINDS.join(', ')}, separated by commas; none: all`),
  since,
  until,
  locale: localeArgument,
});

export const latestChanges = {
  name: 'latest_changes',
  title: 'Latest changes',
  description:
    'Lists verified changes in economic and market figures, newest publication first, up to 25 per call. Use it for "what changed" by country, topic, kind or days; to find words use search_changes. Each item is complete except for corrections, so get_change is seldom needed. Changes begin with the first stored vintage. A move is the last unusual one, not the latest quote: for that use quotes. The list is empty without a match; an unknown coverage, topic or country is an error that names the nearest.',
  input,
  data: z.array(ChangeItem),
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
      query: async ({ country, ...query }, context) =>
        (await this.changes.list(
          { ...query, country: await this.resolver.countries(country, context) },
          context,
        )) as Result<Change[]>,
      render: ({ data }, language) => this.lines.page(data, language),
    });
  }
}
