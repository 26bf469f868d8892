// Requests indicators of the World Bank's API, page by page. A later run of the same request resumes where this one
// stopped.
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import {
  fetchBy,
  refusePage,
  type AsyncFetchPlan,
  type FetchRequest,
  type FetchSettings,
} from '../../downloads/fetch-plan.js';
import { CutShortError } from '../../batches/json-tokens.js';
import { quoted } from '../../batches/text.js';
import { apiParts, type ApiPage } from './api-page.js';
import { isCode } from './cells.js';

export interface WorldBankSettings extends FetchSettings {
  readonly perPage: number;
}

/** How often an indicator restarts because the World Bank updated its figures between two pages. */
const MOST_RESTARTS = 3;
const REQUEST_FILE = '.request.json';
const PAGE_FILE = /\.page-\d+\.json(\.part)?$/;

/**
 * The pages of all indicators; an indicator without figures has none. Pages of an earlier run with the same request are
 * reused, so empty the folder after the import.
 */
async function* plan(options: FetchOptions, settings: WorldBankSettings): AsyncFetchPlan<ApiPage> {
  const { indicators, regions, folder } = options;
  const odd = [...indicators, ...regions].find((code) => !isCode(code));
  if (odd !== undefined) throw new ImportError(`${quoted(odd)} is not a code of the World Bank`);
  await removePagesOfOtherRequest(options, settings);
  for (const [index, indicator] of indicators.entries()) {
    const left = indicators.length - index - 1;
    let whole = false;
    for (let restart = 0; !whole; restart++) {
      if (restart > MOST_RESTARTS) {
        throw new ImportError(`${indicator}: the World Bank kept updating its figures during the download; try later`);
      }
      if (restart > 0) await removePages(folder, `${indicator}.`);
      whole = yield* pagesOf(indicator, left, options, settings);
    }
  }
}

/** Returns false if the pages are inconsistent, because the World Bank updated the figures between them. */
function* pagesOf(
  indicator: string,
  left: number,
  { regions, since }: FetchOptions,
  { base, perPage, thisYear }: WorldBankSettings,
): Generator<FetchRequest<ApiPage>, boolean, ApiPage> {
  const where = regions.length === 0 ? 'all' : regions.join(';');
  const when = since === null ? '' : `&date=${since.slice(0, 4)}:${thisYear()}`;
  let first: ApiPage | null = null;
  for (let number = 1; number <= (first?.pages ?? 1); number++) {
    const page = yield {
      url: `${base}/country/${where}/indicator/${indicator}?format=json&per_page=${perPage}&page=${number}${when}`,
      file: `${indicator}.page-${String(number).padStart(4, '0')}.json`,
      resume: (path) => heldPage(path, number),
      accept: async (body, url) => {
        const result = await pageIn(body, url);
        if (result.total > 0 && result.page !== number)
          throw new ImportError(`${url}: the response is page ${result.page}`);
        return { result, content: result.total === 0 ? null : body };
      },
      progress: ({ pages }) => ({ what: `${indicator}, page ${number} of ${pages}`, left: left + pages - number }),
    };
    first ??= page;
    if (page.lastUpdated !== first.lastUpdated || page.pages !== first.pages || page.total !== first.total)
      return false;
  }
  return true;
}

async function removePagesOfOtherRequest(
  { folder, regions, since }: FetchOptions,
  { base, perPage }: WorldBankSettings,
): Promise<void> {
  const request = JSON.stringify({ base, perPage, regions, since });
  const path = join(folder, REQUEST_FILE);
  if ((await readFile(path, 'utf8').catch(() => null)) === request) return;
  await removePages(folder, '');
  await writeFile(path, request);
}

async function removePages(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder);
  const pages = names.filter((name) => name.startsWith(prefix) && PAGE_FILE.test(name));
  await Promise.all(pages.map((name) => rm(join(folder, name))));
}

async function heldPage(path: string, number: number): Promise<ApiPage | null> {
  if (!existsSync(path)) return null;
  for await (const { page } of apiParts(createReadStream(path), path)) return page.page === number ? page : null;
  return null;
}

async function pageIn(body: Buffer, url: string): Promise<ApiPage> {
  refusePage(body, url);
  let page: ApiPage | null = null;
  for await (const part of apiParts(Readable.from([body]), url)) page = part.page;
  if (page === null) throw new CutShortError(`${url}: the response is empty`);
  return page;
}

export const fetchIndicators = fetchBy({ base: 'https://api.worldbank.org/v2', perPage: 5_000 }, plan);
