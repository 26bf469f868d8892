// Writes a data version as files for others to fetch: one snapshot, read in batches.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { readSnapshot, type Read } from '../../store/snapshots.js';
import { ImportError } from '../batches/importer.js';
import { SOURCES } from './exported-sources.js';
import { EXPORTED_TABLES, type ExportedRow, type ExportedTable } from './exported-tables.js';
import { ParquetFile } from './parquet-file.js';

/** Rows of one read, and of a row group. */
const BATCH = 20_000;

interface ExportedFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly dataVersion: number;
  readonly publishedAt: string;
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    readonly columns: ExportedTable['columns'];
    readonly files: readonly ExportedFile[];
  }[];
}

export interface ExportedVersion extends Manifest {
  readonly folder: string;
  /** The folder existed already, and nothing was written. */
  readonly existed: boolean;
}

type OnRows = (table: string, rows: number) => void;

/**
 * Writes the newest data version into a folder of its own below `out`. The folder appears when all of it is written;
 * if it is there already, nothing is written. The same data version gives the same bytes.
 *
 * @param dataSource of the API's role, which does not see what is withheld
 */
export function exportDataVersion(dataSource: DataSource, out: string, onRows: OnRows): Promise<ExportedVersion> {
  return readSnapshot(dataSource, async (read) => {
    const [version] = await read<{ dataVersion: number; publishedAt: Date }>(NEWEST);
    if (version === undefined) throw new ImportError('The database contains nothing to export');
    const { dataVersion, publishedAt } = version;
    const folder = join(out, `data-version-${String(dataVersion)}`);
    await makeFolder(out);
    if (await exists(folder)) {
      const existing = await readManifest(folder);
      return { ...existing, folder, existed: true };
    }
    const unfinished = await mkdtemp(join(out, `.data-version-${String(dataVersion)}-`));
    try {
      const tables: Manifest['tables'][number][] = [];
      for (const table of [SOURCES, ...EXPORTED_TABLES])
        tables.push(await writeTable(read, table, unfinished, dataVersion, onRows));
      const manifest: Manifest = { dataVersion, publishedAt: publishedAt.toISOString(), tables };
      await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await rename(unfinished, folder);
      return { ...manifest, folder, existed: false };
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new ImportError(`The disk of ${out} is full: nothing was exported`);
      throw error;
    }
  });
}

const NEWEST = `
  SELECT data_version AS "dataVersion", published_at AS "publishedAt" FROM publications
  ORDER BY data_version DESC LIMIT 1`;

const MANIFEST = 'manifest.json';

/** Both files of a table, in one pass over its rows. */
async function writeTable(
  read: Read,
  { name, columns, content, complete }: ExportedTable,
  folder: string,
  dataVersion: number,
  onRows: OnRows,
): Promise<Manifest['tables'][number]> {
  const parquet = new ParquetFile(join(folder, `${name}.parquet`), columns, dataVersion);
  const members = Object.keys(columns);
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of batchesOf(read, name, content)) {
      const rows = complete === undefined ? batch : batch.map(complete);
      await parquet.write(rows);
      count += rows.length;
      onRows(name, count);
      yield rows.map((row) => `${JSON.stringify(row, members)}\n`).join('');
    }
  }
  const json = join(folder, `${name}.ndjson.gz`);
  await pipeline(lines, createGzip(), createWriteStream(json));
  await parquet.close();
  const files = await Promise.all([json, join(folder, `${name}.parquet`)].map(describeFile));
  return { name, rows: count, columns, files };
}

async function* batchesOf(read: Read, name: string, content: ExportedTable['content']): AsyncGenerator<ExportedRow[]> {
  if (typeof content === 'function') {
    yield await content(read);
    return;
  }
  await read(`DECLARE exported_${name} NO SCROLL CURSOR FOR ${content}`);
  for (;;) {
    const rows = await read<ExportedRow>(`FETCH ${String(BATCH)} FROM exported_${name}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await read(`CLOSE exported_${name}`);
}

async function describeFile(path: string): Promise<ExportedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { file: basename(path), bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Not recursive: below some folders Node would retry for ever. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}
