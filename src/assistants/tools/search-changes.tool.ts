import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import {
  changeOrder,
  cursor,
  namedCountries,
  limitOf,
  localeArgument,
  since,
  until,
  sincePublication,
  nextPage,
  total,
} from '../arguments/arguments.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedChange, signalsOf } from '../projections/change-projection.js';

const input = z.strictObject({
  query: searchText
    .describe(
      'Words or a sentence, without months, quarters, directions (up, down) and words such as latest (use since and until for days), and without the country if country is given: unemployment, 德国 通胀, US inflation of 2023; of a company only its registered name, with or without legal form, one at a time (none covers a group)',
    )
    .meta({ examples: [] }),
  order: changeOrder,
  limit: limitOf(25, 10),
  cursor,
  country: namedCountries,
  since,
  until,
  publishedSince: sincePublication,
  locale: localeArgument,
});

export const searchChanges = {
  name: 'search_changes',
  title: 'Search changes',
  description: [
    'Finds verified changes by words or a sentence about an indicator, instrument, company or place, in English, Chinese or Japanese, newest publication here or most important first.',
    'Use it for "did anything change about …"; for the last days send publishedSince, for a past span since and until. By topic, kind or importance use `latest_changes` (here the word revised, 修订 or 改定 asks for revisions; publishers are not searched); for a current value `figures`; for a price `quotes` (a move is not the latest quote); for who a company is `company`.',
    'Economies, indicators, instruments and years (of the period) that the query names must match (of several of a kind, any), and so must its other words. If no change has all of those, the changes of the named subjects are listed and a notice says so.',
    'Items have all members of those of `latest_changes`, also those that the schema leaves out.',
    'An empty list means that nothing matches these words and filters, not that nothing changed (of moves: none to the newest close): send fewer words, for a brand the legal name from `company`, or use `latest_changes` with a topic. A filter by country drops Brent and gold, which have none.',
  ],
  input,
  // Items are those of `latest_changes`, whose schema describes the rest.
  data: z.array(ProjectedChange.omit({ evidenceClass: true, updatedAt: true, signals: true })),
  meta: { page: nextPage, total },
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
        this.changes.listValues(
          { q, ...filters, country: await this.resolver.countries(country, context) },
          context,
        ),
      project: (data) => ({ data: data.map(projectedChange), meta: signalsOf(data) }),
      render: ({ data, total }, language) => this.lines.page(data, language, total),
    });
  }
}
