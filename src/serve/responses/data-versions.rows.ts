import type { Sources } from '../../domain/sources/attributions.js';
import type { Read } from '../../store/snapshots.js';
import { readSources } from '../../store/sources/source.rows.js';
import { NEWEST_VERSION } from '../../store/statement-text.js';
import type { Citations } from '../../domain/sources/citations.js';
import type { Resource } from './resource.js';
import { readWaiting, type Waits } from './waiting-series.js';

const NEWEST = `SELECT ${NEWEST_VERSION} AS newest`;

/** What last changed each family, subject and source: some hundred rows. */
const VERSIONS = `
  SELECT f.family, f.data_version AS "dataVersion", p.published_at AS "publishedAt"
  FROM resource_families f JOIN publications p USING (data_version)`;

interface VersionRow {
  readonly family: string;
  readonly dataVersion: number;
  readonly publishedAt: Date;
}

/** By family, subject or source. */
export type Versions = ReadonlyMap<string, VersionRow>;

/** A response about one indicator or instrument rests on that subject, not on its whole family. */
export type DataDependent = Pick<Resource, 'family'> & { readonly subject?: string };

export async function newestVersionOf(read: Read): Promise<number> {
  const [row] = await read<{ readonly newest: number }>(NEWEST);
  return row?.newest ?? 0;
}

/** What responses of one data version share. */
export interface Shared {
  readonly dataVersion: number;
  readonly sources: Sources;
  readonly versions: Versions;
  readonly waiting: Waits;
}

export async function readShared(read: Read, dataVersion: number): Promise<Shared> {
  const sources = await readSources(read);
  const versions = new Map((await read<VersionRow>(VERSIONS)).map((row) => [row.family, row]));
  return { dataVersion, sources, versions, waiting: await readWaiting(read) };
}

/** The newest version that changed what the response rests on; undefined before the first publication. */
export function versionOf(
  versions: Versions,
  { family, subject }: DataDependent,
  { cited, citedSeries }: Citations,
): VersionRow | undefined {
  const rests = [
    ...(family === 'series'
      ? [...citedSeries].flatMap((key) => [`macro/${key}`, `markets/${key}`])
      : [subject === undefined ? family : `${family}/${subject}`]),
    'catalogue',
    ...cited.map((id) => `sources/${id}`),
  ];
  const rows = rests.flatMap((name) => versions.get(name) ?? []);
  return rows.sort((a, b) => b.dataVersion - a.dataVersion)[0];
}
