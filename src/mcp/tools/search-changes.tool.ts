import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Result } from '../../responses/result.js';
import type { Change } from '../../resources/changes/change.schema.js';
import { ChangesService } from '../../resources/changes/changes.service.js';
import { searchText } from '../../resources/parameters.schema.js';
import { cursor, namedCountries, limitOf, localeArgument, since } from '../arguments.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { ChangeItem } from '../tool-outputs.schema.js';

const input = z.strictObject({
  query: searchText
    .describe('Words in any of the languages; a change must match all: unemployment, 物价, 消費者物価')
    .meta({ examples: [] }),
  limit: limitOf(25, 10),
  cursor,
  country: namedCountries,
  since,
  locale: localeArgument,
});

export const searchChanges = {
  name: 'search_changes',
  title: 'Search changes',
  description:
    'Finds verified changes whose headline or subject contains all words of a query, newest publication first, up to 25 per call. Use it for an indicator, instrument or name in words; without words, or by topic or kind, use latest_changes. Two or three words work best. A move is not the latest quote: for that use quotes. If the list is empty, try fewer or other words.',
  input,
  data: z.array(ChangeItem),
} satisfies ToolDefinition;

@McpController()
export class SearchChangesTool {
  constructor(
    private readonly changes: ChangesService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: ChangeText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(searchChanges)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(searchChanges, sent, mcp, {
      query: async ({ query: q, country, ...filters }, context) =>
        (await this.changes.list(
          { q, ...filters, country: await this.resolver.countries(country, context) },
          context,
        )) as Result<Change[]>,
      render: ({ data }, language) => this.lines.page(data, language),
    });
  }
}
