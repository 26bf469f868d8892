import { Injectable } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';
import { TARGET_TYPES, type TargetKey, type TargetType } from '../../serve/following/targets.js';
import { CoverageService } from '../../serve/resources/coverage/coverage.service.js';
import { IndicatorSlug } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { TopicsService } from '../../serve/resources/topics/topics.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';

const MOST_FOUND = 20;

export interface FoundTarget extends TargetKey {
  readonly name: string;
  readonly about: string;
}

/** The regions of an indicator: one of them makes a series. */
export interface IndicatorRegions {
  readonly indicator: string;
  readonly name: string;
  readonly regions: readonly { readonly code: string; readonly name: string }[];
}

export interface TargetChoice {
  readonly q: string;
  readonly found: readonly FoundTarget[];
  readonly series: IndicatorRegions | null;
}

/** Finds targets by the service's own search, and topics and domains, which the search does not contain, by name. */
@Injectable()
export class TargetSearch {
  constructor(
    private readonly search: SearchService,
    private readonly topics: TopicsService,
    private readonly coverage: CoverageService,
    private readonly macro: MacroService,
  ) {}

  /** Without words: all topics and domains. */
  async find(words: string, indicator: string, context: RequestContext): Promise<TargetChoice> {
    const q = searchText.safeParse(words).data ?? '';
    const series = indicator === '' ? null : await this.regionsOf(indicator, context);
    if (series !== null) return { q, found: [], series };
    const subjects = await this.subjects(q, context);
    const hits = q === '' ? [] : await this.hits(q, context);
    return { q, found: [...hits, ...subjects], series };
  }

  private async hits(q: string, context: RequestContext): Promise<FoundTarget[]> {
    const query = { q, limit: MOST_FOUND, locale: context.locale };
    const { data } = await this.search.search(query, context);
    return data.flatMap(({ type, id, title, snippet }) =>
      isTargetType(type) ? [{ type, key: id, name: title, about: snippet }] : [],
    );
  }

  private async subjects(q: string, context: RequestContext): Promise<FoundTarget[]> {
    const { locale } = context;
    const [topics, domains] = await Promise.all([
      this.topics.list({ locale }, context),
      this.coverage.list({ locale }, context),
    ]);
    const all: FoundTarget[] = [
      ...topics.data.map(({ slug, name, description }) => {
        return { type: 'topic' as const, key: slug, name, about: description };
      }),
      ...domains.data.map(({ key, name, description }) => {
        return { type: 'coverage' as const, key, name, about: description };
      }),
    ];
    const wanted = q.toLowerCase();
    return all.filter(({ key, name }) => `${key} ${name}`.toLowerCase().includes(wanted));
  }

  private async regionsOf(indicator: string, context: RequestContext): Promise<IndicatorRegions | null> {
    const slug = IndicatorSlug.safeParse(indicator).data;
    if (slug === undefined) return null;
    const query = { locale: context.locale, vintages: 'newest' } as const;
    const result = await this.macro.find(slug, query, context).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    });
    if (result === null) return null;
    const { name } = result.data.indicator;
    const regions = result.data.series.map(({ region }) => region);
    return {
      indicator: slug,
      name,
      regions: regions.sort((one, other) => one.name.localeCompare(other.name, context.locale)),
    };
  }
}

export const isTargetType = (type: string): type is TargetType => (TARGET_TYPES as readonly string[]).includes(type);
