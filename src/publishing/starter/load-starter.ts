import type { DataSource } from 'typeorm';
import { importFiles } from '../import-files.js';
import type { ImportReport } from '../import-report.js';
import type { Delivery } from '../importers/importer.js';
import { starter } from './starter.importer.js';

/**
 * Whether the database holds the beginning of the starter set and nothing else: nothing yet, or what a load that
 * was cut short has left. Where anybody has published anything of their own, the set is not put among it.
 */
export async function awaitsStarter(
  dataSource: DataSource,
  folder: string,
  now: () => Date = () => new Date(),
): Promise<boolean> {
  const recorded = await recordedUntil(folder, now());
  const published = await dataSource.query<{ at: Date }[]>(
    'SELECT published_at AS at FROM revisions ORDER BY id LIMIT $1',
    [recorded.length],
  );
  return (
    published.length < recorded.length &&
    published.every(({ at }, index) => at.getTime() === recorded[index]?.recordedAt?.getTime())
  );
}

/**
 * Replays the starter set: each revision at its recorded time, its changes derived as they are from any import.
 * What is there already stays as it is, so a load that was cut short is completed by another. Revisions that a slow
 * clock takes to lie in the future are left for later.
 *
 * @param afterFirst what is to be there when the later ones come, as of the time of the first
 */
export async function loadStarter(
  dataSource: DataSource,
  folder: string,
  now: () => Date = () => new Date(),
  afterFirst?: (publishedAt: Date) => Promise<void>,
): Promise<ImportReport[]> {
  const past = await recordedUntil(folder, now());
  const [first, ...later] = past;
  if (first?.recordedAt === undefined || afterFirst === undefined) {
    return importFiles(dataSource, starter, past, { now });
  }
  const reports = await importFiles(dataSource, starter, [first], { now });
  await afterFirst(first.recordedAt);
  return [...reports, ...(await importFiles(dataSource, starter, later, { now }))];
}

async function recordedUntil(folder: string, now: Date): Promise<Delivery[]> {
  const recorded = await starter.open([folder], null);
  return recorded.filter(({ recordedAt }) => recordedAt !== undefined && recordedAt <= now);
}
