// Requests groups from GLEIF's API, page by page. A later run on the same day resumes where this one stopped.
import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { jsonMembers } from '../../batches/json-parts.js';
import { describeApiFile } from './api-file.js';

/** The groups that `--live` requests, by the LEI of the entity whose children the API lists. */
const FOLLOWED_GROUPS: readonly string[] = [
  '529900K9B0N5BT694847', // Allianz SE
  '21380068P1DRHMJ8KU70', // Shell plc
  '851WYGNLUQLFZBSYGB56', // Commerzbank AG
  'INR2EJN1ERAN0W5ZP974', // Microsoft Corporation
  '529900GRZ2BQY5ZM9N49', // PUMA SE
  '5299001ERX0K10IZUL40', // Fraport AG
  'HWUPKR0MPOU8FGXBT394', // Apple Inc.
];

export interface GleifSettings extends FetchSettings {
  /** Roots of the groups to fetch, by LEI. */
  readonly groups: readonly string[];
  readonly perPage: number;
}

/** For each group: the root, then its children with their descriptions. */
const LISTS = ['', '/direct-children', '/direct-child-relationships', '/ultimate-child-relationships'] as const;

function* plan(_: FetchOptions, { base, groups, perPage }: GleifSettings): FetchPlan<number> {
  for (const [index, lei] of groups.entries()) {
    for (const list of LISTS) {
      for (let number = 1, last = 1; number <= Math.min(last, 10_000); number++) {
        const page = list === '' ? '' : `?page[number]=${number}&page[size]=${perPage}`;
        last = yield {
          url: `${base}/lei-records/${lei}${list}${page}`,
          file: `${lei}${list.replace('/', '.')}.page-${String(number).padStart(4, '0')}.json`,
          resume: async (path) => (existsSync(path) ? lastPage(createReadStream(path), path) : null),
          accept: async (body, url) => {
            await describeApiFile(Readable.from([body]), url);
            return { result: await lastPage(Readable.from([body]), url), content: body };
          },
          progress: () => ({ what: `${lei}${list}, page ${number}`, left: groups.length - index - 1 }),
        };
      }
    }
  }
}

async function lastPage(chunks: AsyncIterable<Uint8Array>, name: string): Promise<number> {
  for await (const { key, value } of jsonMembers(chunks, name)) {
    if (key !== 'meta') continue;
    const { pagination } = value as { pagination?: { lastPage?: unknown } };
    return typeof pagination?.lastPage === 'number' ? pagination.lastPage : 1;
  }
  return 1;
}

export const fetchGroups = fetchBy(
  {
    base: 'https://api.gleif.org/api/v1',
    groups: FOLLOWED_GROUPS,
    perPage: 200,
    // GLEIF allows sixty requests a minute.
    pauseMs: 1_100,
  },
  plan,
);
