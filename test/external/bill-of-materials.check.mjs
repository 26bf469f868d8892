import { writeFile } from 'node:fs/promises';
import { linesOf, runCommand } from './command.mjs';
import { readLockfile } from './lockfile.mjs';

/**
 * The software bill of materials; `BILL_OF_MATERIALS=file.json` keeps it. npm makes it of everything and this cuts it
 * down to what ships: with `--omit dev` npm 11 leaves out whatever a tool needs too, a hundred packages of ours.
 */
export const check = {
  name: 'bill-of-materials',
  verifies:
    'The bill of materials (CycloneDX) is whole: each installed package that ships, once, with licence and digest',
  async run() {
    const { status, output, errors } = await runCommand('npm', [
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
    ]);
    if (status !== 0) return { found: linesOf(errors).slice(0, 10) };
    const packages = readLockfile().map((one) => ({ ...one, id: `${one.name}@${one.version}` }));
    const bill = cutDown(JSON.parse(output), packages);
    const file = process.env.BILL_OF_MATERIALS;
    if (file !== undefined && file !== '') await writeFile(file, JSON.stringify(bill, null, 2));
    const found = [...formFaults(bill), ...bill.components.flatMap(componentFaults), ...gaps(bill, packages)];
    return { found, said: `${bill.components.length} components, CycloneDX ${bill.specVersion}` };
  },
};

/** The same bill of what ships alone, under the project's name: npm takes the folder's. */
function cutDown(bill, packages) {
  const shipped = new Set(packages.filter(({ ships }) => ships).map(({ id }) => id));
  const components = bill.components
    .filter((one) => shipped.has(one['bom-ref']))
    .map((one) => ({ ...one, name: packageOf(one), properties: [] }));
  const { component } = bill.metadata;
  const kept = new Set([component, ...components].map((one) => one['bom-ref']));
  const dependencies = withoutWorkspaces(bill)
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  const metadata = { ...bill.metadata, component: { ...component, name: 'tidemark' } };
  return { ...bill, metadata, components, dependencies };
}

/** A workspace package is part of the project: what it needs, the project needs. */
function withoutWorkspaces({ components, dependencies }) {
  const isOwn = ({ purl }) => purl.startsWith('pkg:npm/%40tidemark/');
  const own = new Set(components.filter(isOwn).map((one) => one['bom-ref']));
  const needs = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  return dependencies.map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: [...new Set(dependsOn.flatMap((one) => (own.has(one) ? needs.get(one) : [one])))],
  }));
}

/** npm gives an override by another package the name of the place it takes; its reference names the package itself. */
function packageOf({ 'bom-ref': reference, version }) {
  return reference.slice(0, -`@${version}`.length);
}

/** What CycloneDX demands of a document of this kind. */
function formFaults({ bomFormat, specVersion, serialNumber, version, metadata, components, dependencies }) {
  const references = [metadata.component, ...components].map((one) => one['bom-ref']);
  const named = new Set(references);
  return [
    ...(bomFormat === 'CycloneDX' && /^1\.[5-9]$/.test(specVersion) ? [] : ['is no CycloneDX of 1.5 or later']),
    ...(/^urn:uuid:[0-9a-f-]{36}$/.test(serialNumber) && version >= 1 ? [] : ['has no serial number']),
    ...(metadata.component.purl.startsWith('pkg:npm/tidemark@') ? [] : ['is about something else']),
    ...(Number.isNaN(Date.parse(metadata.timestamp)) ? ['does not say when it was made'] : []),
    ...(named.size === references.length ? [] : ['names a component twice']),
    ...dependencies
      .flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn])
      .filter((reference) => !named.has(reference))
      .map((reference) => `${reference} is depended on and not listed`),
  ];
}

function componentFaults({ name, version, type, purl, licenses = [], hashes = [] }) {
  const wrong = [
    ...(type === 'library' && name && version ? [] : ['type, name or version']),
    ...(/^pkg:npm\/.+@.+/.test(purl) ? [] : ['package address']),
    ...(licenses.length > 0 ? [] : ['licence']),
    ...(hashes.some(({ alg, content }) => alg === 'SHA-512' && /^[0-9a-f]{128}$/.test(content)) ? [] : ['digest']),
  ];
  return wrong.map((what) => `${name} ${version}: no ${what}`);
}

/** What ships and is not listed, and what nothing that is listed leads to. */
function gaps({ metadata, components, dependencies }, packages) {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const reached = new Set([metadata.component['bom-ref']]);
  const leadsTo = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  for (const reference of reached) for (const next of leadsTo.get(reference) ?? []) reached.add(next);
  return [
    ...packages
      .filter(({ id, ships, installed }) => ships && installed && !listed.has(id))
      .map(({ id }) => `${id} ships and is not on the bill`),
    ...components
      .filter((one) => !reached.has(one['bom-ref']))
      .map((one) => `${one['bom-ref']} is on the bill and nothing needs it`),
  ];
}
