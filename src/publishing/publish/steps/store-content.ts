import { assignValidityRanges } from '../../content/observations/validity-ranges.js';
import type { Publication } from '../../versions/record-publication.js';
import type { PublishContext } from '../publish-context.js';
import type { Comparison } from './compare-content.js';
import type { ReadContent } from './read-delivery.js';

/** Moves staged content that differs into the permanent tables. */
export async function storeContent(
  { client, delivery }: PublishContext,
  { handlers }: ReadContent,
  { observations, replaced }: Comparison,
  publication: Publication,
): Promise<void> {
  if (observations.kind !== null) {
    await assignValidityRanges(client, delivery, publication.dataVersion, replaced);
  }
  for (const handler of handlers) await handler.store(publication);
}
