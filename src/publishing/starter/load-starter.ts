import type { DataSource } from 'typeorm';
import { importFiles } from '../import-files.js';
import type { ImportReport } from '../import-report.js';
import { starter } from './starter.importer.js';

/**
 * Replays the starter set into an empty database: each revision at its recorded time, its changes derived
 * as they are from any import. Revisions that a slow clock takes to lie in the future are left for later.
 *
 * @param afterFirst what is to be there when the later ones come, as of the time of the first
 */
export async function loadStarter(
  dataSource: DataSource,
  folder: string,
  now: () => Date = () => new Date(),
  afterFirst?: (publishedAt: Date) => Promise<void>,
): Promise<ImportReport[]> {
  const recorded = await starter.open([folder], null);
  const past = recorded.filter(({ recordedAt }) => recordedAt !== undefined && recordedAt <= now());
  const [first, ...later] = past;
  if (first?.recordedAt === undefined || afterFirst === undefined) {
    return importFiles(dataSource, starter, past, { now });
  }
  const reports = await importFiles(dataSource, starter, [first], { now });
  await afterFirst(first.recordedAt);
  return [...reports, ...(await importFiles(dataSource, starter, later, { now }))];
}
