import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';

/** Tools of which the build copies a prebuilt bundle to dist/: that file ships, and the package does not. */
const BUNDLED = ['redoc'];

/** Licences of packages whose package.json names none, or names it imprecisely: as their LICENSE files have them. */
const BY_FILE = new Map([
  ['decko', 'MIT'],
  ['stickyfill', 'MIT'],
  ['url-template', 'BSD-3-Clause'],
]);

/**
 * Every package that the lock file names.
 * @returns {{ name: string, version: string, ships: boolean, bundle: boolean, inBundle: boolean, installed: boolean,
 *   licence: string | null }[]} `ships`: `npm ci --omit=dev` installs it; `bundle`: a file of it ships; `inBundle`: such
 *   a file may contain it; `installed`: on this machine's platform
 */
export function readLockfile() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const bundled = needed(packages, BUNDLED);
  return Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, { version, license, dev }]) => {
      const file = path.join(root, place, 'package.json');
      const installed = existsSync(file);
      const own = installed ? JSON.parse(readFileSync(file, 'utf8')) : {};
      const name = own.name ?? place.replace(/^.*node_modules\//, '');
      return {
        name,
        version,
        ships: dev !== true,
        bundle: BUNDLED.includes(name),
        inBundle: bundled.has(name),
        installed,
        licence: BY_FILE.get(name) ?? licenceOf(own) ?? license ?? null,
      };
    });
}

/** The names of these packages and of all that they need. Versions in a bundle may be others than in the lock file. */
function needed(packages, names) {
  const found = new Set(names);
  for (const name of found) {
    for (const [place, { dependencies, peerDependencies }] of Object.entries(packages)) {
      if (!place.endsWith(`node_modules/${name}`)) continue;
      for (const next of Object.keys({ ...dependencies, ...peerDependencies })) found.add(next);
    }
  }
  return found;
}

/** The formats of package.json over the years: a text, an object, a list of objects. */
function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  if (typeof license?.type === 'string') return license.type;
  return Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : null;
}
