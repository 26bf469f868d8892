// Recognises downloads that the last import of their publisher had already, so that another look at them costs nothing.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { DataSource } from 'typeorm';
import { publishingFingerprint } from '../catalogue/fingerprint.js';

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

/** Whether the publisher's last import that was not held, and did not fail, was of the same content. */
export async function isKnown(dataSource: DataSource, publisher: string, content: string): Promise<boolean> {
  const [last] = await dataSource.query<{ content: string | null }[]>(
    `SELECT content FROM sync_attempts WHERE publisher = $1 AND outcome IN ('new', 'nothing new')
     ORDER BY id DESC LIMIT 1`,
    [publisher],
  );
  return last?.content === content;
}
