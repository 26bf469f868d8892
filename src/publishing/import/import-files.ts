import type { DataSource } from 'typeorm';
import { dayOf } from '../../figures/periods.js';
import type { ImportOptions, ImportPhase } from './import-options.js';
import type { ImportReport } from './import-report.js';
import { ImportError, type Delivery, type Importer } from '../batches/importer.js';
import { publishDelivery } from '../publish/pipeline.js';
import { publishExclusively } from '../publish/publishing-transaction.js';
import { enforceWithholding } from '../versions/enforce-withholding.js';

/** Publishes deliveries in order, each as one transaction and one data version. */
export async function importFiles(
  dataSource: DataSource,
  importer: Pick<Importer, 'publisher' | 'providers'>,
  deliveries: readonly Delivery[],
  options: ImportOptions,
): Promise<ImportReport[]> {
  const today = dayOf(options.now());
  for (const { name, vintage } of deliveries) {
    if (vintage > today) {
      throw new ImportError(
        `${name}: the vintage day ${vintage} lies in the future (today is ${today} in UTC)`,
      );
    }
  }
  const [first] = deliveries;
  if (first !== undefined && options.dryRun !== true) {
    const onWait = (): void => options.onProgress?.(first, 'waiting', 0, first.bytes);
    await enforceWithholding(dataSource, options.now(), onWait);
  }
  const reports: ImportReport[] = [];
  for (const delivery of deliveries) {
    const report = await importDelivery(dataSource, importer, delivery, options);
    reports.push(report);
    options.onReport?.(report);
  }
  return reports;
}

async function importDelivery(
  dataSource: DataSource,
  importer: Pick<Importer, 'publisher' | 'providers'>,
  delivery: Delivery,
  options: ImportOptions,
): Promise<ImportReport> {
  const started = performance.now();
  let done = 0;
  const progress = (phase: ImportPhase): void => {
    options.onProgress?.(delivery, phase, done, delivery.bytes);
  };
  const onBytes = (count: number): void => {
    done += count;
    progress('reading');
  };
  const report = await publishExclusively(
    dataSource,
    () => progress('waiting'),
    (client) => publishDelivery(client, importer, delivery, options, progress, onBytes),
  );
  return { ...report, seconds: Math.round(performance.now() - started) / 1_000 };
}
