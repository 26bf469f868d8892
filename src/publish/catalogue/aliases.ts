// Alternative names of catalogue entries: search matches them and never shows them.
import { z } from 'zod';
import { readAliasFile, type CatalogueFault } from '../../domain/catalogue/catalogue-files.js';
import { CATALOGUE_DIR } from '../../domain/config/catalogue-dir.js';
import { CatalogueError } from './catalogue-error.js';
import { ownMember } from '../../domain/names/own-member.js';

const aliasesOf = z.record(z.string(), z.array(z.string().trim().min(1)).min(1));

/** The whole file, not an entry. */
export const aliasFile = z.strictObject({
  country: aliasesOf,
  indicator: aliasesOf,
  instrument: aliasesOf,
  company: aliasesOf,
  /** Names of topics, for arguments of tools. */
  topic: aliasesOf.default({}),
  /** What is near a thing and no name of it: found by search, and no argument of a tool. */
  related: z.strictObject({ indicator: aliasesOf }),
});

export interface Aliases {
  readonly type: 'country' | 'indicator' | 'instrument' | 'company';
  /** Code, slug or key; of a company its CIK, or its LEI where it has none. */
  readonly key: string;
  /** In any language. */
  readonly names: readonly string[];
  readonly related: readonly string[];
}

/** The aliases of a catalogue, and what is wrong with their form. */
export interface LoadedAliases {
  readonly file: string;
  readonly aliases: readonly Aliases[];
  readonly faults: readonly CatalogueFault[];
}

export function loadAliases(dir: string | null): LoadedAliases {
  const { value, file, faults } = readAliasFile(aliasFile, dir);
  if (value === null) return { file, aliases: [], faults };
  const { related, topic: _topic, ...named } = value;
  const aliases = Object.entries(named).flatMap(([type, entries]) =>
    Object.entries(entries).map(([key, names]) => ({
      type: type as Aliases['type'],
      key,
      names,
      related: (type === 'indicator' ? ownMember(related.indicator, key) : undefined) ?? [],
    })),
  );
  return { file, aliases, faults };
}

let read: readonly Aliases[] | undefined;

/**
 * The aliases of this process' catalogue, read once.
 * @throws CatalogueError
 */
export function readAliases(): readonly Aliases[] {
  if (read !== undefined) return read;
  const { aliases, faults } = loadAliases(CATALOGUE_DIR);
  if (faults.length > 0) throw new CatalogueError(faults);
  return (read = aliases);
}
