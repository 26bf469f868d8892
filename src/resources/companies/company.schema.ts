import { z } from 'zod';
import { NAMED } from '../../errors/named.schema.js';
import { Change } from '../changes/change.schema.js';
import { locale, paging, regionCode, slug } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const companiesResource = {
  path: 'companies',
  tag: 'Companies',
  about: 'Legal entities that are companies',
  family: 'companies',
} satisfies Resource;

const end = {
  entityId: z.string().describe('Opaque; its structure map stands under `/entities/{id}/structure`'),
  lei: z.string().nullable(),
  name: z.string().nullable().describe('null where no register at hand describes it'),
  slug: z.string().nullable().describe('null where it is no listed company'),
  missing: z.enum(['not_in_source']).nullable().describe('Why there is no name'),
};

const members = {
  slug: z.string().describe('Kept for ever'),
  url: z.url(),
  name: z.string().describe('As registered, in the register’s own language'),
  nameLanguage: z.string().nullable().describe('BCP 47, where the register says it'),
  legalName: z.string().nullable().describe('From the LEI record; null for a company known by its CIK only'),
  lei: z.string().nullable().describe('ISO 17442'),
  tickers: z.array(z.string()).describe('As its regulator lists them, main one first'),
  cik: z.int().nullable().describe('Number at the U.S. Securities and Exchange Commission'),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2 of the legal address; null where not stated'),
  entityId: z.string(),
  parent: z
    .object(end)
    .nullable()
    .describe('In whose accounts it is directly consolidated; null where the register states none'),
  counts: z.object({
    subsidiaries: z
      .int()
      .describe('Directly consolidated entities that are held; see `known` of the structure map'),
    consolidated: z
      .int()
      .describe(
        'Entities of its group that are held: directly or ultimately consolidated, whichever are more',
      ),
    changes: z.int(),
  }),
  sources: z.array(z.string()).describe('Ids in `meta.sources`'),
};

export const Company = z.object(members).meta({ id: 'Company', description: 'An active legal entity' });
export type Company = z.infer<typeof Company>;

const relation = z
  .object({
    relation: z.enum(['parent', 'subsidiary']).describe('What the other entity is to this company'),
    ...end,
    country: z.string().nullable(),
    since: z.string().nullable().describe('Day, as the register states it'),
    source: z.string(),
  })
  .meta({
    id: 'CompanyRelation',
    description: 'Direct accounting consolidation, as a register states it: no share of ownership',
  });

export const CompanyDetail = z
  .object({
    ...members,
    structureUrl: z.url(),
    relations: z.array(relation).describe('Parents first, then subsidiaries by name; at most 500'),
    changes: z.array(Change).describe('A page of its changes, newest publication first'),
  })
  .meta({ id: 'CompanyDetail' });
export type CompanyDetail = z.infer<typeof CompanyDetail>;

export const CompaniesQuery = z.strictObject({
  locale,
  ...paging,
  country: regionCode.optional().describe('ISO 3166-1 alpha-2 or alpha-3 of the legal address, in any case'),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'A name in any usual spelling, with or without its legal form, a former name or brand, a ticker, LEI or CIK, or words of it or their beginnings. Best first, heads of groups before subsidiaries; at most some hundred. Case, accents and punctuation do not count, one wrong letter is forgiven',
    )
    .meta({ examples: ['microsoft'] }),
});
export type CompaniesQuery = z.infer<typeof CompaniesQuery>;

export const CompanyQuery = z.strictObject({ locale, ...paging });
export type CompanyQuery = z.infer<typeof CompanyQuery>;
export const CompanySlug = slug
  .describe('Slug of a company')
  .meta({ examples: ['microsoft-corporation'] })
  .register(NAMED, { reason: 'no_company' });
