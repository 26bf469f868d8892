// The variables of the environment, according to the service's own schema.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Variables that node itself, the C library and the tracing library read. */
const OTHERS = /^(NODE_OPTIONS|MALLOC_ARENA_MAX|OTEL_[A-Z_]+)$/;

/** @returns {Set<string>} every variable in the schemas of src/domain/config */
export function knownVariables(root) {
  const folder = path.join(root, 'src/domain/config');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name));
  if (names.length < 10) throw new Error('src/config: no schema of the environment');
  return new Set(names);
}

/** @returns {string[]} the names that nothing reads */
export function unread(root, names) {
  const known = knownVariables(root);
  return names.filter((name) => !known.has(name) && !OTHERS.test(name));
}

/** The result of the built configuration reader for an environment. @returns {Promise<string[]>} its errors */
export async function refusals(root, environment) {
  const { readConfig } = await import(path.join(root, 'dist/domain/config/config.js'));
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error.lines ?? [error.message];
  }
}

/** Every variable has a row in the documentation, and every row a variable. */
export function checkVariables(root) {
  const known = knownVariables(root);
  const text = readFileSync(path.join(root, 'docs/reference/configuration.md'), 'utf8');
  const cells = [...text.matchAll(/^\| (`[A-Z][A-Z0-9_*]*`(?:, `[A-Z][A-Z0-9_*]*`)*) /gm)];
  const rows = cells.flatMap(([, cell]) => cell.replaceAll('`', '').split(', '));
  const wrong = [
    ...[...known].filter((name) => !rows.includes(name)).map((name) => `${name} has no row`),
    ...unread(root, rows)
      .filter((name) => !name.endsWith('*'))
      .map((name) => `${name} has a row and is not read`),
  ];
  return { checked: `${known.size} variables`, wrong };
}
