import { DERIVERS } from '../../derive/derivers.js';
import { mergeChanges, type MergedChanges } from '../../derive/merge-changes.js';
import type { Publication } from '../../publication/record-publication.js';
import { deleteWithheldChanges } from '../../versions/withhold-source.js';
import type { PublishContext } from '../../publication/publish-context.js';

export interface DerivedContent {
  readonly counts: MergedChanges;
  /** Changes of series that are withheld from now on. */
  readonly deleted: number;
}

/** Derives changes from what is stored now and merges them with the published ones. */
export async function deriveChanges(
  { client, delivery: { vintage } }: PublishContext,
  publication: Publication,
): Promise<DerivedContent> {
  const deleted = await deleteWithheldChanges(client);
  for (const derive of DERIVERS) await derive({ client, vintage, publication });
  return { deleted, counts: await mergeChanges(client, publication) };
}
