import type { Delivery } from '../../src/publish/batches/importer.js';
import type { EntityRow, RelationExtent, RelationRow } from '../../src/publish/batches/register-rows.js';

/** Invented entities, by short names: their LEIs have correct check digits. */
export function leiOf(name: string): string {
  const base = `9ZSPEC${name.toUpperCase()}`.padEnd(18, '0');
  const digits = Array.from(`${base}00`, (character) => Number.parseInt(character, 36).toString()).join('');
  return `${base}${(98n - (BigInt(digits) % 97n)).toString().padStart(2, '0')}`;
}

export interface Group {
  /** Entities, each with the members that differ from the default. */
  readonly entities?: Readonly<Record<string, Partial<EntityRow>>>;
  /** `child parent`, with the members that differ from the default. */
  readonly relations?: Readonly<Record<string, Partial<RelationRow>>>;
  /** Parents with a complete list of children, and how many the register states. */
  readonly lists?: Readonly<Record<string, number>>;
  /** Children with a complete list of parents. */
  readonly parentsOf?: readonly string[];
  readonly basis?: 'released' | 'retrieved';
}

/** The content of a register on one day. */
export function groupOf(vintage: string, group: Group): Delivery {
  const { entities = {}, relations = {}, lists = {}, parentsOf = [], basis = 'retrieved' } = group;
  const place = { file: 'register.csv', line: 1, column: '' };
  const entityRows = Object.entries(entities).map(([name, traits]) => ({
    lei: leiOf(name),
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)} AG`,
    otherNames: [],
    language: null,
    type: 'legal_entity',
    country: 'DE',
    jurisdiction: 'DE',
    status: 'active' as const,
    place,
    ...traits,
  }));
  const relationRows = Object.entries(relations).map(([ends, traits]) => {
    const [child = '', parent = ''] = ends.split(' ').map(leiOf);
    const plain = { kind: 'direct', state: 'active', since: null, until: null, from: 'record' } as const;
    return { child, parent, ...plain, place, ...traits };
  });
  const extents: RelationExtent[] = [
    ...Object.entries(lists).map(([name, stated]) => ({
      lei: leiOf(name),
      side: 'children' as const,
      kind: 'direct' as const,
      stated,
      from: 'record' as const,
    })),
    ...parentsOf.map((name) => ({
      lei: leiOf(name),
      side: 'parents' as const,
      kind: 'direct' as const,
      stated: null,
      from: 'record' as const,
    })),
  ];
  return {
    name: `register of ${vintage}`,
    vintage,
    basis,
    bytes: 0,
    async *read() {
      await Promise.resolve();
      yield { kind: 'entities', source: 'gleif', rows: entityRows };
      yield { kind: 'relations', source: 'gleif', rows: relationRows };
      yield { kind: 'relation-extents', source: 'gleif', rows: extents };
    },
  };
}

/** A regulator's list: tickers and a name by CIK. */
export function registrantsOf(
  vintage: string,
  registrants: Readonly<Record<number, readonly [name: string, ...tickers: string[]]>>,
): Delivery {
  const place = { file: 'tickers.json', line: 1, column: '' };
  const rows = Object.entries(registrants).flatMap(([cik, [name, ...tickers]]) =>
    tickers.map((ticker) => ({ cik: Number(cik), name, ticker, place })),
  );
  return {
    name: `registrants of ${vintage}`,
    vintage,
    basis: 'retrieved',
    bytes: 0,
    async *read() {
      await Promise.resolve();
      yield { kind: 'registrants', source: 'sec', rows };
    },
  };
}
