import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { readEntries } from '../../domain/catalogue/catalogue-files.js';
import { CURRENCIES } from '../../domain/figures/currencies.js';
import { holidaysEntry } from '../../domain/figures/holidays.js';
import { UNITS } from '../../domain/figures/units.js';
import { readAliases } from './aliases.js';
import { readCatalogue } from './catalogue.js';

/** The same folders in src/ and in dist/. */
const ROOT = join(import.meta.dirname, '../..');
/** What renders. */
const FOLDERS = [
  'domain/figures',
  'domain/locale',
  'domain/search',
  'publish/catalogue',
  'publish/derive',
  'publish/read-models',
];

/** What decides how a publisher's file is read and published. */
const PUBLISHING = ['domain/figures', 'publish'];

const known = new Map<readonly string[], string>();

/**
 * A hash of all that determines stored texts and importance: the code, the messages and the catalogue. It also changes
 * when a file changes without effect; the rendering that follows then finds nothing to publish.
 */
export const renderingFingerprint = (): string => fingerprintOf(FOLDERS);

/** The same for what is stored of a file. */
export const publishingFingerprint = (): string => fingerprintOf(PUBLISHING);

function fingerprintOf(folders: readonly string[]): string {
  const fingerprint = known.get(folders) ?? compute(folders);
  known.set(folders, fingerprint);
  return fingerprint;
}

function compute(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.d)\.(?:js|ts|json)$/.test(name)).sort()) {
      hash.update(`${folder}/${file}\n`).update(readFileSync(join(ROOT, folder, file)));
    }
  }
  const holidays = readEntries('holidays', holidaysEntry).entries;
  hash.update(JSON.stringify([readCatalogue(), readAliases(), UNITS, CURRENCIES, holidays]));
  return hash.digest('base64url').slice(0, 22);
}

/** Whether the newest publication was made with this code and catalogue; false if there is none. */
export async function isRenderedBy(client: Pick<pg.PoolClient, 'query'>, fingerprint: string): Promise<boolean> {
  const { rows } = await client.query<{ current: boolean }>(
    'SELECT rendered_by IS NOT DISTINCT FROM $1 AS current FROM publications ORDER BY data_version DESC LIMIT 1',
    [fingerprint],
  );
  return rows[0]?.current === true;
}
