import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { Change } from '../changes/change.schema.js';
import { changesSince, locale, paging, publishedSince, slug } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const coverageResource = {
  path: 'coverage',
  tag: 'Coverage',
  about: 'Domains of changes',
  family: 'coverage',
} satisfies Resource;

const changeCounts = z
  .object({
    days7: z.int().describe('In the 7 days up to the newest data day'),
    days30: z.int().describe('In the 30 days up to the newest data day'),
    total: z.int(),
  })
  .meta({ id: 'ChangeCounts', description: 'Number of changes that are not withdrawn, by `occurredAt`' });

// Members of every counted subject.
export const described = { url: z.url(), name: z.string(), description: z.string() };
export const counted = {
  counts: changeCounts,
  latestChangeAt: z.string().nullable().describe('Day of the latest change by `occurredAt`; null without changes'),
};

export const pageOfChanges = { changes: z.array(Change).describe('A page of its changes, newest publication first') };

const members = { key: z.string(), ...described, ...counted };
export const CoverageDomain = z.object(members).meta({ id: 'CoverageDomain' });
export type CoverageDomain = z.infer<typeof CoverageDomain>;

export const CoverageDomainDetail = z.object({ ...members, ...pageOfChanges }).meta({ id: 'CoverageDomainDetail' });
export type CoverageDomainDetail = z.infer<typeof CoverageDomainDetail>;

/** Coverage domains and topics move with their counts. */
export const CountedQuery = z.strictObject({
  locale,
  publishedSince: publishedSince.describe('Only those whose counts changed at or after this day or instant'),
});
export type CountedQuery = z.infer<typeof CountedQuery>;

export const CoverageQuery = z.strictObject({ locale, ...paging, publishedSince: changesSince });
export type CoverageQuery = z.infer<typeof CoverageQuery>;
export const CoverageKey = slug
  .meta({ description: 'Key of a coverage domain', examples: ['prices'] })
  .register(NAMED, { reason: 'no_coverage' });
