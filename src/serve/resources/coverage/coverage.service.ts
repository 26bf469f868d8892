import { Injectable } from '@nestjs/common';
import type { Locale } from '../../../domain/locale/locale.js';
import { COUNTED, CountedSubjects, type SubjectRow, type CountedSet } from './counted-subjects.service.js';
import type { CoverageDomainEntity } from './coverage.entity.js';
import { coverageResource, type CoverageDomain } from './coverage.schema.js';

type DomainRow = SubjectRow & Pick<CoverageDomainEntity, 'key'>;

@Injectable()
export class CoverageService extends CountedSubjects<DomainRow, CoverageDomain> {
  protected readonly set: CountedSet = {
    resource: coverageResource,
    filter: 'coverage',
    id: 'key',
    reason: 'no_coverage',
    select: `SELECT s.key, ${COUNTED} FROM coverage_domains s`,
  };

  protected show(row: DomainRow, locale: Locale): CoverageDomain {
    return { key: row.key, ...this.described(row, row.key, locale), ...this.counted(row) };
  }
}
