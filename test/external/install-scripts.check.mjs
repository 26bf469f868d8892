import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';

/** Packages that report an installation to their vendor. No version of them is installed, under any name. */
const REPORTERS = new Set(['@scarf/scarf']);

/**
 * npm 11 runs the install scripts that `allowScripts` allows, older versions run all of them: so each script is decided
 * on by name, and a package whose script reports to its maker is not installed at all.
 */
export const check = {
  name: 'install-scripts',
  verifies: 'allowScripts decides on each package with an install script, and no package reports an installation',
  async run() {
    const { allowScripts } = readJson('package.json');
    const found = decisionFaults(allowScripts, packagesOf(readJson('package-lock.json')));
    const allowed = Object.values(allowScripts).filter((decision) => decision).length;
    const refused = Object.keys(allowScripts).length - allowed;
    return { found, said: `${allowed} install scripts allowed, ${refused} refused` };
  },
};

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

/** An alias is the package that it names, not the package that it replaces. */
function packagesOf({ packages }) {
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, { name, version, hasInstallScript }]) => ({
      name: name ?? place.replace(/^.*node_modules\//, ''),
      version,
      hasScript: hasInstallScript === true,
    }));
}

/**
 * @param {Record<string, boolean>} allowScripts by `name@version` where a script may run, by `name` where it may not
 * @param {{ name: string, version: string, hasScript: boolean }[]} packages
 */
export function decisionFaults(allowScripts, packages) {
  const scripted = packages.filter(({ hasScript }) => hasScript);
  const keysOf = ({ name, version }) => [name, `${name}@${version}`];
  const decided = new Set(Object.keys(allowScripts));
  return [
    ...scripted
      .filter((one) => !keysOf(one).some((key) => decided.has(key)))
      .map(({ name, version }) => `${name} ${version}: allowScripts does not decide on its install script`),
    ...[...decided]
      .filter((key) => !scripted.some((one) => keysOf(one).includes(key)))
      .map((key) => `${key}: stands in allowScripts, and no such package has an install script`),
    ...Object.entries(allowScripts)
      .filter(([key, allowed]) => allowed && !/.@\d/.test(key))
      .map(([key]) => `${key}: a script that may run is allowed for one version only`),
    ...packages
      .filter(({ name }) => REPORTERS.has(name))
      .map(({ name, version }) => `${name} ${version}: it reports installations to its maker`),
  ];
}
