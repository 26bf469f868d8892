// Other words for what the catalogue names: it is found by them and never shown under them.
import { z } from 'zod';
import aliasData from './aliases.json' with { type: 'json' };

const aliasesOf = z.record(z.string(), z.array(z.string().trim().min(1)).min(1));
const aliasFile = z.strictObject({ country: aliasesOf, indicator: aliasesOf, instrument: aliasesOf });

export interface Aliases {
  readonly type: 'country' | 'indicator' | 'instrument';
  /** Code, slug or key. */
  readonly key: string;
  /** In any of the three languages. */
  readonly names: readonly string[];
}

let read: readonly Aliases[] | undefined;

/** The file as checked objects; read once. */
export function readAliases(): readonly Aliases[] {
  read ??= Object.entries(aliasFile.parse(aliasData)).flatMap(([type, entries]) =>
    Object.entries(entries).map(([key, names]) => ({ type: type as Aliases['type'], key, names })),
  );
  return read;
}
