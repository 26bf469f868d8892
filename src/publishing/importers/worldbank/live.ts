// Fetches indicators from the World Bank's API, page by page, into a folder that a later run can go on from.
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FetchOptions } from '../importer.js';
import { ImportError } from '../importer.js';
import type { ApiPage } from './api-page.js';
import { apiParts } from './api-page.js';
import { isCode } from './cells.js';
import type { DownloadLimits, Waiting } from '../reading/download.js';
import { download, keepFile, REAL_WAITING } from '../reading/download.js';
import { CutShortError } from '../reading/json-tokens.js';
import { quoted, wordsOf } from '../reading/text.js';

export interface LiveSettings {
  readonly base: string;
  readonly perPage: number;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  readonly thisYear: () => number;
}

const DEFAULTS: LiveSettings = {
  base: 'https://api.worldbank.org/v2',
  perPage: 5_000,
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 32_000_000 },
  waiting: REAL_WAITING,
  thisYear: () => new Date().getUTCFullYear(),
};

/** How often an indicator is begun again because the figures were updated between two of its pages. */
const MOST_RESTARTS = 3;
const QUESTION_FILE = '.question.json';
const PAGE_FILE = /\.page-\d+\.json(\.part)?$/;

export class WorldBankApi {
  private readonly settings: LiveSettings;

  constructor(settings: Partial<LiveSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /**
   * The page files of all indicators. Pages that an earlier run left for the same question are kept and not asked
   * for again, so the folder is to be emptied once its figures are imported. An indicator without figures has none.
   */
  async fetch(options: FetchOptions): Promise<string[]> {
    const odd = [...options.indicators, ...options.regions].find((code) => !isCode(code));
    if (odd !== undefined) throw new ImportError(`${quoted(odd)} is not a code of the World Bank`);
    await this.keepQuestion(options);
    const paths: string[] = [];
    for (const [position, indicator] of options.indicators.entries()) {
      const left = options.indicators.length - position - 1;
      const report = (page: number, pages: number): void =>
        options.onProgress(
          paths.length + page,
          paths.length + pages + left,
          `${indicator}, page ${page} of ${pages}`,
        );
      paths.push(...(await this.indicatorPages(indicator, options, report)));
    }
    return paths;
  }

  private async indicatorPages(
    indicator: string,
    options: FetchOptions,
    report: (page: number, pages: number) => void,
  ): Promise<string[]> {
    for (let restart = 0; restart <= MOST_RESTARTS; restart++) {
      const paths = await this.pagesOfOneDay(indicator, options, report);
      if (paths !== null) return paths;
      await removePages(options.folder, `${indicator}.`);
    }
    throw new ImportError(
      `${indicator}: the World Bank kept updating its figures while they were fetched; try later`,
    );
  }

  /** `null` when pages do not belong together: the figures were updated between them. */
  private async pagesOfOneDay(
    indicator: string,
    options: FetchOptions,
    report: (page: number, pages: number) => void,
  ): Promise<string[] | null> {
    const paths: string[] = [];
    let first: ApiPage | null = null;
    for (let number = 1; number <= (first?.pages ?? 1); number++) {
      const path = join(options.folder, `${indicator}.page-${String(number).padStart(4, '0')}.json`);
      const page = (await heldPage(path, number)) ?? (await this.fetchPage(indicator, number, options, path));
      if (page.total === 0) return [];
      first ??= page;
      if (page.lastUpdated !== first.lastUpdated || page.pages !== first.pages || page.total !== first.total)
        return null;
      paths.push(path);
      report(number, first.pages);
    }
    return paths;
  }

  private async fetchPage(
    indicator: string,
    number: number,
    options: FetchOptions,
    path: string,
  ): Promise<ApiPage> {
    const url = this.address(indicator, number, options);
    const { limits, waiting } = this.settings;
    return download(url, limits, waiting, options.signal, async (body) => {
      const page = await pageIn(body, url);
      if (page.total === 0) return page;
      if (page.page !== number) throw new ImportError(`${url}: the answer is page ${page.page}`);
      await keepFile(path, body);
      return page;
    });
  }

  private address(indicator: string, page: number, { regions, since }: FetchOptions): string {
    const { base, perPage, thisYear } = this.settings;
    const where = regions.length === 0 ? 'all' : regions.join(';');
    const when = since === null ? '' : `&date=${since.slice(0, 4)}:${thisYear()}`;
    return `${base}/country/${where}/indicator/${indicator}?format=json&per_page=${perPage}&page=${page}${when}`;
  }

  /** Pages of another question must not be taken for this one's. */
  private async keepQuestion({ folder, regions, since }: FetchOptions): Promise<void> {
    const { base, perPage } = this.settings;
    const question = JSON.stringify({ base, perPage, regions, since });
    const path = join(folder, QUESTION_FILE);
    await mkdir(folder, { recursive: true });
    const held = await readFile(path, 'utf8').catch(() => null);
    if (held === question) return;
    await removePages(folder, '');
    await writeFile(path, question);
  }
}

async function removePages(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder);
  const pages = names.filter((name) => name.startsWith(prefix) && PAGE_FILE.test(name));
  await Promise.all(pages.map((name) => rm(join(folder, name))));
}

/** What the page of an earlier run says of itself; `null` when there is none that can be kept. */
async function heldPage(path: string, number: number): Promise<ApiPage | null> {
  try {
    await access(path);
  } catch {
    return null;
  }
  for await (const { page } of apiParts(createReadStream(path), path))
    return page.page === number ? page : null;
  return null;
}

/** Reads the whole body, so that nothing is kept which an import would refuse as cut. */
async function pageIn(body: Buffer, url: string): Promise<ApiPage> {
  const text = body
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text.startsWith('<'))
    throw new ImportError(`${url}: the answer is HTML or XML that says ${wordsOf(text)}`);
  let page: ApiPage | null = null;
  for await (const part of apiParts(Readable.from([body]), url)) page = part.page;
  if (page === null) throw new CutShortError(`${url}: the answer is empty`);
  return page;
}
