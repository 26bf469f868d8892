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
import {
  ProjectedCompany,
  projectedCandidates,
  projectedCompany,
} from '../projections/company-projection.js';
import { CompanyText } from '../text/company-text.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';

const input = z.strictObject({
  slug: z.string().min(1).max(64).optional().describe('Slug from an earlier result: allianz-se'),
  query: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Name as a register has it, with or without legal form (in English unless you know the stored one), former name, brand, ticker (US listings, without suffix), LEI or CIK: Allianz SE, AAPL; a ticker, LEI or full legal name seldom gives candidates; either query or slug',
    ),
  country: namedCountries.describe(
    'Only for direct subsidiaries (none does not mean that the group has none there), does not narrow query: up to 30 countries, separated by commas: Japan, DE; omitted: all',
  ),
  locale: localeArgument,
});

export const company = {
  name: 'company',
  title: 'Company',
  description: [
    'Gets one active legal entity by name, ticker, LEI or CIK (query) or by slug: identifiers (LEI, not whether it was renewed; CIK and ticker of US registrants; no ISIN), country of the legal address, parents, direct subsidiaries and newest changes.',
    'Use it for who a company is and who belongs to its group. For changes that mention a name use `search_changes`. There are no prices, financials or filings.',
    'If several companies match, the result has up to 10 candidates instead, best first, with country, parent and size of group: call again with the slug of one or, if none fits, with more words of its name (Shell Brasil) or its LEI.',
    'Relations are the direct and ultimate parent and the first 25 direct subsidiaries by name. For others narrow by country, or link structureUrl; for an indirect subsidiary look it up and read its parents, then theirs. Changes are the 5 newest of this entity, not of its group; for more use `search_changes` with its name.',
    'Groups follow accounting consolidation, not share ownership. Relations are as last reported to the register, often a year ago; its days (since) are not those of deals, and the day of the report is not given. A missing parent means that the register states none, not that the company is independent.',
    'An unknown or inactive company is the error not_found with the nearest names, which may be other companies; many companies are in no register stored here.',
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
