// What fails a check and was accepted: it passes while the publisher repeats it.
import type pg from 'pg';
import type { DataSource } from 'typeorm';

/** The publisher's last digits may move: the share of an accepted figure by which a later delivery may differ from it. */
const TOLERANCE = 0.001;

const EXCEPTIONS = `
  INSERT INTO audit_exceptions (series_id, check_name, period, value, tolerance, reason, data_version)
  SELECT DISTINCT ON (series_id, check_name, period) series_id, check_name, period, value, ${TOLERANCE}, $1, $2
  FROM failed_cells f WHERE series_id IS NOT NULL AND EXISTS (SELECT FROM series s WHERE s.id = f.series_id)
  ON CONFLICT (series_id, check_name, period) DO UPDATE SET
    value = excluded.value, reason = excluded.reason, data_version = excluded.data_version`;

/** Keeps what fails and was accepted, so that it passes while the publisher repeats it. */
export async function noteExceptions(client: pg.PoolClient, dataVersion: number, reason: string): Promise<void> {
  await client.query(EXCEPTIONS, [reason, dataVersion]);
}

/** A figure that fails a check and was accepted. */
export interface AuditException {
  readonly series: string;
  readonly check: string;
  readonly period: string;
  /** Decimal text; null: its absence was accepted. */
  readonly value: string | null;
  /** Share of the value by which a later delivery may differ from it. */
  readonly tolerance: string;
  /** Who accepted it, and why. */
  readonly reason: string;
  readonly dataVersion: number;
}

export function listExceptions(dataSource: DataSource): Promise<AuditException[]> {
  return dataSource.query<AuditException[]>(
    `SELECT concat_ws(' ', s.instrument, s.indicator, s.region) AS series, e.check_name AS check, e.period,
            e.value::text, e.tolerance::text, e.reason, e.data_version AS "dataVersion"
     FROM audit_exceptions e JOIN series s ON s.id = e.series_id ORDER BY 1, e.period, e.check_name`,
  );
}
