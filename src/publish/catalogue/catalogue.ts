// The catalogue names sources, regions, indicators and instruments in every language. Nothing else is imported.
import { folderFaults, type CatalogueFault, type FileEntries } from '../../domain/catalogue/catalogue-files.js';
import { CATALOGUE_DIR } from '../../domain/config/catalogue-dir.js';
import type { Timetable } from '../../domain/figures/timetable.js';
import { loadAliases } from './aliases.js';
import { referenceFaults } from './catalogue-checks.js';
import { CatalogueError } from './catalogue-error.js';
import { readFiles } from './catalogue-entries.js';
import type {
  CoverageEntry,
  IndicatorEntry,
  InstrumentEntry,
  RegionEntry,
  SourceEntry,
  TimetableEntry,
  TopicEntry,
} from './catalogue.schema.js';

export interface Catalogue {
  readonly sources: readonly SourceEntry[];
  readonly coverage: readonly CoverageEntry[];
  readonly topics: readonly TopicEntry[];
  readonly regions: readonly RegionEntry[];
  readonly timetables: readonly TimetableEntry[];
  readonly indicators: readonly IndicatorEntry[];
  readonly instruments: readonly InstrumentEntry[];
}

/**
 * The shipped catalogue with the operator's own over it, and everything wrong in it.
 * @param dir the operator's catalogue; null: none
 */
export function loadCatalogue(dir: string | null): {
  readonly catalogue: Catalogue;
  readonly faults: readonly CatalogueFault[];
} {
  const found = readFiles(dir);
  const aliases = loadAliases(dir);
  const values = <T>({ entries }: FileEntries<T>): T[] => entries.map(({ value }) => value);
  return {
    catalogue: {
      sources: values(found.sources),
      coverage: values(found.coverage),
      topics: values(found.topics),
      regions: values(found.regions),
      timetables: values(found.timetables),
      indicators: values(found.indicators),
      instruments: values(found.instruments),
    },
    faults: [
      ...(dir === null ? [] : folderFaults(dir)),
      ...Object.values(found).flatMap(({ faults }) => faults),
      ...aliases.faults,
      ...referenceFaults(found, aliases),
    ],
  };
}

let read: Catalogue | undefined;

/**
 * The catalogue of this process, read and checked once.
 * @throws CatalogueError if it has a fault
 */
export function readCatalogue(): Catalogue {
  if (read !== undefined) return read;
  const { catalogue, faults } = loadCatalogue(CATALOGUE_DIR);
  if (faults.length > 0) throw new CatalogueError(faults);
  return (read = catalogue);
}

/** The timetable of an indicator or instrument, which its own provider keeps. */
export function timetableOf(
  { timetables }: Pick<Catalogue, 'timetables'>,
  entry: Pick<IndicatorEntry, 'provider' | 'timetable'>,
): Timetable {
  const found = timetables.find(({ id, provider }) => id === entry.timetable && provider === entry.provider);
  if (found === undefined) throw new Error(`No timetable ${entry.timetable} of ${entry.provider} exists`);
  const { id: _id, provider: _provider, ...timetable } = found;
  return timetable;
}
