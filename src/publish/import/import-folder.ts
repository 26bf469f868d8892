// Imports everything below one folder: whose a file is shows in its content, and deliveries go in the order of their days.
import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { DataSource } from 'typeorm';
import { dayOf } from '../../domain/figures/periods.js';
import { BadRowsError, badRowLine } from '../publication/bad-rows.js';
import { ImportError, type Delivery, type Importer } from '../batches/importer.js';
import type { ImportOptions } from '../publication/import-options.js';
import { isHeldWhole, type ImportReport } from '../publication/import-report.js';
import { importFiles } from './import-files.js';
import { DOCUMENT, publisherOf } from './stray-files.js';

/** What became of a delivery, or of a file that is in none. */
export interface FolderRow {
  readonly path: string;
  readonly publisher: string | null;
  readonly vintage: string | null;
  readonly outcome: ImportReport['outcome'] | 'left out';
  /** Why it was left out. */
  readonly reason: string | null;
  readonly report: ImportReport | null;
}

type OnProgress = NonNullable<ImportOptions['onProgress']>;
export interface FolderOptions extends Omit<ImportOptions, 'onProgress'> {
  readonly onProgressOf: (publisher: string, ...step: Parameters<OnProgress>) => void;
}

interface Found {
  readonly importer: Importer;
  /** The days of a list have the path of the first. */
  readonly path: string;
  readonly delivery: Delivery;
}

/**
 * A delivery that is refused or held does not stop the others; only later ones of its publisher wait for one that is held whole.
 * @param given the day of files that state none; null: that on which a file was last written
 */
export async function importFolder(
  dataSource: DataSource,
  importers: readonly Importer[],
  folder: string,
  given: string | null,
  { onProgressOf, ...options }: FolderOptions,
): Promise<FolderRow[]> {
  const rows: FolderRow[] = [];
  const leave = (path: string, reason: string, publisher: string | null, vintage: string | null): void =>
    void rows.push({ path, publisher, vintage, outcome: 'left out', reason, report: null });
  const found: Found[] = [];
  for (const files of await filesBelow(folder)) {
    for (const [importer, own] of await byImporter(files, importers)) {
      if (importer === null)
        for (const path of own) {
          const { publisher, reason } = await whyNone(path, importers);
          leave(path, reason, publisher, null);
        }
      else found.push(...(await opened(importer, own, given, leave)));
    }
  }
  const held = new Set<Importer>();
  for (const { importer, path, delivery } of inOrder(found)) {
    const { vintage } = delivery;
    if (held.has(importer)) {
      leave(path, 'an earlier one of the publisher is held', importer.publisher, vintage);
      continue;
    }
    const onProgress: ImportOptions['onProgress'] = (...step) => onProgressOf(importer.publisher, ...step);
    try {
      for (const report of await importFiles(dataSource, importer, [delivery], { ...options, onProgress })) {
        const { vintage: day, outcome } = report;
        if (isHeldWhole(report)) held.add(importer);
        rows.push({ path, publisher: importer.publisher, vintage: day, outcome, reason: null, report });
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      const first = error instanceof BadRowsError ? error.listed.slice(0, 1).map(badRowLine) : [];
      leave(path, [error.message, ...first].join(' '), importer.publisher, vintage);
    }
  }
  return rows;
}

/** The data files of each folder, the folder itself first. */
async function filesBelow(folder: string): Promise<string[][]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = names.filter((entry) => entry.isFile() && !DOCUMENT.test(entry.name));
  const below: string[][] = [];
  for (const { name } of names.filter((entry) => entry.isDirectory())) {
    below.push(...(await filesBelow(join(folder, name))));
  }
  return [files.map(({ name }) => join(folder, name)), ...below];
}

async function byImporter(
  paths: readonly string[],
  importers: readonly Importer[],
): Promise<Map<Importer | null, string[]>> {
  const groups = new Map<Importer | null, string[]>();
  for (const path of paths) {
    const importer = await publisherOf(path, importers);
    groups.set(importer, [...(groups.get(importer) ?? []), path]);
  }
  return groups;
}

/** Below a folder that is named for a publisher, as downloads are: why this one refuses the file. */
async function whyNone(
  path: string,
  importers: readonly Importer[],
): Promise<{ publisher: string | null; reason: string }> {
  const likely = importers.find(({ publisher }) => path.split(sep).includes(publisher));
  try {
    await likely?.open([path], await lastWritten([path]));
  } catch (error) {
    if (error instanceof ImportError) return { publisher: likely?.publisher ?? null, reason: error.message };
    throw error;
  }
  return { publisher: null, reason: 'no publisher has such a file' };
}

/** Files of one folder and day belong together, unless they contradict each other. */
async function opened(
  importer: Importer,
  paths: readonly string[],
  given: string | null,
  leave: (path: string, reason: string, publisher: string, vintage: null) => void,
): Promise<Found[]> {
  for (const vintage of [null, given ?? (await lastWritten(paths))]) {
    try {
      const deliveries = await importer.open(paths, vintage);
      const list = deliveries.find(({ listed }) => listed === true);
      return deliveries.map((delivery) => ({
        importer,
        path: (delivery.listed === true ? list : undefined)?.name ?? delivery.name,
        delivery,
      }));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      if (vintage === null) continue;
      if (paths.length === 1) leave(paths[0] ?? '', error.message, importer.publisher, null);
    }
  }
  const alone: Found[] = [];
  if (paths.length > 1) for (const path of paths) alone.push(...(await opened(importer, [path], given, leave)));
  return alone;
}

async function lastWritten(paths: readonly string[]): Promise<string> {
  const days = await Promise.all(paths.map(async (path) => dayOf((await stat(path)).mtime)));
  return days.sort().at(-1) ?? '';
}

/** By day; of one day the widest file first, so that an extract of it has nothing to add. An archive has a quarter of its size. */
const inOrder = (found: readonly Found[]): Found[] => {
  const dayIn = ({ delivery: { vintage } }: Found): string => vintage;
  const sizeOf = ({ path, delivery: { bytes } }: Found): number => bytes * (/\.zip$/i.test(path) ? 4 : 1);
  return [...found].sort((a, b) => (dayIn(a) === dayIn(b) ? sizeOf(b) - sizeOf(a) : dayIn(a) < dayIn(b) ? -1 : 1));
};
