import type { Connections } from '../../store/connections.js';
import { createDataSource } from '../../store/data-source.js';
import type { Publication } from '../../publish/publication/record-publication.js';
import { requireHeldEntries } from '../../publish/catalogue/held-entries.js';
import { renderAgain } from '../../publish/rendering/render-again.js';

/** Brings stored texts in line with this version's words and catalogue, after the schema. */
export async function renderStoredTexts(
  connections: Connections,
  say: (line: string) => void,
): Promise<Publication | null> {
  const settings = { size: 2, statementTimeout: 0, applicationName: 'tidemark-rendering' };
  const database = await createDataSource(connections.to('import'), settings).initialize();
  try {
    return await renderAgain(database, () => new Date(), {
      onStart: () => say('Rendering the stored texts again: words, rules or the catalogue changed …'),
    });
  } finally {
    await database.destroy();
  }
}

/** @throws if the catalogue of this process is not that of the stored figures */
export async function requireCatalogue(connections: Connections): Promise<void> {
  const settings = { size: 1, statementTimeout: 10_000, applicationName: 'tidemark-catalogue' };
  const database = await createDataSource(connections.to('api'), settings).initialize();
  try {
    await requireHeldEntries(database);
  } finally {
    await database.destroy();
  }
}
