import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNITS } from '../../figures/units.js';
import { readAliases } from '../catalogue/aliases.js';
import { readCatalogue } from '../catalogue/catalogue.js';

/** What renders: the same folders in src/ and in dist/. */
const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['figures', 'locale', 'search', 'publishing/derive', 'publishing/read-models'];

let known: string | undefined;

/**
 * A hash of all that determines stored texts and importance: the code, the messages and the catalogue. It also changes
 * when a file changes without effect; the rendering that follows then finds nothing to publish.
 */
export function renderingFingerprint(): string {
  return (known ??= compute());
}

function compute(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.d)\.(?:js|ts|json)$/.test(name)).sort()) {
      hash.update(`${folder}/${file}\n`).update(readFileSync(join(ROOT, folder, file)));
    }
  }
  hash.update(JSON.stringify([readCatalogue(), readAliases(), UNITS]));
  return hash.digest('base64url').slice(0, 22);
}
