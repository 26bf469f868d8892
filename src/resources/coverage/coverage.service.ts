import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import { ApiError } from '../../errors/api-error.js';
import type { Locale, Localized } from '../../locale/locale.js';
import type { Change } from '../changes/change.schema.js';
import { dayOf } from '../../figures/periods.js';
import { ChangesService } from '../changes/changes.service.js';
import type { CoverageDomain, CoverageDomainDetail, CoverageQuery } from './coverage.schema.js';

interface DomainRow {
  readonly key: string;
  readonly name: Localized;
  readonly description: Localized;
  readonly days7: number;
  readonly days30: number;
  readonly total: number;
  readonly latestChangeAt: Date | null;
}

const DOMAINS = `
  SELECT key, name, description, changes_7 AS days7, changes_30 AS days30, changes_total AS total,
         latest_change_at AS "latestChangeAt"
  FROM coverage_domains`;

@Injectable()
export class CoverageService {
  constructor(
    private readonly archive: Archive,
    private readonly changes: ChangesService,
    private readonly addresses: Addresses,
  ) {}

  /** All domains, in the catalogue's order. */
  list(call: CallContext): Promise<Result<CoverageDomain[]>> {
    return this.archive.answer('coverage', call, async (read) => {
      const rows = await read<DomainRow>(`${DOMAINS} ORDER BY ordinal`);
      return { data: rows.map((row) => this.show(row, call.locale)) };
    });
  }

  /** One domain with a page of its changes. @throws ApiError `not_found` */
  find(key: string, query: CoverageQuery, call: CallContext): Promise<Result<CoverageDomainDetail>> {
    return this.archive.answer('coverage', call, async (read, cite) => {
      const [row] = await read<DomainRow>(`${DOMAINS} WHERE key = $1`, [key]);
      if (row === undefined) throw new ApiError('not_found');
      const request = { ...query, question: { route: 'coverage', filters: { key } } };
      const { data, page } = await this.changes.page(read, cite, { coverage: key }, request, call);
      return { data: { ...this.show(row, call.locale), changes: data as Change[] }, page };
    });
  }

  private show(row: DomainRow, locale: Locale): CoverageDomain {
    const { key, name, description, days7, days30, total, latestChangeAt } = row;
    return {
      key,
      url: this.addresses.of('coverage', key),
      name: name[locale],
      description: description[locale],
      counts: { days7, days30, total },
      latestChangeAt: latestChangeAt === null ? null : dayOf(latestChangeAt),
    };
  }
}
