// Ends the wait of series or entities without publishing anything of them: what is served stays, and its notice goes.
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { noSuch } from '../../domain/errors/nearest.js';
import { decideHeld, type HeldDecision, type HeldDelivery } from '../audit/held-deliveries.js';
import { versionedOf, type QuarantinedSubject } from '../audit/quarantine.js';
import { ImportError } from '../batches/importer.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { closePublication, recordPublication } from '../publication/record-publication.js';

const END = `
  WITH ended AS (
    UPDATE quarantined_series q SET ended_by = $2
    WHERE q.delivery_id = $1 AND q.ended_by IS NULL AND coalesce(q.entity, (
      SELECT concat_ws(' ', s.instrument, s.indicator, s.region) FROM series s WHERE s.id = q.series_id)) = ANY ($3)
    RETURNING q.series_id)
  SELECT s.indicator, s.instrument FROM ended e LEFT JOIN series s ON s.id = e.series_id`;

/** @param names those of its waiting series or entities. @throws ImportError for one that does not wait in it */
export async function endWaitsOf(
  dataSource: DataSource,
  { id, vintage, waiting }: HeldDelivery,
  names: readonly string[],
  decision: Omit<HeldDecision, 'dataVersion'>,
): Promise<number> {
  const known = waiting.map(({ series }) => series);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ImportError(unknown.map((name) => noSuch('waiting series', name, known)).join(' '));
  return publishExclusively(
    dataSource,
    () => undefined,
    async (client: pg.PoolClient) => {
      const { state, reason, at } = decision;
      const publication = await recordPublication(client, {
        kind: 'decision',
        description: `Delivery ${id}: ${state} ${names.join(', ')}${reason === null ? '' : `: ${reason}`}`,
        vintageDay: vintage,
        now: () => at,
      });
      const { dataVersion } = publication;
      const { rows } = await client.query<QuarantinedSubject>(END, [id, dataVersion, names]);
      await decideHeld(client, id, { ...decision, dataVersion: state === 'accepted' ? dataVersion : null });
      await closePublication(client, publication, { series: rows.length }, rows.flatMap(versionedOf));
      return { keep: true, result: dataVersion };
    },
  );
}
