// Recognises downloads that the last import of their publisher had already, so that another look at them costs nothing.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { DataSource } from 'typeorm';
import { publishingFingerprint } from '../catalogue/fingerprint.js';
import type { AttemptOutcome } from './schedule.js';

/** A figure that was taken back, replaced or withheld may come again with the same file. */
const TAKEN_BACK = `
  SELECT coalesce(max(data_version), 0) AS version FROM publications WHERE kind NOT IN ('import', 'rendering')`;

/** Of the files' content, and of all else that decides what an import of them does. */
export async function contentOf(dataSource: DataSource, paths: readonly string[]): Promise<string> {
  const [row] = await dataSource.query<{ version: number }[]>(TAKEN_BACK);
  const hash = createHash('sha256').update(`${publishingFingerprint()} ${row?.version ?? 0}`);
  for (const path of paths) {
    const file = createHash('sha256');
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) file.update(chunk);
    hash.update(`\n${basename(path)} `).update(file.digest());
  }
  return hash.digest('base64url');
}

/** The last attempt that did not fail, if it was of the same content. */
export async function attemptOn(
  dataSource: DataSource,
  publisher: string,
  content: string,
): Promise<{ readonly outcome: AttemptOutcome; readonly why: string | null } | null> {
  const [last] = await dataSource.query<{ content: string | null; outcome: AttemptOutcome; why: string | null }[]>(
    `SELECT content, outcome, why FROM sync_attempts WHERE publisher = $1 AND outcome <> 'failed'
     ORDER BY id DESC LIMIT 1`,
    [publisher],
  );
  return last?.content === content ? last : null;
}

/** Whether something of the publisher waits: a whole delivery, or series; if `since` is given, held after it. */
export async function isWaiting(dataSource: DataSource, publisher: string, since: Date | null): Promise<boolean> {
  const rows = await dataSource.query<unknown[]>(
    `SELECT 1 FROM held_deliveries
     WHERE publisher = $1 AND state = 'held' AND ($2::timestamptz IS NULL OR held_at > $2) LIMIT 1`,
    [publisher, since],
  );
  return rows.length > 0;
}
