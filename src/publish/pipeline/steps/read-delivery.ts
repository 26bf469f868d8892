import type { ContentHandler, OpenContentHandler } from '../../content/content-handler.js';
import { openEventHandler } from '../../content/events/event-handler.js';
import { DeliveryStager, type StagedDelivery } from '../../content/observations/delivery-stager.js';
import { createObservationStaging } from '../../content/observations/staging-tables.js';
import { openRegisterHandler } from '../../content/register/register-handler.js';
import type { PublishContext } from '../../publication/publish-context.js';

/** In this order: later ones may refer to rows that earlier ones stored. */
const CONTENT_HANDLERS: readonly OpenContentHandler[] = [openRegisterHandler, openEventHandler];

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
