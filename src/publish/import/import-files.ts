import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { holdDelivery } from '../audit/held-deliveries.js';
import { dayOf } from '../../domain/figures/periods.js';
import type { ImportOptions, ImportPhase } from '../publication/import-options.js';
import { isHeldWhole, type ImportReport } from '../publication/import-report.js';
import { ImportError, type Delivery, type Importer } from '../batches/importer.js';
import { publishDelivery } from '../pipeline/pipeline.js';
import { publishExclusively, type Outcome } from '../publication/publishing-transaction.js';
import { renderAgain } from '../rendering/render-again.js';
import { enforceWithholding } from '../versions/enforce-withholding.js';

/** Publishes deliveries in order, each as one data version: a list in one transaction, each other one in its own. */
export async function importFiles(
  dataSource: DataSource,
  importer: Pick<Importer, 'publisher' | 'providers'>,
  deliveries: readonly Delivery[],
  options: ImportOptions,
): Promise<ImportReport[]> {
  const today = dayOf(options.now());
  for (const { name, vintage } of deliveries) {
    if (vintage > today) {
      throw new ImportError(`${name}: the vintage day ${vintage} lies in the future (today is ${today} in UTC)`);
    }
  }
  const [first] = deliveries;
  if (first !== undefined && options.dryRun !== true) {
    const onWait = (): void => options.onProgress?.(first, 'waiting', 0, first.bytes);
    await enforceWithholding(dataSource, options.now, onWait);
    await renderAgain(dataSource, options.now, { onWait });
  }
  const reports: ImportReport[] = [];
  for (const together of inTransactions(deliveries)) {
    const made = await importTogether(dataSource, importer, together, options);
    reports.push(...made);
    for (const report of made) options.onReport?.(report);
    // A later vintage is compared with an earlier one, so none is published before the held one is decided.
    if (made.some(isHeldWhole)) break;
  }
  return reports;
}

/** The days of a list are published together or not at all. */
function inTransactions(deliveries: readonly Delivery[]): Delivery[][] {
  const listed = deliveries.filter((delivery) => delivery.listed === true);
  const others = deliveries.filter((delivery) => delivery.listed !== true).map((delivery) => [delivery]);
  return listed.length === 0 ? others : [listed, ...others];
}

/** @returns the reports of all, or of the one that was held whole: then none is published */
async function importTogether(
  dataSource: DataSource,
  importer: Pick<Importer, 'publisher' | 'providers'>,
  deliveries: readonly Delivery[],
  options: ImportOptions,
): Promise<ImportReport[]> {
  const [first] = deliveries;
  if (first === undefined) return [];
  const reports = await publishExclusively(
    dataSource,
    () => options.onProgress?.(first, 'waiting', 0, first.bytes),
    async (client) => {
      const made: ImportReport[] = [];
      let keep = false;
      for (const delivery of deliveries) {
        const outcome = await publishOne(client, importer, delivery, options);
        if (isHeldWhole(outcome.result)) return { keep: false, result: [outcome.result] };
        made.push(outcome.result);
        keep ||= outcome.keep;
      }
      return { keep, result: made };
    },
  );
  const [report] = reports;
  if (report === undefined || !isHeldWhole(report) || options.dryRun === true) return reports;
  const heldDelivery = await holdDelivery(
    dataSource,
    importer.publisher,
    deliveries,
    { ...report, name: report.delivery },
    options,
  );
  return [{ ...report, heldDelivery }];
}

/**
 * The next delivery of the transaction uses the same temporary tables: new ones for each day of a long list would need more
 * locks than a server has. Those that are made from a query are made again.
 */
const EMPTY_TEMPORARY = `
  DO $$ DECLARE made regclass; BEGIN
    DROP TABLE IF EXISTS affected_days, brief_changes;
    DROP INDEX IF EXISTS staged_cell;
    FOR made IN
      SELECT oid FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND pg_relation_size(oid) > 0
    LOOP
      -- To truncate means a new file.
      EXECUTE format(CASE WHEN pg_relation_size(made) > 65536 THEN 'TRUNCATE %s' ELSE 'DELETE FROM %s' END, made);
    END LOOP;
  END $$; RELEASE SAVEPOINT delivery`;

async function publishOne(
  client: pg.PoolClient,
  importer: Pick<Importer, 'publisher' | 'providers'>,
  delivery: Delivery,
  options: ImportOptions,
): Promise<Outcome<ImportReport>> {
  const started = performance.now();
  let done = 0;
  const progress = (phase: ImportPhase): void => {
    options.onProgress?.(delivery, phase, done, delivery.bytes);
  };
  const onBytes = (count: number): void => {
    done += count;
    progress('reading');
  };
  await client.query('SAVEPOINT delivery');
  const { keep, result } = await publishDelivery(client, importer, delivery, options, progress, onBytes);
  // The days after a rehearsed one are compared with it.
  const stays = keep || result.outcome === 'rehearsed';
  await client.query(stays ? EMPTY_TEMPORARY : 'ROLLBACK TO SAVEPOINT delivery');
  return { keep, result: { ...result, seconds: Math.round(performance.now() - started) / 1_000 } };
}
