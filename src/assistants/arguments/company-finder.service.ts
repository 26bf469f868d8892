import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { isLegalForm } from '../../domain/search/names.js';
import { normalizeText } from '../../domain/search/normalize.js';
import { isCjk } from '../../domain/search/words.js';
import type { Company, CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { CompaniesService } from '../../serve/resources/companies/companies.service.js';
import { isNamed } from '../../serve/resources/search/score.rule.js';
import type { SearchResult } from '../../serve/resources/search/search.schema.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { codeSpan } from '../protocol/quoted-text.js';

/** The companies that a query may mean. */
export interface Candidates {
  readonly candidates: readonly Company[];
}

/** A company with its first relations, and how many of its subsidiaries are in the countries that were asked for. */
export type ListedCompany = CompanyDetail & { readonly relationsOmitted?: number; readonly inCountries?: number };

const CHANGES = 5;
const CANDIDATES = 10;
/** Subsidiaries listed; a link leads to the rest. */
const RELATIONS = 25;
/** Of two that bear the name, the one that outranks the other so far is meant: the head of a group, not its namesake. */
const CLEARLY = 15;

/** Finds the company that a query names, or lists the candidates. */
@Injectable()
export class CompanyFinder {
  constructor(
    private readonly companies: CompaniesService,
    private readonly search: SearchService,
    private readonly texts: Texts,
  ) {}

  /** @throws ApiError `not_found` with the nearest slugs */
  async bySlug(slug: string, context: RequestContext, countries?: readonly string[]): Promise<Result<ListedCompany>> {
    const query = { locale: context.locale, limit: CHANGES };
    const result = await this.companies.find(slug, query, context).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      throw await this.unknown('slug', slug.replaceAll('-', ' '), context);
    });
    const { relations: all, ...company } = result.data;
    const relations = all.filter(
      ({ relation, country }) =>
        countries === undefined || relation !== 'subsidiary' || countries.includes(country ?? ''),
    );
    const data = {
      ...company,
      relations: relations.slice(0, RELATIONS),
      relationsOmitted: Math.max(0, relations.length - RELATIONS),
      ...(countries !== undefined && {
        inCountries: relations.filter(({ relation }) => relation === 'subsidiary').length,
      }),
    };
    return { ...result, data };
  }

  /** The company of this name, or candidates, best first. @throws ApiError `not_found` with the nearest names */
  async byName(
    query: string,
    context: RequestContext,
    countries?: readonly string[],
  ): Promise<Result<Candidates> | Result<ListedCompany>> {
    const { locale } = context;
    const found = await this.companies.list({ locale, q: query, limit: CANDIDATES }, context);
    const [best, other] = found.data;
    if (best === undefined) throw await this.unknown('query', query, context);
    const hits = await this.search.search({ locale, q: query, type: 'company', limit: 2 }, context);
    // A ticker is not misspelt: TWTR is neither HWTR nor QWTR; and Audi is neither AudioCodes nor AudioEye.
    if (
      (TICKER.test(query) || (other !== undefined && ONE_WORD.test(query))) &&
      !hits.data.some(({ score }) => isNamed(score)) &&
      !found.data.some(isCalled(query))
    )
      throw await this.unknown('query', query, context);
    const named = (name: string) => found.data.filter((company) => normalizeText(company.name) === normalizeText(name));
    if (isTickerOf(query, best)) throw await this.unknown('query', query, context);
    const isWhole = hits.data.some(({ id, score }) => id === best.slug && score >= WHOLE);
    const isNearest = !isWhole && isPartOf(query, best);
    const one = async (slug: string) => {
      const company = await this.bySlug(slug, context, countries);
      if (slug !== best.slug || !isNearest) return company;
      const notice = this.texts.say(locale, 'mcp.company.nearest', { query: codeSpan(query) });
      return { ...company, notices: [notice, ...company.notices] };
    };
    if (other === undefined) return one(best.slug);
    const registered = named(query);
    const slug = registered[0]?.slug ?? clearlyBest(hits.data)?.id;
    const meant = found.data.find((company) => company.slug === slug);
    // Two companies of one name are both candidates, because the words do not say which is meant.
    const unclear = meant === undefined || named(meant.name).length > 1 || isShortFor(query, meant, found.data);
    if (!unclear) return one(meant.slug);
    // The next page is of companies, not of one company's changes.
    const { page: _page, ...rest } = found;
    const isNone = registered.length === 0 && hits.data.every(({ score }) => score < WHOLE);
    const none = isNone ? [this.texts.say(locale, 'mcp.company.none', { query: codeSpan(query) })] : [];
    return {
      ...rest,
      notices: [...none, ...rest.notices],
      data: { candidates: registered.length > 1 ? registered : found.data },
    };
  }

  private async unknown(parameter: string, words: string, context: RequestContext): Promise<ApiError> {
    const near = await this.search.search({ locale: context.locale, q: words, type: 'company', limit: 5 }, context);
    return new ApiError('not_found', {
      faults: [
        {
          parameter,
          reason: 'unknown_company',
          allowed: near.data.map(({ id, title }) => `${id} (${codeSpan(title)})`),
        },
      ],
    });
  }
}

const TICKER = /^[A-Z]{2,5}$/;
const ONE_WORD = /^[A-Za-z]+$/;
/** The least score of what the query names whole. */
const WHOLE = 900;

/** Whether a query lacks words of a company's name, or some of a name in other characters: Tencent of Tencent Music Entertainment. */
function isPartOf(query: string, { name, tickers }: Company): boolean {
  const meant = wordsOf(query);
  // JP Morgan is JPMorgan.
  const missing = wordsOf(name).filter((word) => !meant.join('').includes(word));
  const isOther = meant.every((word) => isCjk(word));
  return isOther || (missing.length > 0 && !tickers.includes(query) && !/\d/.test(query));
}

/** Whether a query is a name with a legal form, and the company has it for a ticker alone: BYD Company is not Boyd Gaming. */
function isTickerOf(query: string, { name, tickers }: Company): boolean {
  const meant = wordsOf(query);
  const isName = normalizeText(query).split(' ').length > meant.length;
  return isName && tickers.includes(meant.join('').toUpperCase()) && !wordsOf(name).includes(meant.join(''));
}

/** Without legal forms. */
const wordsOf = (name: string): string[] =>
  normalizeText(name)
    .split(' ')
    .filter((word) => !isLegalForm(word));

const isCalled =
  (ticker: string) =>
  ({ name, tickers }: Company): boolean =>
    tickers.includes(ticker) || normalizeText(name).split(' ').includes(ticker.toLowerCase());

/**
 * Whether the query lacks several words of the best name and begins another listed company's name as well: Delta is
 * Delta Corp. Holdings Ltd by its name, and for most people Delta Air Lines.
 */
function isShortFor(query: string, { slug, name }: Company, found: readonly Company[]): boolean {
  const wanted = normalizeText(query);
  const folded = normalizeText(name);
  if (!folded.startsWith(`${wanted} `) || folded.split(' ').length - wanted.split(' ').length < 2) return false;
  return found.some(
    (one) => one.slug !== slug && one.tickers.length > 0 && normalizeText(one.name).startsWith(`${wanted} `),
  );
}

/** What bears the name; undefined if nothing does, or several that are alike. */
function clearlyBest([best, other]: readonly SearchResult[]): SearchResult | undefined {
  if (best === undefined || !isNamed(best.score)) return undefined;
  const alike = other !== undefined && isNamed(other.score) && best.score - other.score < CLEARLY;
  return alike ? undefined : best;
}
