import { Injectable } from '@nestjs/common';
import { DEFAULT_LOCALE } from '../../domain/locale/locale.js';
import type { Change } from '../../serve/resources/changes/change.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import type { SearchResult, SearchType } from '../../serve/resources/search/search.schema.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { isNamed } from '../../serve/resources/search/score.rule.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { documentUri, inLocale } from '../protocol/documents.js';

export interface FoundDocument {
  /** Its URI. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Ids of its sources. */
  readonly sources: readonly string[];
}

/** The types that a document has, by its kind. */
const KINDS: Readonly<Partial<Record<SearchType, string>>> = {
  country: 'countries',
  indicator: 'indicators',
  instrument: 'markets',
  company: 'companies',
};
const HITS = 20;
const CHANGES = 8;
const INDICATORS = 3;
/** What is so much less likely than the best of its type was not asked for. */
const ALIKE = 100;
/** A lower score says that a small part of the words is in the name. */
const LEAST: Readonly<Partial<Record<SearchType, number>>> = { instrument: 300, company: 300 };
const MOST = 20;
/** Years of figures in the document of a series. */
const YEARS = 10;

/** Finds documents by words: series of the indicators and countries in them, changes, companies, instruments. */
@Injectable()
export class DocumentFinder {
  constructor(
    private readonly search: SearchService,
    private readonly changes: ChangesService,
    private readonly macro: MacroService,
  ) {}

  async find(q: string, context: RequestContext): Promise<Result<FoundDocument[]>> {
    const { locale } = context;
    const [hits, changes] = await Promise.all([
      this.search.search({ locale, q, limit: HITS }, context),
      this.changes.listValues({ locale, q, order: 'newest', limit: CHANGES }, context),
    ]);
    const likely = likelyOf(hits.data);
    const series = await this.seriesOf(likely, context);
    const found = [
      ...likely.filter(({ score }) => isNamed(score)).flatMap(documentOf),
      ...series.flatMap(({ data }) => data),
      ...changes.data.map(documentOfChange),
      ...likely.flatMap(documentOf),
    ];
    const distinct = [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MOST);
    const data = distinct.map((one) => (locale === DEFAULT_LOCALE ? one : { ...one, id: inLocale(one.id, locale) }));
    const sources = [hits, changes, ...series].flatMap((one) => one.sources);
    return { ...hits, data, sources: [...new Map(sources.map((one) => [one.id, one])).values()] };
  }

  /** The series of the likely indicators in the likely countries; none where the words name no country. */
  private seriesOf(likely: readonly SearchResult[], context: RequestContext): Promise<Result<FoundDocument[]>[]> {
    const region = likely.filter(({ type }) => type === 'country').map(({ id }) => id);
    const indicators = likely.filter(({ type }) => type === 'indicator').slice(0, INDICATORS);
    if (region.length === 0) return Promise.resolve([]);
    const { locale } = context;
    const from = String(Number(context.today.slice(0, 4)) - YEARS);
    return Promise.all(
      indicators.map(async ({ id }) => {
        const query = { locale, region, rank: 'highest', limit: region.length, vintages: 'newest' } as const;
        const found = await this.macro.find(id, query, context);
        const { indicator, series } = found.data;
        const data = series.map((one) => ({
          id: documentUri('indicators', id, { country: one.region.code, from }),
          title: `${one.region.name} · ${indicator.name}`,
          url: linkOf(one),
          sources: [one.source],
        }));
        return { ...found, data };
      }),
    );
  }
}

/** The hits that are as likely as the best of their type. */
function likelyOf(hits: readonly SearchResult[]): SearchResult[] {
  const best = new Map<SearchType, number>();
  for (const { type, score } of hits) best.set(type, Math.max(score, best.get(type) ?? 0));
  return hits.filter(({ type, score }) => score >= (best.get(type) ?? 0) - ALIKE && score >= (LEAST[type] ?? 0));
}

function documentOf({ type, id, title, sources, ...links }: SearchResult): FoundDocument[] {
  const kind = KINDS[type];
  return kind === undefined ? [] : [{ id: documentUri(kind, id), title, url: linkOf(links), sources }];
}

function documentOfChange({ id, headline, sources, ...links }: Change): FoundDocument {
  return { id: documentUri('changes', id), title: headline, url: linkOf(links), sources };
}
