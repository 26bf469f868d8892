import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readStatement, type Read } from '../../../store/snapshots.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { JsonText } from '../../responses/json-text.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import type { ChangeDocumentEntity } from './change-document.entity.js';
import { documentsStatement, type ChangeRow, type DocumentRow } from './change.rows.js';
import type { Change } from './change.schema.js';

/** What one instance keeps: the newest thousand or two of a locale, which most pages show. */
const MOST_BYTES = 24_000_000;
/** A document that tools or pages have read takes about this times its JSON. */
const PARSED = 5;

/** A change as responses show it, and what it cites. */
export interface KeptDocument extends Pick<ChangeDocumentEntity, 'sources' | 'subject' | 'periods'> {
  readonly json: JsonText<Change>;
}

/**
 * The stored documents of changes, with the links of this instance. A process keeps them by data version, locale and position, so a
 * page costs PostgreSQL its positions and no document twice. Publishing renders the documents (`publish/read-models/changes/`).
 */
@Injectable()
export class ChangeDocuments {
  private readonly kept = new LRUCache<string, KeptDocument>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ json }) => json.bytes.length * PARSED,
  });

  constructor(private readonly urls: UrlBuilder) {}

  /**
   * By position; withdrawn and withheld changes have none.
   * @param version the data version in which the changes were found
   * @throws Error if another version has arrived since; in a snapshot none does
   */
  async of(
    read: Read,
    version: number,
    changes: readonly ChangeRow[],
    locale: Locale,
  ): Promise<ReadonlyMap<number, KeptDocument>> {
    const found = new Map<number, KeptDocument>();
    const missing = new Map<number, string>();
    for (const { id, position, withdrawnAt } of changes) {
      if (withdrawnAt !== null) continue;
      const kept = this.kept.get(keyOf(version, locale, position));
      if (kept === undefined) missing.set(position, id);
      else found.set(position, kept);
    }
    if (missing.size === 0) return found;
    const rows = await readStatement<DocumentRow>(read, documentsStatement([...missing.keys()], locale));
    for (const row of rows) {
      if (row.newest !== version) throw new Error('Another data version has arrived');
      const { position, document, sources, subject, periods } = row;
      if (position === null) continue;
      const id = missing.get(position) ?? '';
      const links = JSON.stringify({ id, ...this.urls.links(locale, ['changes', id]) });
      const json = new JsonText<Change>(`${links.slice(0, -1)},${document.slice(1)}`);
      const made = { json, sources, subject, periods };
      this.kept.set(keyOf(version, locale, position), made);
      found.set(position, made);
    }
    return found;
  }
}

const keyOf = (version: number, locale: Locale, position: number): string => `${version} ${locale} ${position}`;
