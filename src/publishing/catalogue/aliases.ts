// Alternative names of catalogue entries: search matches them and never shows them.
import { z } from 'zod';
import { readDataFile } from './data-file.js';

const aliasesOf = z.record(z.string(), z.array(z.string().trim().min(1)).min(1));
const aliasFile = z.strictObject({
  country: aliasesOf,
  indicator: aliasesOf,
  instrument: aliasesOf,
  company: aliasesOf,
  /** What is near a thing and no name of it: found by search, and no argument of a tool. */
  related: z.strictObject({ indicator: aliasesOf }),
});

export interface Aliases {
  readonly type: 'country' | 'indicator' | 'instrument' | 'company';
  /** Code, slug or key; of a company its CIK, or its LEI where it has none. */
  readonly key: string;
  /** In any of the three languages. */
  readonly names: readonly string[];
  readonly related: readonly string[];
}

let read: readonly Aliases[] | undefined;

/** Reads and checks the file, once. */
export function readAliases(): readonly Aliases[] {
  if (read !== undefined) return read;
  const { related, ...named } = aliasFile.parse(readDataFile('aliases'));
  read = Object.entries(named).flatMap(([type, entries]) =>
    Object.entries(entries).map(([key, names]) => ({
      type: type as Aliases['type'],
      key,
      names,
      related: (type === 'indicator' ? related.indicator[key] : undefined) ?? [],
    })),
  );
  return read;
}
