import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { localeArgument, namedCountries } from '../arguments/arguments.schema.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { CompanyFinder, type Candidates } from '../arguments/company-finder.service.js';
import { signalsOf } from '../projections/change-projection.js';
import { ProjectedCompany, projectedCandidates, projectedCompany } from '../projections/company-projection.js';
import { CompanyText } from '../text/company-text.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';

const input = z.strictObject({
  slug: z.string().min(1).max(64).optional().describe('Of a candidate: allianz-se'),
  query: z.string().min(1).max(200).optional().describe('Name, ticker, LEI or CIK: AAPL; instead of slug'),
  country: namedCountries.describe('Only subsidiaries there: JP'),
  locale: localeArgument,
});

export const company = {
  name: 'company',
  title: 'Company',
  description: [
    'Gets the identifiers, parents, direct subsidiaries and newest changes of one active company.',
    'Use it for who a company is and its group; use `latest_changes` for changes that mention a name. It has no prices, financials or filings.',
    'If several match, call again with the slug of a candidate. At most 25 relations are listed: narrow by country.',
    'An unknown company is the error not_found, with the nearest names, if any.',
  ],
  input,
  data: ProjectedCompany,
} satisfies ToolDefinition;

@McpController()
export class CompanyTool {
  constructor(
    private readonly finder: CompanyFinder,
    private readonly resolver: ArgumentResolver,
    private readonly lines: CompanyText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(company)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, CompanyDetail | Candidates>(company, sent, mcp, {
      query: (query, context) => this.find(query, context),
      more: 'company.earlier',
      project: (data) =>
        'candidates' in data
          ? { data: projectedCandidates(data) }
          : { data: projectedCompany(data), meta: signalsOf(data.changes) },
      render: ({ data }, language) =>
        'candidates' in data ? this.lines.candidates(data, language) : this.lines.one(data, language),
    });
  }

  private async find(
    { slug, query, country }: z.output<typeof input>,
    context: RequestContext,
  ): Promise<Result<CompanyDetail | Candidates>> {
    const countries = await this.resolver.countries(country, context);
    await context.faults.check(['slug', 'query'], () => {
      if ((slug === undefined) === (query === undefined))
        throw invalidParameter({ parameter: 'slug', reason: 'one_of_two', args: { other: 'query' } });
    });
    context.faults.refuse();
    return query === undefined
      ? this.finder.bySlug(slug ?? '', context, countries)
      : this.finder.byName(query, context, countries);
  }
}
