import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';

/**
 * Every package that the lock file names.
 * @returns {{ name: string, version: string, ships: boolean, installed: boolean, licence: string | null }[]}
 *   `ships`: `npm ci --omit=dev` installs it; `installed`: on this machine's platform
 */
export function readLockfile() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, { version, license, dev }]) => {
      const file = path.join(root, place, 'package.json');
      const installed = existsSync(file);
      const own = installed ? JSON.parse(readFileSync(file, 'utf8')) : {};
      const name = own.name ?? place.replace(/^.*node_modules\//, '');
      return { name, version, ships: dev !== true, installed, licence: licenceOf(own) ?? license ?? null };
    });
}

/** The formats of package.json over the years: a text, an object, a list of objects. */
function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  if (typeof license?.type === 'string') return license.type;
  return Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : null;
}
