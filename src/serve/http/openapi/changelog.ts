import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The same relative path from src/ and from dist/. */
const FILE = join(import.meta.dirname, '../../../../data/interface-versions.json');

/** A version of the HTTP interface within v1; docs/api/ keeps its OpenAPI document. */
export interface InterfaceVersion {
  /** Semantic: the second number grows with additions, the third with corrected texts. */
  readonly version: string;
  /** A day; null while it may still change. */
  readonly releasedOn: string | null;
  readonly added: readonly string[];
}

/** Newest first. */
export const INTERFACE_VERSIONS = JSON.parse(readFileSync(FILE, 'utf8')) as readonly InterfaceVersion[];

/** @throws Error if the file has no version */
export function newestInterfaceVersion(): string {
  const [newest] = INTERFACE_VERSIONS;
  if (newest === undefined) throw new Error(`${FILE} lists no version`);
  return newest.version;
}
