// Renders changes as responses show them, in the transaction that moves what they show.
import type pg from 'pg';
import { LOCALES } from '../../../domain/locale/locale.js';
import { columnsOf } from '../../../store/columns-of.js';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import type { Publication } from '../../publication/record-publication.js';
import type { RefreshScope } from '../refresh-scope.js';
import { FACTS, readShownNames, SHOWN, type StoredChange } from './change-facts.js';
import { renderChange } from './render-change.js';

const BATCH = 500;

const TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS moved_changes (position bigint NOT NULL) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS rendered_documents (LIKE change_documents) ON COMMIT DROP`;

/** Changes of the publication, and those that show an entity, a company or a signal that it moved. */
const AFFECTED = `
  INSERT INTO moved_changes
  SELECT position FROM affected_changes WHERE how <> 'deleted'
  UNION SELECT l.position FROM affected_entities e JOIN change_entities l ON l.entity = e.id
  UNION SELECT l.position FROM moved_signals m JOIN signal_changes l ON l.signal = m.id
  UNION SELECT unlinked FROM moved_signals WHERE unlinked IS NOT NULL`;

const ALL = 'INSERT INTO moved_changes SELECT position FROM changes';

const HIDE = `
  DELETE FROM change_documents d USING moved_changes v, changes c
  WHERE d.position = v.position AND c.position = v.position AND NOT (${SHOWN})`;

const COLUMNS = `position, ${LOCALES.join(', ')}, sources, subject, periods`;

const STORE = `
  INSERT INTO change_documents AS d (${COLUMNS}) SELECT ${COLUMNS} FROM rendered_documents
  ON CONFLICT (position) DO UPDATE SET (${COLUMNS}) = ROW (${columnsOf('excluded', COLUMNS)})
    WHERE d IS DISTINCT FROM excluded`;

/** Renders the changes that the publication moved. Returns how many documents differ. */
export async function refreshChangeDocuments(
  client: pg.PoolClient,
  _publication: Publication,
  scope: RefreshScope,
): Promise<number> {
  return renderInto(client, scope === 'affected' || scope === 'series' ? AFFECTED : ALL);
}

/** Renders every change. Returns how many documents differ. */
export const renderAllChanges = (client: pg.PoolClient): Promise<number> => renderInto(client, ALL);

async function renderInto(client: pg.PoolClient, moved: string): Promise<number> {
  await client.query(TABLES);
  await client.query(moved);
  await client.query('ANALYZE moved_changes');
  let differing = (await client.query(HIDE)).rowCount ?? 0;
  const names = await readShownNames(client);
  const copy = new CopyBuffer(client, `rendered_documents (${COLUMNS})`);
  await client.query(`DECLARE moved_facts NO SCROLL CURSOR FOR ${FACTS}`);
  for (;;) {
    const { rows } = await client.query<StoredChange>(`FETCH ${String(BATCH)} FROM moved_facts`);
    if (rows.length === 0) break;
    for (const facts of rows) {
      const { position, texts, cited } = renderChange(facts, names);
      const [subject = null] = cited.citedSeries;
      copy.add([
        position,
        ...LOCALES.map((locale) => texts[locale]),
        arrayOf(cited.cited),
        subject,
        arrayOf([...cited.periods]),
      ]);
    }
    await copy.flush();
    differing += (await client.query(STORE)).rowCount ?? 0;
    await client.query('TRUNCATE rendered_documents');
  }
  // Not dropped: the next day of a list in this transaction would need new locks for new tables.
  await client.query('CLOSE moved_facts; TRUNCATE moved_changes');
  return differing;
}

/** Ids and periods need no quotation marks. */
const arrayOf = (values: readonly string[]): string => `{${values.join(',')}}`;
