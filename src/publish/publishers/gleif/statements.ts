// Interprets rows of GLEIF's data, from JSON or CSV.
import { isDay } from '../../../domain/figures/periods.js';
import { isFault, type Fault, type SourcePosition } from '../../batches/importer.js';
import type { EntityRow, RelationKind, RelationRow } from '../../batches/register-rows.js';
import { quoted } from '../../batches/text.js';

type Stated = string | null | undefined;

/** A legal entity in GLEIF's own words. */
interface StatedEntity {
  readonly lei: string;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly language?: Stated;
  readonly category?: Stated;
  readonly country?: Stated;
  readonly jurisdiction?: Stated;
  readonly status?: Stated;
}

export function entityOf(stated: StatedEntity, place: SourcePosition): EntityRow | Fault {
  const status = entityStatus(stated.status ?? '');
  const type = entityType(stated.category ?? '');
  if (typeof status !== 'string') return status;
  if (typeof type !== 'string') return type;
  return {
    lei: stated.lei,
    name: stated.name,
    otherNames: stated.otherNames,
    language: emptyToNull(stated.language),
    type,
    country: emptyToNull(stated.country),
    jurisdiction: emptyToNull(stated.jurisdiction),
    status,
    place,
  };
}

const emptyToNull = (text: Stated): string | null => (text === undefined || text === '' ? null : text);

/** A relationship in GLEIF's own words. */
interface StatedRelation {
  readonly child: string;
  readonly parent: string;
  readonly kind: string;
  /** Of the relationship, and of its registration. */
  readonly status: Stated;
  readonly registration: Stated;
  /** Instants, and the columns that state them. */
  readonly since: Stated;
  readonly until: Stated;
  readonly columns: readonly [since: string, until: string];
}

/**
 * `null`: a relationship of another kind, or a retracted one.
 * @param endedBy day on which a stated end is past; `null` where ends are not compared with the vintage
 */
export function relationOf(
  stated: StatedRelation,
  endedBy: string | null,
  place: SourcePosition,
): RelationRow | Fault | null {
  const { child, parent, columns } = stated;
  const kind = relationKind(stated.kind);
  if (isFault(kind)) return kind;
  const since = dayOfInstant(stated.since, columns[0]);
  const until = dayOfInstant(stated.until, columns[1]);
  if (isFault(since)) return since;
  if (isFault(until)) return until;
  const state = relationState(stated.status ?? '', stated.registration ?? '', until, endedBy);
  if (isFault(state)) return state;
  if (kind === 'other' || state === 'void') return null;
  return { child, parent, kind, state, since, until, from: 'record', place };
}

/** Relationships of accounting consolidation; the service ignores those of funds and branches. */
const KINDS: ReadonlyMap<string, RelationKind> = new Map(
  Object.entries({ IS_DIRECTLY_CONSOLIDATED_BY: 'direct', IS_ULTIMATELY_CONSOLIDATED_BY: 'ultimate' }),
);
const OTHER_KINDS: readonly string[] = [
  'IS_INTERNATIONAL_BRANCH_OF',
  'IS_FUND-MANAGED_BY',
  'IS_SUBFUND_OF',
  'IS_FEEDER_TO',
];

function relationKind(type: string): RelationKind | 'other' | Fault {
  const kind = KINDS.get(type);
  if (kind !== undefined) return kind;
  if (OTHER_KINDS.includes(type)) return 'other';
  return { column: 'relationship', reason: `${quoted(type)} is not a kind of relationship of GLEIF` };
}

/** Erroneous records assert nothing, not even that a relation ended. */
const VOID: readonly string[] = ['ANNULLED', 'DUPLICATE', 'ERRONEOUS', 'CANCELLED', 'PENDING_ARCHIVAL'];

/**
 * A lapsed registration stays active, as GLEIF shows it; a retracted record is `void`.
 * @param status of the relationship; empty if the file contains only a list of children
 */
function relationState(
  status: string,
  registration: string,
  until: string | null,
  vintage: string | null,
): 'active' | 'ended' | 'void' | Fault {
  if (VOID.includes(registration)) return 'void';
  if (!['', 'ACTIVE', 'INACTIVE', 'NULL'].includes(status)) {
    return { column: 'status', reason: `${quoted(status)} is not a status of a relationship` };
  }
  const over = until !== null && vintage !== null && until <= vintage;
  return status === 'INACTIVE' || registration === 'RETIRED' || over ? 'ended' : 'active';
}

function entityStatus(status: string): 'active' | 'inactive' | Fault {
  if (status === 'ACTIVE') return 'active';
  if (status === 'INACTIVE' || status === 'NULL') return 'inactive';
  return { column: 'status', reason: `${quoted(status)} is not a status of an entity: ACTIVE or INACTIVE` };
}

/** Most records say GENERAL; the oldest are empty. */
function entityType(category: string): string | Fault {
  if (category === '' || category === 'GENERAL') return 'legal_entity';
  if (/^[A-Z_]{2,40}$/.test(category) && category !== 'UNKNOWN') return category.toLowerCase();
  return { column: 'category', reason: `${quoted(category)} is not a category of entities` };
}

const HALF_A_DAY_MS = 43_200_000;

/**
 * The day that an instant represents; `null` without one. Registers write a day as midnight in their own zone:
 * 1995-10-31T16:00:00Z is 1 November in Shanghai, the day with the nearest midnight. Any other time keeps its UTC day.
 */
export function dayOfInstant(text: string | null | undefined, column: string): string | null | Fault {
  if (text == null || text === '') return null;
  const day = text.slice(0, 10);
  if (isDay(day) && (text.length === 10 || text[10] === 'T')) {
    if (!/T\d{2}:(?:00|30|45):00(?:\.0+)?Z$/.test(text)) return day;
    return new Date(Date.parse(text) + HALF_A_DAY_MS).toISOString().slice(0, 10);
  }
  return { column, reason: `${quoted(text)} is not an instant such as 2018-04-10T00:00:00Z` };
}
