import type { DataSource } from 'typeorm';
import { importFiles } from '../import-files.js';
import type { ImportReport } from '../import-report.js';
import { starter } from './starter.importer.js';

/**
 * Replays the starter set into an empty database: each revision at its recorded time, its changes derived
 * as they are from any import. Revisions that a slow clock takes to lie in the future are left for later.
 */
export async function loadStarter(
  dataSource: DataSource,
  folder: string,
  now: () => Date = () => new Date(),
): Promise<ImportReport[]> {
  const recorded = await starter.open([folder], null);
  const past = recorded.filter(({ recordedAt }) => recordedAt !== undefined && recordedAt <= now());
  return importFiles(dataSource, starter, past, { now });
}
