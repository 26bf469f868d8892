// The variables of the environment, according to the service's own schema.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Variables that node itself and the tracing library read. */
const OTHERS = /^(NODE_OPTIONS|OTEL_[A-Z_]+)$/;

/** @returns {Set<string>} every variable of src/config/config.ts */
export function knownVariables(root) {
  const text = readFileSync(path.join(root, 'src/config/config.ts'), 'utf8');
  const schema = /const environment = z\.object\(\{\n([\s\S]*?)\n\}\);/.exec(text)?.[1] ?? '';
  const names = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name);
  if (names.length < 10) throw new Error('src/config/config.ts: its schema of the environment is not found');
  return new Set(names);
}

/** @returns {string[]} the names that nothing reads */
export function unread(root, names) {
  const known = knownVariables(root);
  return names.filter((name) => !known.has(name) && !OTHERS.test(name));
}

/** The result of the built configuration reader for an environment. @returns {Promise<string[]>} its errors */
export async function refusals(root, environment) {
  const { readConfig } = await import(path.join(root, 'dist/config/config.js'));
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
  const rows = [...text.matchAll(/^\| `([A-Z][A-Z0-9_*]*)`/gm)].map(([, name]) => name);
  const wrong = [
    ...[...known].filter((name) => !rows.includes(name)).map((name) => `${name} has no row`),
    ...unread(root, rows)
      .filter((name) => !name.endsWith('*'))
      .map((name) => `${name} has a row and is not read`),
  ];
  return { checked: `${known.size} variables`, wrong };
}
