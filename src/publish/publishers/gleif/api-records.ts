// Records of GLEIF's API, version 1 (JSON:API): legal entities, and relationships between them.
import { z } from 'zod';
import { faultOf, isFault, type Fault, type SourcePosition } from '../../batches/importer.js';
import type { EntityRow, RelationRow } from '../../batches/register-rows.js';
import { entityOf, relationOf } from './statements.js';

const LEI_RECORD = z.object({
  attributes: z.object({
    lei: z.string(),
    entity: z.object({
      legalName: z.object({ name: z.string(), language: z.string().nullish() }),
      otherNames: z.array(z.object({ name: z.string() })).nullish(),
      transliteratedOtherNames: z.array(z.object({ name: z.string() })).nullish(),
      legalAddress: z.object({ country: z.string().nullish() }),
      jurisdiction: z.string().nullish(),
      category: z.string().nullish(),
      status: z.string().nullish(),
    }),
  }),
});

const node = z.object({ id: z.string(), type: z.string() });
const period = z.object({ startDate: z.string().nullish(), endDate: z.string().nullish(), type: z.string() });
const RELATIONSHIP = z.object({
  attributes: z.object({
    relationship: z.object({
      startNode: node,
      endNode: node,
      type: z.string(),
      status: z.string().nullish(),
      periods: z.array(period).nullish(),
    }),
    registration: z.object({ status: z.string().nullish() }),
    extension: z.object({ deletedAt: z.string().nullish() }).nullish(),
  }),
});

/** The type of any record, before the rest is validated. */
export const ANY_RECORD = z.object({ type: z.string(), id: z.string() });

export function entityIn(record: unknown, place: SourcePosition): EntityRow | Fault {
  const parsed = LEI_RECORD.safeParse(record);
  if (!parsed.success) return faultOf(parsed.error, NOT_A_RECORD);
  const { lei, entity } = parsed.data.attributes;
  const { legalName, legalAddress } = entity;
  const others = [...(entity.otherNames ?? []), ...(entity.transliteratedOtherNames ?? [])];
  const otherNames = others.map(({ name }) => name);
  return entityOf({ ...entity, ...legalName, otherNames, lei, country: legalAddress.country }, place);
}

/** `null`: a record of another kind, or a retracted one. */
export function relationIn(record: unknown, vintage: string, place: SourcePosition): RelationRow | Fault | null {
  const parsed = RELATIONSHIP.safeParse(record);
  if (!parsed.success) return faultOf(parsed.error, NOT_A_RECORD);
  const { relationship, registration, extension } = parsed.data.attributes;
  const known = (relationship.periods ?? []).find(({ type }) => type === 'RELATIONSHIP_PERIOD');
  const stated = {
    child: relationship.startNode.id,
    parent: relationship.endNode.id,
    kind: relationship.type,
    status: relationship.status,
    registration: registration.status,
    since: known?.startDate,
    until: known?.endDate,
    columns: ['periods', 'periods'] as const,
  };
  const relation = relationOf(stated, vintage, place);
  return isFault(relation) || extension?.deletedAt == null ? relation : null;
}

const NOT_A_RECORD = "the record is not one of GLEIF's";
