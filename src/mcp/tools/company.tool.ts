import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { invalidParameter } from '../../errors/api-error.js';
import type { CompanyDetail } from '../../resources/companies/company.schema.js';
import { localeArgument } from '../arguments.schema.js';
import { CompanyFinder, type Candidates } from '../company-finder.service.js';
import { CompanyText } from '../text/company-text.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';

const input = z.strictObject({
  slug: z.string().min(1).max(64).optional().describe('As in an earlier result: allianz-se'),
  query: z.string().min(1).max(200).optional().describe('Name or ticker: Allianz, AAPL'),
  locale: localeArgument,
});

export const company = {
  name: 'company',
  title: 'Company',
  description:
    'Gets one active legal entity by slug or by name, exactly one of the two: identifiers, group parent and subsidiaries as registers state them, and its newest changes. Use it for who a company is and who consolidates it; to find changes by words use search_changes. A name of several companies returns candidates with their slugs; an unknown name is not_found with the nearest slugs. No prices, no filings.',
  input,
  data: z.looseObject({
    slug: z.string().optional(),
    url: z.string().optional(),
    name: z.string().optional(),
    lei: z.string().nullable().optional(),
    parent: z.looseObject({}).nullable().optional(),
    relations: z.array(z.looseObject({ relation: z.string() })).optional(),
    candidates: z
      .array(z.looseObject({ slug: z.string(), name: z.string() }))
      .optional()
      .describe('Instead of a company, if several match'),
  }),
} satisfies ToolDefinition;

@McpController()
export class CompanyTool {
  constructor(
    private readonly finder: CompanyFinder,
    private readonly lines: CompanyText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(company)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, CompanyDetail | Candidates>(company, sent, mcp, {
      query: (query, context) => this.find(query, context),
      more: 'company.earlier',
      render: ({ data }, language) =>
        'candidates' in data ? this.lines.candidates(data, language) : this.lines.one(data, language),
    });
  }

  private find(
    { slug, query }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<CompanyDetail | Candidates>> {
    if (slug !== undefined && query === undefined) return this.finder.bySlug(slug, context);
    if (query !== undefined && slug === undefined) return this.finder.byName(query, context);
    throw invalidParameter({ parameter: 'slug', reason: 'one_of_two', args: { other: 'query' } });
  }
}
