import type { DataSource } from 'typeorm';
import { importFiles } from '../import/import-files.js';
import type { ImportReport } from '../publication/import-report.js';
import type { Delivery } from '../batches/importer.js';
import { starter } from './starter.importer.js';

/** The audit held or passed these figures when they were first imported. */
const ACCEPT = 'the starter set';

/**
 * Whether the database is empty, or contains the part of the starter set that an interrupted load left. The set is not
 * loaded beside other publications.
 */
export async function awaitsStarter(
  dataSource: DataSource,
  folder: string,
  now: () => Date = () => new Date(),
): Promise<boolean> {
  const recorded = await recordedUntil(folder, now());
  const published = await dataSource.query<{ at: Date }[]>(
    `SELECT published_at AS at FROM publications WHERE kind <> 'rendering' ORDER BY data_version LIMIT $1`,
    [recorded.length],
  );
  return (
    published.length < recorded.length &&
    published.every(({ at }, index) => at.getTime() === recorded[index]?.recordedAt?.getTime())
  );
}

/**
 * Replays the starter set: each data version at its recorded time, with changes derived as in any import. Existing
 * data versions stay, so that a second load completes an interrupted one. Data versions in the future are skipped
 * until then.
 * @param afterFirst called after the first data version, with its time
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
    return importFiles(dataSource, starter, past, { now, accept: ACCEPT });
  }
  const reports = await importFiles(dataSource, starter, [first], { now, accept: ACCEPT });
  await afterFirst(first.recordedAt);
  return [...reports, ...(await importFiles(dataSource, starter, later, { now, accept: ACCEPT }))];
}

async function recordedUntil(folder: string, now: Date): Promise<Delivery[]> {
  const recorded = await starter.open([folder], null);
  return recorded.filter(({ recordedAt }) => recordedAt !== undefined && recordedAt <= now);
}
