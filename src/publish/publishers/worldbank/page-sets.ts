import { ImportError } from '../../batches/importer.js';
import type { ApiPage } from './api-page.js';
import { grouped } from '../../../domain/grouped.js';

export interface HeldPage {
  readonly file: string;
  readonly indicator: string;
  readonly page: ApiPage;
}

/**
 * Refuses a paged response without all of its pages: the missing figures would look absent. Responses to different
 * requests may share a folder; each page must then occur equally often.
 */
export function requireWholeSets(held: readonly HeldPage[]): void {
  const sets = grouped(held, ({ indicator, page: { pages, perPage, total, lastUpdated } }) =>
    [indicator, pages, perPage, total, lastUpdated].join(' '),
  );
  for (const set of sets.values()) {
    const [first] = set;
    const counts = new Map<number, number>();
    for (const { page } of set) counts.set(page.page, (counts.get(page.page) ?? 0) + 1);
    const answers = Math.max(...counts.values());
    const { pages } = first.page;
    for (let page = 1; page <= pages; page++) {
      if (counts.get(page) === answers) continue;
      throw new ImportError(`${first.file}: page ${page} of ${pages} of ${first.indicator} is missing`);
    }
  }
}
