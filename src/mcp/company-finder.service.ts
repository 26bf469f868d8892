import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../responses/request-context.js';
import type { Result } from '../responses/result.js';
import { ApiError } from '../errors/api-error.js';
import { normalizeText } from '../search/normalize.js';
import type { Company, CompanyDetail } from '../resources/companies/company.schema.js';
import { CompaniesService } from '../resources/companies/companies.service.js';
import { SearchService } from '../resources/search/search.service.js';

/** The companies that a query may mean. */
export interface Candidates {
  readonly candidates: readonly Company[];
}

const CHANGES = 5;
const CANDIDATES = 10;
/** Subsidiaries listed; a link leads to the rest. */
const RELATIONS = 25;
/** Legal forms that a query may omit after a name. */
const LEGAL_FORM =
  /^(se|sa|ag|nv|spa|plc|inc|ltd|llc|corp|co|gmbh|kgaa|ab|asa|oyj|corporation|company|limited|holding|holdings|group)$/;

/** Finds the company that a query names, or lists the candidates. */
@Injectable()
export class CompanyFinder {
  constructor(
    private readonly companies: CompaniesService,
    private readonly search: SearchService,
  ) {}

  /** @throws ApiError `not_found` with the nearest slugs */
  async bySlug(
    slug: string,
    context: RequestContext,
  ): Promise<Result<CompanyDetail & { relationsOmitted: number }>> {
    const query = { locale: context.locale, limit: CHANGES };
    const result = await this.companies.find(slug, query, context).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      throw await this.unknown('slug', slug.replaceAll('-', ' '), context);
    });
    const { relations, ...company } = result.data;
    const data = {
      ...company,
      relations: relations.slice(0, RELATIONS),
      relationsOmitted: Math.max(0, relations.length - RELATIONS),
    };
    return { ...result, data };
  }

  /** The company of this name, or candidates. @throws ApiError `not_found` with the nearest slugs */
  async byName(query: string, context: RequestContext): Promise<Result<Candidates> | Result<CompanyDetail>> {
    const found = await this.companies.list({ locale: context.locale, q: query, limit: CANDIDATES }, context);
    const [only] = found.data;
    if (only === undefined) throw await this.unknown('query', query, context);
    const meant = found.data.length === 1 ? only : theOneOf(found.data, query);
    return meant === undefined
      ? { ...found, data: { candidates: found.data } }
      : this.bySlug(meant.slug, context);
  }

  private async unknown(parameter: string, words: string, context: RequestContext): Promise<ApiError> {
    const near = await this.search.search(
      { locale: context.locale, q: words, type: 'company', limit: 5 },
      context,
    );
    return new ApiError('not_found', {
      faults: [{ parameter, reason: 'unknown_company', allowed: near.data.map(({ id }) => id) }],
    });
  }
}

/** By ticker or by full name, with or without legal form; undefined if no or several companies match. */
function theOneOf(companies: readonly Company[], query: string): Company | undefined {
  const asked = normalizeText(query);
  const [one, ...others] = companies.filter(
    ({ name, tickers }) =>
      tickers.some((ticker) => normalizeText(ticker) === asked) || isNameOf(normalizeText(name), asked),
  );
  return others.length === 0 ? one : undefined;
}

function isNameOf(name: string, asked: string): boolean {
  if (name === asked) return true;
  if (!name.startsWith(`${asked} `)) return false;
  return name
    .slice(asked.length + 1)
    .split(' ')
    .every((word) => LEGAL_FORM.test(word));
}
