import type { z } from 'zod';
import { readEntries, type EntryFile, type FileEntries } from '../../domain/catalogue/catalogue-files.js';
import { currencyEntry } from '../../domain/figures/currencies.js';
import { holidaysEntry } from '../../domain/figures/holidays.js';
import { unitEntry } from '../../domain/figures/units.js';
import { licenceEntry } from '../../domain/sources/licences.js';
import {
  coverageEntry,
  indicatorEntry,
  instrumentEntry,
  mappingEntry,
  regionEntry,
  sourceEntry,
  timetableEntry,
  topicEntry,
} from './catalogue.schema.js';

/** The schema of each file's entries. */
export const ENTRY_SCHEMAS = {
  units: unitEntry,
  currencies: currencyEntry,
  licences: licenceEntry,
  sources: sourceEntry,
  coverage: coverageEntry,
  topics: topicEntry,
  regions: regionEntry,
  holidays: holidaysEntry,
  timetables: timetableEntry,
  indicators: indicatorEntry,
  instruments: instrumentEntry,
  mappings: mappingEntry,
} as const satisfies Record<EntryFile, z.ZodType>;

/** What each file of a catalogue contains, without the entries that have a fault. */
export type FoundFiles = { readonly [Name in EntryFile]: FileEntries<z.output<(typeof ENTRY_SCHEMAS)[Name]>> };

/** @param dir the operator's catalogue, over the shipped one; null: none */
export function readFiles(dir: string | null): FoundFiles {
  const found = Object.entries(ENTRY_SCHEMAS).map(
    ([name, schema]) => [name, readEntries(name as EntryFile, schema, dir)] as const,
  );
  return Object.fromEntries(found) as unknown as FoundFiles;
}
