// The output of kustomize for our kustomizations: as computed here, and as built by kubectl if it is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

/** ConfigMaps generated from files: the name by which others refer to them, and these files. */
export function generatedBy({ configMapGenerator = [] }, folder) {
  const documents = configMapGenerator.map(({ name, envs = [], files = [], options = {} }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(options.labels && { labels: options.labels }) },
    data: Object.fromEntries([
      ...envs.flatMap((file) => pairsOf(path.join(folder, file))),
      ...files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
    ]),
  }));
  return { documents, files: configMapGenerator.flatMap(({ envs = [], files = [] }) => [...envs, ...files]) };
}

/** As kustomize reads them: a value is everything after the first `=`, including quotes. */
function pairsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=([^"']*)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`${file}: ${line} is no NAME=value without quotes`);
      return [name, value];
    });
}

/**
 * Checks that each kustomization builds, that its pods refer to their settings by a name that changes with the content,
 * and that an overlay with another version has another migration.
 */
export function renderFaults(folders, root) {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  // Versions before 5 do not support all that ours use.
  const version = status === 0 ? /"kustomizeVersion": "v(\d+)/.exec(stdout)?.[1] : undefined;
  if (Number(version ?? 0) < 5) return { checked: 'not built: no kubectl with kustomize 5 here', wrong: [] };
  const wrong = folders.flatMap((folder) => {
    const built = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const name = path.relative(root, folder);
    if (built.status !== 0) return built.stderr.trim().split('\n');
    const documents = parseAllDocuments(built.stdout).map((document) => document.toJS());
    const made = documents.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    const asked = documents
      .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
      .flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef.name));
    const settled = asked.length > 0 && asked.every((one) => made.includes(one) && /-[a-z0-9]{10}$/.test(one));
    const migration = documents.find(({ kind }) => kind === 'Job');
    const [, tag] = migration.spec.template.spec.containers[0].image.split(':');
    const isOverlay = name.endsWith('example');
    return [
      ...(settled ? [] : [`${name}: a change of settings would not roll the pods`]),
      ...(isOverlay && !migration.metadata.name.endsWith(`-${tag}`)
        ? [`${name}: the migration's name does not bear the version`]
        : []),
    ];
  });
  return { checked: `${folders.length} built by kustomize ${version}`, wrong };
}
