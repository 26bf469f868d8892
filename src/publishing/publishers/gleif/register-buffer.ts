import { quoted, registeredName } from '../../batches/text.js';
import type { BadRow, Batch } from '../../batches/importer.js';
import type { SourcePosition } from '../../batches/source-position.js';
import type { EntityRow, RelationExtent, RelationRow } from '../../batches/register-rows.js';
import { isLei } from './lei.js';

export const GLEIF = 'gleif';

const FULL = 1_000;
const CODE = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** A fault in a column of a row. */
export interface Fault {
  readonly column: string;
  readonly reason: string;
}

/** Validates the rows of a file and collects them into batches. */
export class RegisterBuffer {
  private entities: EntityRow[] = [];
  private relations: RelationRow[] = [];
  private extents: RelationExtent[] = [];
  private bad: BadRow[] = [];

  addEntity(row: EntityRow): void {
    const fault = faultOfEntity(row);
    const named = registeredName(row.name);
    if (fault !== null) this.addBad(row.place, fault);
    else if ('fault' in named) this.addBad(row.place, { column: 'name', reason: named.fault });
    else this.entities.push({ ...row, ...named, language: languageTag(row.language) });
  }

  addRelation(row: RelationRow): void {
    const fault = faultOfRelation(row);
    if (fault === null) this.relations.push(row);
    else this.addBad(row.place, fault);
  }

  addExtent(extent: RelationExtent): void {
    this.extents.push(extent);
  }

  addBad({ file, line }: SourcePosition, { column, reason }: Fault): void {
    this.bad.push({ place: { file, line, column }, reason });
  }

  get full(): boolean {
    const { entities, relations, extents, bad } = this;
    return [entities, relations, extents, bad].some((rows) => rows.length >= FULL);
  }

  *take(): Generator<Batch> {
    const { entities, relations, extents, bad } = this;
    [this.entities, this.relations, this.extents, this.bad] = [[], [], [], []];
    if (entities.length > 0) yield { kind: 'entities', source: GLEIF, rows: entities };
    if (relations.length > 0) yield { kind: 'relations', source: GLEIF, rows: relations };
    if (extents.length > 0) yield { kind: 'relation-extents', source: GLEIF, extents };
    if (bad.length > 0) yield { kind: 'bad', rows: bad };
  }
}

function faultOfEntity({ lei, country, jurisdiction }: EntityRow): Fault | null {
  if (!isLei(lei)) return { column: 'lei', reason: notAnLei(lei) };
  if (country !== null && !/^[A-Z]{2}$/.test(country)) {
    return { column: 'country', reason: `${quoted(country)} is not the code of a country` };
  }
  if (jurisdiction !== null && !CODE.test(jurisdiction)) {
    return { column: 'jurisdiction', reason: `${quoted(jurisdiction)} is not the code of a jurisdiction` };
  }
  return null;
}

function faultOfRelation({ child, parent, since, until }: RelationRow): Fault | null {
  if (!isLei(child)) return { column: 'child', reason: notAnLei(child) };
  if (!isLei(parent)) return { column: 'parent', reason: notAnLei(parent) };
  if (child === parent) return { column: 'parent', reason: `${child} is stated to be its own parent` };
  if (since !== null && until !== null && until < since) {
    return { column: 'until', reason: `the relation is stated to end on ${until}, before it begins` };
  }
  return null;
}

/** A text that is no BCP 47 tag does not identify the name's language. */
const languageTag = (text: string | null): string | null =>
  text !== null && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(text) ? text : null;

const notAnLei = (text: string): string =>
  `${quoted(text)} is not an LEI: twenty characters, the last two of which check the others`;
