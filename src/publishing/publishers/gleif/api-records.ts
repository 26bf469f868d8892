// Records of GLEIF's API, version 1 (JSON:API): legal entities, and relationships between them.
import { z } from 'zod';
import type { SourcePosition } from '../../batches/source-position.js';
import type { EntityRow, RelationRow } from '../../batches/register-rows.js';
import type { Fault } from './register-buffer.js';
import {
  dayOfInstant,
  entityStatus,
  entityType,
  isFault,
  relationKind,
  relationState,
} from './statements.js';

const LEI_RECORD = z.object({
  attributes: z.object({
    lei: z.string(),
    entity: z.object({
      legalName: z.object({ name: z.string(), language: z.string().nullish() }),
      legalAddress: z.object({ country: z.string().nullish() }),
      jurisdiction: z.string().nullish(),
      category: z.string().nullish(),
      status: z.string().nullish(),
    }),
  }),
});

const node = z.object({ id: z.string(), type: z.string() });
const period = z.object({
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  type: z.string(),
});
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

export function entityOf(record: unknown, place: SourcePosition): EntityRow | Fault {
  const parsed = LEI_RECORD.safeParse(record);
  if (!parsed.success) return faultOf(parsed.error);
  const { lei, entity } = parsed.data.attributes;
  const status = entityStatus(entity.status ?? '');
  const type = entityType(entity.category ?? '');
  if (typeof status !== 'string') return status;
  if (typeof type !== 'string') return type;
  return {
    lei,
    name: entity.legalName.name,
    language: emptyToNull(entity.legalName.language),
    type,
    country: emptyToNull(entity.legalAddress.country),
    jurisdiction: emptyToNull(entity.jurisdiction),
    status,
    place,
  };
}

/** `null`: a record of another kind, or a retracted one. */
export function relationOf(
  record: unknown,
  vintage: string | null,
  place: SourcePosition,
): RelationRow | Fault | null {
  const parsed = RELATIONSHIP.safeParse(record);
  if (!parsed.success) return faultOf(parsed.error);
  const { relationship, registration, extension } = parsed.data.attributes;
  const kind = relationKind(relationship.type);
  if (isFault(kind)) return kind;
  const known = (relationship.periods ?? []).find(({ type }) => type === 'RELATIONSHIP_PERIOD');
  const since = dayOfInstant(known?.startDate, 'periods');
  const until = dayOfInstant(known?.endDate, 'periods');
  if (isFault(since)) return since;
  if (isFault(until)) return until;
  const state = relationState(relationship.status ?? '', registration.status ?? '', until, vintage);
  if (isFault(state)) return state;
  if (kind === 'other' || state === 'void' || extension?.deletedAt != null) return null;
  const { startNode, endNode } = relationship;
  return { child: startNode.id, parent: endNode.id, kind, state, since, until, from: 'record', place };
}

export const emptyToNull = (text: string | null | undefined): string | null =>
  text === undefined || text === '' ? null : text;

function faultOf(error: z.ZodError): Fault {
  const [issue] = error.issues;
  return {
    column: issue?.path.join('.') ?? '',
    reason: `the record is not one of GLEIF's: ${issue?.message ?? ''}`,
  };
}
