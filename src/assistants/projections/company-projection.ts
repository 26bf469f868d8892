import { z } from 'zod';
import type { Company, CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import type { Candidates } from '../arguments/company-finder.service.js';
import { cited, projectedChange } from './change-projection.js';
import { present } from './present.js';

const company = {
  slug: z.string(),
  name: z.string(),
  lei: z.string().optional(),
  country: z.string().optional(),
  ...cited,
};

export const ProjectedCompany = z
  .looseObject({
    ...company,
    structureUrl: z.string().describe('The group as a tree'),
    counts: z
      .looseObject({ consolidated: z.number() })
      .describe('consolidated: stored entities that it consolidates, directly or ultimately, without itself'),
    known: z
      .looseObject({ given: z.number(), stated: z.number().optional() })
      .describe(
        'Number of direct subsidiaries in all countries: stored (given), and as the register states (stated)',
      ),
    relations: z.array(
      z.looseObject({
        relation: z.string().describe('parent, ultimate_parent or subsidiary'),
        name: z.string().optional().describe('Absent if the register has none'),
        lei: z.string().optional(),
        slug: z.string().optional(),
        country: z.string().optional(),
        since: z.string().optional().describe('Its first day, as the register states it'),
        source: z.string(),
      }),
    ),
    relationsOmitted: z.number().describe('Relations beyond the 25, of the countries asked for'),
    changes: z.array(
      z.looseObject({ id: z.string(), headline: z.string(), occurredAt: z.string(), ...cited }),
    ),
    candidates: z
      .array(
        z.looseObject({
          ...company,
          parent: z.looseObject({ name: z.string().optional() }).optional(),
          counts: z.looseObject({
            consolidated: z.number().describe('Stored entities that it consolidates, without itself'),
          }),
        }),
      )
      .describe('Instead of a company, if several match'),
  })
  .partial();

/** A company with its relations and newest changes; its parent is among the relations. */
export function projectedCompany(one: CompanyDetail & { readonly relationsOmitted?: number }) {
  const { relations, changes, structureUrl, known, relationsOmitted = 0 } = one;
  return {
    ...projectedIdentity(one),
    structureUrl,
    known: { given: known.given, ...present({ stated: known.stated }) },
    relations: relations.map(({ relation, source, since, country, ...end }) => ({
      relation,
      ...projectedEnd(end),
      ...present({ country, since }),
      source,
    })),
    relationsOmitted,
    changes: changes.map(projectedChange),
  };
}

export function projectedCandidates({ candidates }: Candidates) {
  return {
    candidates: candidates.map((one) => ({
      ...projectedIdentity(one),
      ...(one.parent && { parent: projectedEnd(one.parent) }),
    })),
  };
}

function projectedIdentity({ slug, name, legalName, lei, cik, tickers, country, ...one }: Company) {
  const { counts, sources, records } = one;
  return {
    slug,
    name,
    ...present({ legalName: legalName === name ? null : legalName, lei, cik, tickers, country }),
    counts,
    sources,
    records,
    url: linkOf(one),
  };
}

function projectedEnd({ name, lei, slug, missing }: NonNullable<Company['parent']>) {
  return present({ name, lei, slug, missing });
}
