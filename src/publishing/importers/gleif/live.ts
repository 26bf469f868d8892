// Fetches groups from GLEIF's API, page by page, into a folder that a later run can go on from.
import { createReadStream } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FetchOptions } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { jsonMembers } from '../reading/json-members.js';
import { describeAnswer } from './api-file.js';
import { FOLLOWED_GROUPS } from './followed-groups.js';

export interface GleifLiveSettings {
  readonly base: string;
  /** Roots of the groups to fetch, by LEI. */
  readonly groups: readonly string[];
  readonly perPage: number;
  /** GLEIF admits sixty questions a minute. */
  readonly pauseMs: number;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
}

const DEFAULTS: GleifLiveSettings = {
  base: 'https://api.gleif.org/api/v1',
  groups: FOLLOWED_GROUPS,
  perPage: 200,
  pauseMs: 1_100,
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 32_000_000 },
  waiting: REAL_WAITING,
};

/** What is asked of each group: itself, then its children with their descriptions. */
const QUESTIONS = [
  '',
  '/direct-children',
  '/direct-child-relationships',
  '/ultimate-child-relationships',
] as const;

export class GleifApi {
  private readonly settings: GleifLiveSettings;
  private asked = 0;

  constructor(settings: Partial<GleifLiveSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** The files of all groups. Pages that an earlier run left are kept and not asked for again. */
  async fetch(options: FetchOptions): Promise<string[]> {
    await mkdir(options.folder, { recursive: true });
    const { groups } = this.settings;
    const paths: string[] = [];
    for (const [index, lei] of groups.entries()) {
      for (const question of QUESTIONS) {
        for await (const path of this.pages(lei, question, options)) {
          paths.push(path);
          options.onProgress(index, groups.length, `${lei}${question}, file ${paths.length}`);
        }
      }
    }
    return paths;
  }

  private async *pages(lei: string, question: string, options: FetchOptions): AsyncGenerator<string> {
    const { perPage } = this.settings;
    for (let number = 1, last = 1; number <= last; number++) {
      const name = `${lei}${question.replace('/', '.')}.page-${String(number).padStart(4, '0')}.json`;
      const path = join(options.folder, name);
      if (!(await isWhole(path))) {
        const page = question === '' ? '' : `?page[number]=${number}&page[size]=${perPage}`;
        await this.fetchPage(
          `${this.settings.base}/lei-records/${lei}${question}${page}`,
          path,
          options.signal,
        );
      }
      yield path;
      last = Math.min(await lastPage(path), 10_000);
    }
  }

  private async fetchPage(url: string, path: string, signal: AbortSignal): Promise<void> {
    const { limits, waiting, pauseMs } = this.settings;
    if (this.asked > 0) await waiting.sleep(pauseMs, signal);
    this.asked += 1;
    await download(url, limits, waiting, signal, async (body) => {
      await describeAnswer(Readable.from([body]), url);
      await keepFile(path, body);
    });
  }
}

async function isWhole(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function lastPage(path: string): Promise<number> {
  for await (const { key, value } of jsonMembers(createReadStream(path), path)) {
    if (key !== 'meta') continue;
    const { pagination } = value as { pagination?: { lastPage?: unknown } };
    return typeof pagination?.lastPage === 'number' ? pagination.lastPage : 1;
  }
  return 1;
}
