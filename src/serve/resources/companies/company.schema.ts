import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { Change } from '../changes/change.schema.js';
import { known } from '../entities/structure.schema.js';
import { page } from '../links.schema.js';
import { changesSince, copyPaging, locale, paging, publishedSince, regionCode, slug } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const companiesResource = {
  path: 'companies',
  tag: 'Companies',
  about: 'Legal entities that are companies',
  family: 'companies',
} satisfies Resource;

const end = {
  entityId: z.string().describe('Opaque. `/entities/{id}/structure` has the structure map'),
  lei: z.string().nullable(),
  name: z.string().nullable().describe('null if no imported register describes the entity'),
  slug: z.string().nullable().describe('null if the entity is not in the list of companies'),
  missing: z.enum(['not_in_source']).nullable().describe('Why `name` is null'),
};

const members = {
  slug: z.string().describe('Permanent'),
  url: z.url(),
  page,
  records: z
    .array(z.url())
    .describe('Its public pages at the registers, without a key: the LEI record of GLEIF, the filings at the SEC'),
  name: z.string().describe('As registered, in the language of the register'),
  nameLanguage: z.string().nullable().describe('BCP 47 tag of `name`; null if the register does not state it'),
  legalName: z.string().nullable().describe('From the LEI record; null for a company with only a CIK'),
  lei: z.string().nullable().describe('ISO 17442'),
  tickers: z.array(z.string()).describe('As the regulator lists them, main ticker first'),
  cik: z.int().nullable().describe('Central Index Key at the U.S. Securities and Exchange Commission'),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2 code of the legal address; null if not stated'),
  entityId: z.string(),
  parent: z
    .object(end)
    .meta({ id: 'CompanyParent' })
    .nullable()
    .describe('The entity that directly consolidates it; null if the register states none'),
  counts: z
    .object({
      subsidiaries: z
        .int()
        .describe('Number of directly consolidated entities in the database; see `known` of the structure map'),
      consolidated: z
        .int()
        .describe(
          'Number of entities of its group in the database: directly or ultimately consolidated, whichever number is larger',
        ),
      changes: z.int(),
    })
    .meta({ id: 'CompanyCounts' }),
  sources: z.array(z.string()).describe('Ids in `meta.sources`'),
};

export const Company = z.object(members).meta({ id: 'Company', description: 'An active legal entity' });
export type Company = z.infer<typeof Company>;

const relation = z
  .object({
    relation: z
      .enum(['parent', 'ultimate_parent', 'subsidiary'])
      .describe(
        'Role of the other entity: it directly consolidates this company, it is at the top of its group, or this company directly consolidates it',
      ),
    ...end,
    country: z.string().nullable(),
    since: z.string().nullable().describe('Day, as the register states it'),
    source: z.string(),
  })
  .meta({
    id: 'CompanyRelation',
    description: 'An accounting consolidation that a register states; not a share of ownership',
  });

export const CompanyDetail = z
  .object({
    ...members,
    structureUrl: z.url(),
    known,
    relations: z
      .array(relation)
      .describe('The direct parents, the ultimate ones, then direct subsidiaries, by name; at most 500'),
    changes: z.array(Change).describe('A page of its changes, newest publication first'),
  })
  .meta({ id: 'CompanyDetail' });
export type CompanyDetail = z.infer<typeof CompanyDetail>;

export const CompaniesQuery = z.strictObject({
  locale,
  ...copyPaging,
  country: regionCode.optional().describe('ISO 3166-1 alpha-2 or alpha-3 code of the legal address, in any case'),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'A current or former name or brand, with or without the legal form; a ticker, LEI or CIK; or words of a name or their beginnings. Best match first, heads of groups before subsidiaries; at most a few hundred results. Case, accents, punctuation and one wrong letter make no difference',
    )
    .meta({ examples: ['microsoft'] }),
  publishedSince: publishedSince.describe(
    'Only companies that were added, or of which something in this list changed, at or after this day or instant. Not together with `q`',
  ),
});
export type CompaniesQuery = z.infer<typeof CompaniesQuery>;

export const CompanyQuery = z.strictObject({ locale, ...paging, publishedSince: changesSince });
export type CompanyQuery = z.infer<typeof CompanyQuery>;
export const CompanySlug = slug
  .meta({ description: 'Slug of a company', examples: ['microsoft-corporation'] })
  .register(NAMED, { reason: 'no_company' });
