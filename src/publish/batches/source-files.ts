// Finds the files that the operator named: files, folders, and folders of day-named folders.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isDay } from '../../domain/figures/periods.js';
import { ImportError, type OnStrayFile } from './importer.js';

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  /** The path as typed, with the day-named folder if there is one. */
  readonly origin: string;
  /** The day in the name of the file's folder. */
  readonly day: string | null;
  /** Found in a folder; the operator did not name the file itself. */
  readonly found: boolean;
  /** The day on which it was downloaded, in the name of its folder: its vintage if nothing else states one. */
  readonly retrievedOn: string | null;
}

export interface RecognisedSource<File> extends SourceFile {
  readonly recognised: File;
}

/** The name of a folder of files that were downloaded on one day. */
export const downloadedOn = (day: string): string => `retrieved-${day}`;

const DAY_LIKE = /^(retrieved-)?(\d{4}-\d{2}-\d{2})$/;
const NOT_DATA = /^(\..*|SOURCE\.md|README(\..*)?)$/i;

/**
 * The files with what `recognise` makes of them, without stray ones in folders if the caller takes those.
 * @throws ImportError for a file that the operator named
 */
export async function recognisedSources<File>(
  paths: readonly string[],
  recognise: (path: string) => Promise<File>,
  onStray: OnStrayFile | undefined,
): Promise<RecognisedSource<File>[]> {
  const sources: RecognisedSource<File>[] = [];
  for (const source of await sourceFiles(paths)) {
    try {
      sources.push({ ...source, recognised: await recognise(source.path) });
    } catch (error) {
      if (!source.found || onStray === undefined || !(error instanceof ImportError)) throw error;
      onStray(source.path, error.message);
    }
  }
  return sources;
}

/** Sorted by path, each file once. Folders are read one level deep. */
async function sourceFiles(paths: readonly string[]): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const path of paths) {
    const files = await filesAt(path);
    if (files.length === 0) throw new ImportError(`${path} contains no files to import`);
    for (const file of files) found.set(resolve(file.path), file);
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

async function filesAt(path: string): Promise<SourceFile[]> {
  const stats = await stat(path).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file or folder' : `it cannot be read (${code ?? 'unknown'})`;
    throw new ImportError(`${path}: ${why}`, { cause });
  });
  if (!stats.isDirectory())
    return [{ path, bytes: stats.size, origin: path, found: false, ...dayNamed(dirname(resolve(path))) }];
  const here = await filesIn(path, path);
  const below = await Promise.all(here.folders.map((folder) => filesIn(folder, folder)));
  const [tooDeep] = below.flatMap(({ folders }) => folders);
  if (tooDeep !== undefined) throw new ImportError(`${tooDeep}: folders are read one level deep; name this one itself`);
  return [here, ...below].flatMap(({ files }) => files);
}

async function filesIn(folder: string, origin: string): Promise<{ files: SourceFile[]; folders: string[] }> {
  const files: SourceFile[] = [];
  const folders: string[] = [];
  const named = dayNamed(resolve(folder));
  for (const { name } of await readdir(folder, { withFileTypes: true })) {
    if (NOT_DATA.test(name)) continue;
    const path = join(folder, name);
    const stats = await stat(path);
    if (stats.isDirectory()) folders.push(path);
    else files.push({ path, bytes: stats.size, origin, found: true, ...named });
  }
  return { files, folders };
}

function dayNamed(folder: string): Pick<SourceFile, 'day' | 'retrievedOn'> {
  const [, retrieved, name] = DAY_LIKE.exec(basename(folder)) ?? [];
  if (name === undefined) return { day: null, retrievedOn: null };
  if (!isDay(name)) throw new ImportError(`The folder ${folder} is named like a day, but there is no such day`);
  return retrieved === undefined ? { day: name, retrievedOn: null } : { day: null, retrievedOn: name };
}
