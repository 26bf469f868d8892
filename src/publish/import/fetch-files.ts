import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf } from '../../domain/figures/periods.js';
import type { FetchOptions, Importer } from '../batches/importer.js';
import { downloadedOn } from '../batches/source-files.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import { ownMember } from '../../domain/names/own-member.js';

/** What a download needs of its process. */
export interface FetchContext {
  /** The folder of the service's own files. */
  readonly dataDir: string;
  readonly now: () => Date;
  /** The contact that some publishers require in the user agent. */
  readonly contact?: string | null;
  /** The operator's API keys, by publisher. */
  readonly accessCodes?: Readonly<Record<string, string | null>>;
}

/**
 * Downloads a publisher's current content. The files stay in the data folder, so that a broken download can resume; the
 * folder is named for the day, which is the vintage of files that state none.
 */
export async function fetchFiles(
  { dataDir, now, contact, accessCodes }: FetchContext,
  importer: Importer,
  options: Pick<FetchOptions, 'since' | 'onProgress' | 'signal'>,
): Promise<string[]> {
  const folder = join(downloadsOf(dataDir, importer), downloadedOn(dayOf(now())));
  await mkdir(folder, { recursive: true });
  const { indicators, regions } = readCatalogue();
  const files = await importer.fetch?.({
    folder,
    indicators: indicators
      .filter(({ provider }) => provider === importer.publisher)
      .map(({ providerCode }) => providerCode),
    regions: regions.map(({ code, alpha3 }) => alpha3 ?? code),
    contact: contact ?? null,
    accessCode: ownMember(accessCodes ?? {}, importer.publisher) ?? null,
    ...options,
  });
  return files ?? [];
}

export const downloadsOf = (dataDir: string, { publisher }: Pick<Importer, 'publisher'>): string =>
  join(dataDir, 'downloads', publisher);
