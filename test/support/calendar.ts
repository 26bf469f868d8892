import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { importFiles } from '../../src/publish/import/import-files.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';

export const calendarFile = (...names: string[]): string => join(__dirname, '../fixtures/calendar', ...names);

/** Imports files of the small calendar without any option. */
export async function importCalendar(
  publisher: DataSource,
  importer: 'releases' | 'bls' | 'estat',
  paths: readonly string[],
  vintage: string | null = null,
): Promise<void> {
  const known = IMPORTERS[importer];
  if (known === undefined) throw new Error(`There is no importer '${importer}'`);
  const now = () => new Date('2026-11-21T10:00:00Z');
  await importFiles(publisher, known, await known.open(paths, vintage), { accept: 'a test', now });
}
