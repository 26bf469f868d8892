import { Injectable } from '@nestjs/common';
import type { Localized } from '../../../domain/locale/locale.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { sourcesResource, type SourceItem } from './source.schema.js';

type SourceRow = Omit<SourceItem, 'name' | 'publisher'> & { readonly name: Localized; readonly publisher: Localized };

/** Row-level security hides withheld sources and series. */
const SOURCES = `
  SELECT p.id, p.name, p.publisher, p.url, coalesce(array_agg(s.indicator ORDER BY s.indicator) FILTER (WHERE s.indicator IS NOT NULL), '{}') AS indicators,
         coalesce(array_agg(s.instrument ORDER BY s.instrument) FILTER (WHERE s.instrument IS NOT NULL), '{}') AS instruments,
         coalesce(sum(s.series), 0)::integer AS series
  FROM sources p LEFT JOIN (
    SELECT source_id, indicator, instrument, count(*) AS series FROM series GROUP BY 1, 2, 3) s ON s.source_id = p.id
  GROUP BY p.id ORDER BY p.id`;

@Injectable()
export class SourcesService {
  constructor(private readonly reader: ConsistentReader) {}

  /** Every source, also those that only another source cites. */
  list(context: RequestContext): Promise<Result<SourceItem[]>> {
    return this.reader.read(sourcesResource, context, async (read, cite) => ({
      data: (await read<SourceRow>(SOURCES)).map(({ id, name, publisher, ...row }) => ({
        id: cite.source(id),
        name: name[context.locale],
        publisher: publisher[context.locale],
        ...row,
      })),
    }));
  }
}
