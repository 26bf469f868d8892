import { readCatalogue, timetableOf } from '../catalogue/catalogue.js';
import type { Importer } from '../batches/importer.js';
import type { FetchContext } from '../import/fetch-files.js';
import type { SyncedPublisher } from './sync-publisher.js';
import { ownMember } from '../../domain/names/own-member.js';

/** The variable that a publisher requires and this process lacks. */
export function missingVariable(
  { publisher, requires }: Importer,
  { contact, accessCodes }: Pick<FetchContext, 'contact' | 'accessCodes'>,
): string | null {
  if (requires === undefined) return null;
  const given = requires === 'SEC_USER_AGENT' ? contact : ownMember(accessCodes ?? {}, publisher);
  return given == null ? requires : null;
}

export function syncedPublisher(importer: Importer): SyncedPublisher {
  return { importer, timetables: timetablesOf(importer.publisher) };
}

function timetablesOf(publisher: string): SyncedPublisher['timetables'] {
  const catalogue = readCatalogue();
  return catalogue.timetables
    .filter(({ provider }) => provider === publisher)
    .map(({ id }) => timetableOf(catalogue, { provider: publisher, timetable: id }));
}
