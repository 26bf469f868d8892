import { z } from 'zod';
import type { Company } from '../../serve/resources/companies/company.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import type { Candidates, ListedCompany } from '../arguments/company-finder.service.js';
import { cited, projectedChanges } from './change-projection.js';
import { present } from './present.js';

/** A company, or candidates. */
export const ProjectedCompany = z
  .looseObject({
    slug: z.string(),
    name: z.string(),
    lei: z.string(),
    cik: z.number(),
    ...cited,
    relations: z.array(
      z.looseObject({
        relation: z.string(),
        name: z.string().optional(),
        country: z.string().optional(),
        source: z.string(),
      }),
    ),
    relationsOmitted: z.number(),
    changes: z.array(z.unknown()),
    candidates: z.array(z.looseObject({ slug: z.string(), name: z.string() })),
  })
  .partial();

/** A company with its relations and newest changes; its parent is among the relations. */
export function projectedCompany(one: ListedCompany): z.input<typeof ProjectedCompany> {
  const { relations, changes, structureUrl, known, relationsOmitted = 0, inCountries } = one;
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
    ...present({ inCountries: inCountries ?? null }),
    changes: projectedChanges(changes),
  };
}

export function projectedCandidates({ candidates }: Candidates): z.input<typeof ProjectedCompany> {
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
