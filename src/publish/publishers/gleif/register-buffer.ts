import { BatchBuffer } from '../../batches/batch-buffer.js';
import { badRow, type Fault } from '../../batches/importer.js';
import { quoted, registeredName } from '../../batches/text.js';
import type { EntityRow, RelationExtent, RelationRow } from '../../batches/register-rows.js';

const LEI = /^[A-Z0-9]{18}[0-9]{2}$/;
const CODE = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** Validates the rows of a file and collects them into batches. */
export class RegisterBuffer extends BatchBuffer {
  constructor() {
    super('gleif');
  }

  addEntity(row: EntityRow): void {
    const named = registeredName(row.name);
    const fault = faultOfEntity(row);
    if (fault !== null) this.add('bad', badRow(row.place, fault));
    else if ('fault' in named) this.add('bad', badRow(row.place, { column: 'name', reason: named.fault }));
    else {
      const otherNames = namesOf(row.otherNames, named.name);
      this.add('entities', { ...row, ...named, otherNames, language: languageTag(row.language) });
    }
  }

  addRelation(row: RelationRow): void {
    const fault = faultOfRelation(row);
    if (fault === null) this.add('relations', row);
    else this.add('bad', badRow(row.place, fault));
  }

  /** A record of a child covers all parents of that child. */
  addParentsOf({ child, kind }: RelationRow): void {
    const extent: RelationExtent = { lei: child, side: 'parents', kind, stated: null, from: 'record' };
    this.add('relation-extents', extent);
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

/** Each once and in one order; one that cannot be kept is left out, for it only helps to find the entity. */
function namesOf(given: readonly string[], own: string): string[] {
  const kept = given.map(registeredName).flatMap((other) => ('name' in other ? [other.name] : []));
  return [...new Set(kept)].filter((name) => name !== own).sort();
}

/** A text that is no BCP 47 tag does not identify the name's language. */
const languageTag = (text: string | null): string | null =>
  text !== null && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(text) ? text : null;

const notAnLei = (text: string): string =>
  `${quoted(text)} is not an LEI: twenty characters, the last two of which check the others`;

/** Twenty characters, of which the last two are check digits: ISO 17442 with the arithmetic of ISO 7064 (mod 97-10). */
export function isLei(text: string): boolean {
  if (!LEI.test(text)) return false;
  let remainder = 0;
  for (const character of text) {
    const number = Number.parseInt(character, 36);
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97;
  }
  return remainder === 1;
}
