import type { Family } from '../../../domain/sources/families.js';
import { assignValidityRanges } from '../../content/observations/validity-ranges.js';
import type { Publication } from '../../publication/record-publication.js';
import type { PublishContext } from '../../publication/publish-context.js';
import type { Comparison } from './compare-content.js';
import type { ReadContent } from './read-delivery.js';

/** Moves staged content that differs into the permanent tables. Returns the families that show it, beside figures. */
export async function storeContent(
  { client, delivery }: PublishContext,
  { handlers }: ReadContent,
  { observations, replaced }: Comparison,
  publication: Publication,
): Promise<readonly Family[]> {
  if (observations.kind !== null) {
    await assignValidityRanges(client, delivery, publication.dataVersion, replaced);
  }
  const families: Family[] = [];
  for (const handler of handlers) families.push(...(await handler.store(publication)));
  return families;
}
