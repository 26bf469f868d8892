import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A hash of the compiled entry modules, their relative imports, and all files in the folders. */
export function templateHash(entries, folders) {
  const files = new Set();
  for (const entry of entries) addModule(files, entry);
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) files.add(path.join(file.parentPath, file.name));
    }
  }
  const hash = createHash('sha256');
  for (const file of [...files].sort()) hash.update(file).update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}

function addModule(files, file) {
  if (files.has(file)) return;
  files.add(file);
  if (!file.endsWith('.js')) return;
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    addModule(files, path.join(path.dirname(file), target));
  }
}
