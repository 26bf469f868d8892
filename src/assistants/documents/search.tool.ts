import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { languages } from '../../domain/locale/language-names.js';
import { localeArgument } from '../arguments/arguments.schema.js';
import { DocumentFinder, type FoundDocument } from './document-finder.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import type { ProjectedSource } from '../projections/source-projection.js';
import { asJson } from '../protocol/json-content.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';

const input = z.strictObject({
  query: searchText.describe('Names or a question: japan inflation, Apple, EUR/USD, 失业率'),
  locale: localeArgument,
});

const Found = z.looseObject({ id: z.string(), title: z.string(), url: z.string(), source: z.string() });

export const searchDefinition = {
  name: 'search',
  title: 'Search',
  description: [
    `Finds documents by words in ${languages('disjunction')}: series of economic figures (an indicator in a country), verified changes of them, companies, market instruments, and the newest changes of a country; up to 20, most likely first.`,
    'Use it to find ids for fetch, whose text has the figures with their sources. Two to four words work best: an indicator and a country, or a name. Each result has id, title, url and source.',
    'Without a match the list is empty. Figures are those of publishers, never live. One call costs one request of the plan.',
  ],
  input,
  data: z.array(Found),
  output: z.looseObject({ results: z.array(Found) }),
} satisfies ToolDefinition;

@McpController({ server: 'search' })
export class SearchTool {
  constructor(
    private readonly finder: DocumentFinder,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(searchDefinition)
  async run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    const result = await this.runner.run<typeof input, FoundDocument[]>(searchDefinition, sent, mcp, {
      query: ({ query }, context) => this.finder.find(query, context),
      project: (data) => ({ data }),
      render: () => [],
    });
    return asJson(result, ({ data, meta }) => ({
      results: (data as FoundDocument[]).map(({ sources, ...one }) => ({
        ...one,
        source: sources.map((id) => nameOf(id, meta['sources'] as ProjectedSource[])).join('; '),
      })),
    }));
  }
}

function nameOf(id: string, known: readonly ProjectedSource[]): string {
  return known.find((one) => one.id === id)?.attribution ?? id;
}
