import { readLockfile } from './lockfile.mjs';

/** Licences of what may ship with the service: they require at most that their notice is kept. */
const SHIPPED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  // argparse has Python's own licence: permissive, with its notice.
  'Python-2.0',
]);

/** Additional licences for tools that are never installed with the service. */
const TOOLS = new Map([
  ['Artistic-2.0', 'permissive for use; its terms are about changed copies, and none is made'],
  ['CC-BY-3.0', "spdx-exceptions: a list of names, kept with its authors' names"],
  ['CC-BY-4.0', "caniuse-lite: a table that the compiler reads, kept with its authors' names"],
  ['CC0-1.0', 'given to the public'],
  ['MPL-2.0', 'axe-core: run as it is by a test; its terms are about changed files, and none is made'],
  ['Unlicense', 'given to the public'],
  ['WTFPL', 'any use'],
  ['Zlib', 'permissive'],
]);

export const check = {
  name: 'licences',
  verifies: 'Every package stands under a permissive licence that is on the list',
  async run() {
    const packages = readLockfile();
    const isAllowed = (licence, ships) => SHIPPED.has(licence) || (!ships && TOOLS.has(licence));
    const found = packages
      .filter(({ licence, ships }) => licence === null || !holds(licence, (one) => isAllowed(one, ships)))
      .map(({ name, version, licence }) => `${name} ${version}: ${licence ?? 'names no licence'}`);
    const shipped = packages.filter(({ ships }) => ships).length;
    return { found, said: `${shipped} packages that ship, ${packages.length - shipped} tools` };
  },
};

/** An SPDX expression without nesting: one alternative must have only allowed parts. */
export function holds(expression, isAllowed) {
  return expression
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((alternative) => alternative.split(/\s+AND\s+/).every((part) => isAllowed(part.trim())));
}
