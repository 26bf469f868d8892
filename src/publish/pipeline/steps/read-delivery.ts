import { CONTENT_HANDLERS } from '../../content/content-handlers.js';
import type { ContentHandler } from '../../content/content-handler.js';
import { DeliveryStager, type StagedDelivery } from '../../content/observations/delivery-stager.js';
import { createObservationStaging } from '../../content/observations/staging-tables.js';
import type { PublishContext } from '../../publication/publish-context.js';

export interface ReadContent {
  readonly observations: StagedDelivery;
  readonly handlers: readonly ContentHandler[];
}

/** Copies what the delivery contains into staging tables. */
export async function readDelivery(
  context: PublishContext,
  options: { readonly skipBadRows: boolean; readonly onBytes: (count: number) => void },
): Promise<ReadContent> {
  await createObservationStaging(context.client);
  const handlers: ContentHandler[] = [];
  for (const open of CONTENT_HANDLERS) handlers.push(await open(context));
  return { handlers, observations: await DeliveryStager.stage(context, handlers, options) };
}
