import { JsonText } from '../../responses/json-text.js';
import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { ChangeRow } from './change.rows.js';
import type { Change, WithdrawnChange } from './change.schema.js';

/** An item of a list of changes. Of a withdrawn change only its id and time are shown. */
export type ListedChange = JsonText<Change> | WithdrawnChange;

/** A detail of another resource with a page of changes inside. */
export type WithChanges<Detail> = Omit<Detail, 'changes'> & { readonly changes: readonly ListedChange[] };

/**
 * A stored document as a change of the API, with the links of this instance; null for one that is not shown. Publishing
 * renders the documents (`publishing/read-models/changes/`).
 */
export function changeOf(
  row: ChangeRow,
  urls: UrlBuilder,
  locale: Locale,
  cite: Citations,
): JsonText<Change> | null {
  const { id, document, sources, subject, periods } = row;
  if (document === null || sources === null || periods === null) return null;
  cite.sources(sources);
  if (subject !== null) cite.series(subject);
  for (const period of periods) cite.period(period);
  const links = JSON.stringify({ id, ...urls.links(locale, ['changes', id]) });
  return new JsonText(`${links.slice(0, -1)},${document.slice(1)}`);
}

/** The changes of a list as values, without withdrawn ones. */
export const valuesOf = (changes: readonly ListedChange[]): Change[] =>
  changes.flatMap((change) => (change instanceof JsonText ? [change.value] : []));
