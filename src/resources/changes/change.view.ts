import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Locale } from '../../locale/locale.js';
import type { Citations } from '../../sources/citations.js';
import type { ChangeRow } from './change.rows.js';
import type { Change } from './change.schema.js';

/**
 * A stored document as a change of the API, with the links of this instance; null for one that is not shown. Publishing
 * renders the documents (`publishing/read-models/changes/`).
 */
export function changeOf(row: ChangeRow, urls: UrlBuilder, locale: Locale, cite: Citations): Change | null {
  const { id, document, sources, subject, periods } = row;
  if (document === null || sources === null || periods === null) return null;
  cite.sources(sources);
  if (subject !== null) cite.series(subject);
  for (const period of periods) cite.period(period);
  const links = JSON.stringify({ id, ...urls.links(locale, ['changes', id]) });
  return JSON.parse(`${links.slice(0, -1)},${document.slice(1)}`) as Change;
}
