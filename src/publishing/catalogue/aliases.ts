// Alternative names of catalogue entries: search matches them and never shows them.
import { z } from 'zod';
import { readDataFile } from './data-file.js';

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

/** Reads and checks the file, once. */
export function readAliases(): readonly Aliases[] {
  read ??= Object.entries(aliasFile.parse(readDataFile('aliases'))).flatMap(([type, entries]) =>
    Object.entries(entries).map(([key, names]) => ({ type: type as Aliases['type'], key, names })),
  );
  return read;
}
