import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import { Cursors } from '../../answers/cursors.service.js';
import type { Result } from '../../answers/result.js';
import { ApiError } from '../../errors/api-error.js';
import { fold } from '../../folding/fold.js';
import type { Citations } from '../../sources/citations.js';
import type { Change } from '../changes/change.schema.js';
import { ChangesService } from '../changes/changes.service.js';
import { resolveRegion } from '../closed-sets.js';
import {
  companiesStatement,
  ONE_COMPANY,
  RELATIONS,
  type CompanyRow,
  type EndRow,
  type RelationRow,
} from './company-rows.js';
import type { CompaniesQuery, Company, CompanyDetail, CompanyQuery } from './company.schema.js';

@Injectable()
export class CompaniesService {
  constructor(
    private readonly archive: Archive,
    private readonly changes: ChangesService,
    private readonly cursors: Cursors,
    private readonly addresses: Addresses,
  ) {}

  /** By folded name, then slug. */
  list(query: CompaniesQuery, call: CallContext): Promise<Result<Company[]>> {
    const { limit, cursor, locale: _locale, ...filters } = query;
    const question = { route: 'companies', filters };
    return this.archive.answer('companies', call, async (read, cite) => {
      const after = cursor === undefined ? undefined : this.cursors.readText(question, cursor);
      const country = query.country && (await resolveRegion(read, 'country', query.country));
      const words = query.q === undefined ? undefined : wordsOf(query.q);
      // Nothing but marks was asked for: no name holds that.
      if (words?.length === 0) return { data: [], page: { limit, nextCursor: null } };
      const { sql, parameters } = companiesStatement({ country, words, after }, limit);
      const rows = await read<CompanyRow>(sql, parameters);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const nextCursor =
        rows.length > limit && last !== undefined ? this.cursors.write(question, last.slug) : null;
      return { data: shown.map((row) => this.show(row, cite)), page: { limit, nextCursor } };
    });
  }

  /** One company with its direct relations and a page of its changes. @throws ApiError `not_found` */
  find(slug: string, query: CompanyQuery, call: CallContext): Promise<Result<CompanyDetail>> {
    return this.archive.answer('companies', call, async (read, cite) => {
      const [row] = await read<CompanyRow>(ONE_COMPANY, [slug]);
      if (row === undefined) throw new ApiError('not_found');
      const relations = await read<RelationRow>(RELATIONS, [row.entityId]);
      const request = { ...query, question: { route: 'company', filters: { slug } } };
      const { data, page } = await this.changes.page(read, cite, { entity: row.entityId }, request, call);
      return {
        data: {
          ...this.show(row, cite),
          structureUrl: this.addresses.of('entities', row.entityId, 'structure'),
          relations: relations.map((relation) => ({
            relation: relation.relation,
            ...endOf(relation),
            country: relation.country,
            since: relation.since,
            source: cite.source(relation.source),
          })),
          changes: data as Change[],
        },
        page,
      };
    });
  }

  private show(row: CompanyRow, cite: Citations): Company {
    const { slug, name, nameLanguage, lei, cik, country, entityId, tickers, parent, subsidiaries, changes } =
      row;
    const sources = [row.source, row.registrantSource, parent?.source ?? null].filter((id) => id !== null);
    return {
      slug,
      url: this.addresses.of('companies', slug),
      name,
      nameLanguage,
      legalName: lei === null ? null : name,
      lei,
      tickers: [...tickers],
      cik,
      country,
      entityId,
      parent: parent === null ? null : endOf(parent),
      counts: { subsidiaries, changes },
      sources: cite.sources([...new Set(sources)].sort()),
    };
  }
}

function endOf({ entityId, lei, name, slug }: EndRow): NonNullable<Company['parent']> {
  return { entityId, lei, name, slug, missing: name === null ? 'not_in_source' : null };
}

function wordsOf(q: string): string[] {
  return [...new Set(fold(q).split(' '))].filter((word) => word !== '');
}
