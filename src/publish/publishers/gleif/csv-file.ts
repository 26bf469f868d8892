// Reads CSV of legal entities (level 1) or relationships (level 2) by column names: those of an extract, or GLEIF's own
// of the golden copy.
import { badRow, ImportError, isFault, type Batch, type SourcePosition } from '../../batches/importer.js';
import { csvRecords } from '../../batches/csv-records.js';
import { quoted } from '../../batches/text.js';
import { RegisterBuffer } from './register-buffer.js';
import { entityOf, relationOf } from './statements.js';

type Columns = Readonly<Record<string, readonly string[]>>;

const ENTITY = {
  lei: ['lei', 'LEI'],
  name: ['legal_name', 'Entity.LegalName'],
  country: ['country', 'Entity.LegalAddress.Country'],
  status: ['status', 'Entity.EntityStatus'],
} as const satisfies Columns;
const ENTITY_MORE = {
  language: ['name_language', 'Entity.LegalName.xmllang'],
  category: ['category', 'Entity.EntityCategory'],
  jurisdiction: ['jurisdiction', 'Entity.LegalJurisdiction'],
} as const satisfies Columns;

const OTHER_NAMES =
  /^(?:other_names|Entity\.(?:Other|TransliteratedOther)EntityNames\.(?:Other|TransliteratedOther)EntityName\.\d)$/;
/** An extract lists names with their languages: DRESDNER BANK [de] | … */
const LISTED_NAME = /\s*\[[A-Za-z-]*\]\s*(?:\||$)/;

const RELATION = {
  child: ['start_lei', 'Relationship.StartNode.NodeID'],
  kind: ['relationship', 'Relationship.RelationshipType'],
  parent: ['end_lei', 'Relationship.EndNode.NodeID'],
  status: ['status', 'Relationship.RelationshipStatus'],
} as const satisfies Columns;
const RELATION_MORE = {
  since: ['relationship_start'],
  until: ['relationship_end'],
  registration: ['registration_status', 'Registration.RegistrationStatus'],
} as const satisfies Columns;

type Cell = (
  column: keyof typeof ENTITY | keyof typeof ENTITY_MORE | keyof typeof RELATION | keyof typeof RELATION_MORE,
) => string;

interface Layout {
  readonly what: 'entities' | 'relations';
  readonly at: ReadonlyMap<string, number>;
  readonly width: number;
  /** Where other names stand: in one column of an extract, in several of the golden copy. */
  readonly otherNames: readonly number[];
  /** The columns of each stated period in the golden copy. */
  readonly periods: readonly { readonly start: number; readonly end: number; readonly type: number }[];
}

/** @throws ImportError that names the missing columns if the file is of neither kind */
export function layoutOf(header: readonly string[], file: string): Layout {
  const names = header.map((name) => name.trim());
  const repeated = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (repeated !== undefined) throw new ImportError(`${file} has two columns ${quoted(repeated)}`);
  const relations = missing(RELATION, names);
  const entities = missing(ENTITY, names);
  const what = relations.length <= entities.length ? 'relations' : 'entities';
  const lacking = what === 'relations' ? relations : entities;
  if (lacking.length > 0) {
    throw new ImportError(
      `${file} is not a CSV of GLEIF's legal entities or relationships: it has no column ${lacking.join(', ')}`,
    );
  }
  const wanted: Columns = what === 'relations' ? { ...RELATION, ...RELATION_MORE } : { ...ENTITY, ...ENTITY_MORE };
  const at = new Map(
    Object.entries(wanted).map(([column, spellings]) => [column, names.findIndex((name) => spellings.includes(name))]),
  );
  const periods = [1, 2, 3, 4, 5].map((number) => {
    const column = (part: string): number => names.indexOf(`Relationship.Period.${String(number)}.${part}`);
    return { start: column('startDate'), end: column('endDate'), type: column('periodType') };
  });
  const otherNames = names.flatMap((name, index) => (OTHER_NAMES.test(name) ? [index] : []));
  return { what, at, otherNames, width: names.length, periods: periods.filter(({ type }) => type >= 0) };
}

const missing = (columns: Columns, names: readonly string[]): string[] =>
  Object.values(columns)
    .filter((spellings) => !spellings.some((name) => names.includes(name)))
    .map(([first]) => quoted(first ?? ''));

export async function* readCsvFile(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Batch> {
  const buffer = new RegisterBuffer();
  let layout: Layout | null = null;
  for await (const { cells, line, ended } of csvRecords(chunks, file)) {
    const place = { file, line, column: '' };
    if (layout === null) layout = layoutOf(cells, file);
    else if (cells.length !== layout.width) {
      const reason = `the row has ${cells.length} cells, the header ${layout.width}${ended ? '' : ': is the file cut?'}`;
      buffer.add('bad', { place, reason });
    } else readRow(buffer, layout, cells, place);
    if (buffer.full) yield* buffer.take();
  }
  if (layout === null) throw new ImportError(`${file} is empty`);
  yield* buffer.take();
}

function readRow(buffer: RegisterBuffer, layout: Layout, cells: readonly string[], place: SourcePosition): void {
  const cell: Cell = (column) => cells[layout.at.get(column) ?? -1]?.trim() ?? '';
  if (layout.what === 'entities') {
    const stated = {
      lei: cell('lei'),
      name: cell('name'),
      language: cell('language'),
      category: cell('category'),
      country: cell('country'),
      jurisdiction: cell('jurisdiction'),
      status: cell('status'),
      otherNames: layout.otherNames.flatMap((column) => (cells[column] ?? '').split(LISTED_NAME)),
    };
    const entity = entityOf(stated, place);
    if (isFault(entity)) buffer.add('bad', badRow(place, entity));
    else buffer.addEntity(entity);
    return;
  }
  const period = periodOf(layout, cells);
  const stated = {
    child: cell('child'),
    parent: cell('parent'),
    kind: cell('kind'),
    status: cell('status'),
    registration: cell('registration'),
    columns: ['relationship_start', 'relationship_end'] as const,
    since: period?.since ?? cell('since'),
    until: period?.until ?? cell('until'),
  };
  const relation = relationOf(stated, null, place);
  if (isFault(relation)) buffer.add('bad', badRow(place, relation));
  else if (relation !== null) {
    buffer.addRelation(relation);
    buffer.addParentsOf(relation);
  }
}

interface Period {
  readonly since: string;
  readonly until: string;
}

/** Golden copies state several periods in separate columns; only the period of the relationship is used. */
function periodOf({ periods }: Layout, cells: readonly string[]): Period | null {
  const own = periods.find(({ type }) => cells[type] === 'RELATIONSHIP_PERIOD');
  return own === undefined ? null : { since: cells[own.start] ?? '', until: cells[own.end] ?? '' };
}
