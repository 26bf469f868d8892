import { JsonText } from '../../responses/json-text.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { KeptDocument } from './change-documents.service.js';
import type { Change, WithdrawnChange } from './change.schema.js';

/** An item of a list of changes. Of a withdrawn change only its id and time are shown. */
export type ListedChange = JsonText<Change> | WithdrawnChange;

/** A document as a change of the API, whose sources and periods the response cites. */
export function changeOf({ json, sources, subject, periods }: KeptDocument, cite: Citations): JsonText<Change> {
  cite.sources(sources);
  if (subject !== null) cite.series(subject);
  for (const period of periods) cite.period(period);
  return json;
}

/** The changes of a list as values, without withdrawn ones. */
export const valuesOf = (changes: readonly ListedChange[]): Change[] =>
  changes.flatMap((change) => (change instanceof JsonText ? [change.value] : []));
