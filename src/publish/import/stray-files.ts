import type { Delivery, Importer, OnStrayFile } from '../batches/importer.js';
import { ImportError } from '../batches/importer.js';

/** A file of a folder that the import left out. */
export interface StrayFile {
  readonly path: string;
  /** Why it is none of the publisher's files. */
  readonly reason: string;
  /** The publisher whose file it is; null if it is nobody's. */
  readonly publisher: string | null;
}

/** Some files state no day of their own; any will do to recognise them. */
const ANY_DAY = '2000-01-01';

/** What people keep beside data. */
export const DOCUMENT = /\.(?:md|txt|rst|log|html?|pdf|docx?|odt|png|jpe?g|gif|svg)$/i;

/**
 * Opens the publisher's files among the given ones.
 * @throws ImportError for a file that was named and is not the publisher's, if a folder has none of them, and if a data
 * file is nobody's: it may be the publisher's, and broken
 */
export async function openOwnFiles(
  importer: Importer,
  importers: readonly Importer[],
  paths: readonly string[],
  vintage: string | null,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly strays: readonly StrayFile[] }> {
  const found: (readonly [path: string, reason: string])[] = [];
  const onStray: OnStrayFile = (path, reason) => void found.push([path, reason]);
  const deliveries = await importer.open(paths, vintage, onStray);
  const others = importers.filter((other) => other !== importer);
  const strays: StrayFile[] = [];
  for (const [path, reason] of found)
    strays.push({ path, reason, publisher: (await publisherOf(path, others))?.publisher ?? null });
  if (deliveries.length === 0 && strays.length > 0) {
    throw new ImportError([`No file is one of ${importer.publisher}`, ...strays.map(strayLine)].join('; '));
  }
  const unknown = strays.filter(({ path, publisher }) => publisher === null && !DOCUMENT.test(path));
  if (unknown.length > 0) {
    throw new ImportError(
      [
        'Nothing was imported: a file that no publisher has may be broken; get it again, or take it out of the folder',
        ...unknown.map(strayLine),
      ].join('; '),
    );
  }
  return { deliveries, strays };
}

/** Whose file it is, by its content; null: nobody's. */
export async function publisherOf(path: string, importers: readonly Importer[]): Promise<Importer | null> {
  for (const importer of importers) {
    for (const vintage of [null, ANY_DAY]) {
      const opened = await importer.open([path], vintage).catch(noneIfRefused);
      if (opened.length > 0) return importer;
    }
  }
  return null;
}

function noneIfRefused(error: unknown): readonly Delivery[] {
  if (error instanceof ImportError) return [];
  throw error;
}

/** Messages name the file themselves, or not. */
export function strayLine({ path, reason, publisher }: StrayFile): string {
  const why = reason.includes(path) ? reason : `${path}: ${reason}`;
  return publisher === null ? why : `${path} is a file of ${publisher}: import it with that name`;
}
