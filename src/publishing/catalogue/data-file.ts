import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The relative path is the same from src/ and from dist/. */
const FOLDER = join(import.meta.dirname, '../../../data/catalogue');

/** A file of the catalogue, before validation. */
export function readDataFile(name: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}
