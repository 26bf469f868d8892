import type { Documented } from '../contract/document.js';
import { fill, pathOf } from './paths.js';

/** Fills segments from the data, otherwise from the document's example, and required parameters from their examples. */
export function addressIn(
  { path, operation }: Documented,
  segments: ReadonlyMap<string, readonly string[]>,
  locale: string,
): string {
  const example = operation.parameters.find((one) => one.in === 'path')?.example ?? 'none';
  const filled = fill(path, segments.get(pathOf(path))?.[0] ?? example);
  const query = new URLSearchParams({ locale });
  for (const { name, required, in: place, schema } of operation.parameters) {
    if (place === 'query' && required) query.set(name, schema.examples?.[0] ?? '');
  }
  return `${filled}?${query.toString()}`;
}
