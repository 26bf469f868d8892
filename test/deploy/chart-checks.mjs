import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Ajv from 'ajv';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { generatedFiles } from '../../scripts/manifests.mjs';
import { readManifests } from './kubernetes-checks.mjs';

const CHART = 'docker/helm/tidemark';
/**
 * What the chart adds to the manifests: the effect of its values, and the parts that only one of the two tools
 * understands.
 */
const CHOSEN = {
  image: { repository: 'registry.example/tidemark', tag: '9.9.9' },
  replicas: { min: 5, max: 6 },
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
  settings: { BASE_URL: 'https://figures.example' },
  gateway: { host: 'figures.example', namespace: 'edge', parentRefs: [{ name: 'public', namespace: 'edge' }] },
  outgoing: true,
  monitoring: { namespace: 'watch' },
};

/** Generated files equal what their sources generate, and the default chart equals the kustomization. */
export async function checkGenerated(root) {
  const files = generatedFiles();
  const stale = [...files]
    .filter(
      ([file, text]) => !existsSync(path.join(root, file)) || readFileSync(path.join(root, file), 'utf8') !== text,
    )
    .map(([file]) => `${file} is stale: npm run manifests`);
  const extra = readdirSync(path.join(root, CHART), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !files.has(file))
    .map((file) => `${file} is made by nothing`);
  const hasHelm = spawnSync('helm', ['version']).status === 0;
  const render = hasHelm ? renderByHelm : renderHere;
  const wrong = [
    ...stale,
    ...extra,
    ...misfits(root),
    ...sameAsManifests(render(root, {}), root),
    ...follows(render(root, CHOSEN)),
  ];
  const by = hasHelm ? 'rendered by helm' : 'rendered by a stand-in that knows our four template forms: no helm here';
  return { checked: `${files.size} files, the chart ${by}`, wrong };
}

/** The schema takes the default and the chosen values, and no misspelt one or one of another type. */
function misfits(root) {
  const read = (file) => readFileSync(path.join(root, CHART, file), 'utf8');
  const fits = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));
  const defaults = parse(read('values.yaml'));
  const wrong = [
    { ...defaults, replica: { min: 1 } },
    { ...defaults, settings: { ...defaults.settings, PORT: 3000 } },
  ];
  return [
    ...[defaults, merged(defaults, CHOSEN)].filter((one) => !fits(one)).map(() => 'its schema refuses good values'),
    ...wrong.filter((one) => fits(one)).map(() => 'its schema takes wrong values'),
  ];
}

function sameAsManifests(rendered, root) {
  const expected = readManifests(path.join(root, 'docker/kubernetes/service'))
    .filter(({ kind }) => kind !== 'Namespace')
    .map(comparable);
  const made = rendered.map(comparable);
  const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
  return [
    ...expected
      .filter((one) => !made.some((other) => isDeepStrictEqual(other, one)))
      .map((one) => `the chart has no ${nameOf(one)} like the manifest's`),
    ...made
      .filter((one) => !expected.some((other) => nameOf(other) === nameOf(one)))
      .map((one) => `no manifest is like the chart's ${nameOf(one)}`),
  ];
}

/** Hooks differ by tool, kustomize sets the tag, and the checksum replaces the hash in the ConfigMap's name. */
function comparable(document) {
  const { annotations: _own, ...metadata } = document.metadata;
  const text = JSON.stringify({ ...document, metadata });
  return JSON.parse(text.replace(/"image":"tidemark:[^"]+"/g, '"image":"tidemark"'), (key, value) =>
    key === 'annotations' && value['checksum/settings'] !== undefined ? undefined : value,
  );
}

/** Each value has its effect. */
function follows(rendered) {
  const find = (kind) => rendered.find((document) => document.kind === kind);
  const { template } = find('Deployment').spec;
  const { spec: route } = find('HTTPRoute') ?? { spec: {} };
  const images = JSON.stringify(rendered).match(/"image":"[^"]+"/g) ?? [];
  const said = {
    image: images.length === 3 && images.every((image) => image === '"image":"registry.example/tidemark:9.9.9"'),
    replicas: find('HorizontalPodAutoscaler').spec.minReplicas === 5,
    resources: isDeepStrictEqual(template.spec.containers[0].resources, CHOSEN.resources),
    settings: find('ConfigMap').data.BASE_URL === CHOSEN.settings.BASE_URL,
    'a roll when settings change': /^[0-9a-f]{64}$/.test(template.metadata.annotations['checksum/settings']),
    gateway: isDeepStrictEqual([route.hostnames, route.parentRefs], [['figures.example'], CHOSEN.gateway.parentRefs]),
    'the way out': rendered.some(({ metadata }) => metadata.name === 'tidemark-outgoing'),
    'the namespaces of gateway and monitoring': ['edge', 'watch'].every((name) =>
      JSON.stringify(rendered.filter(({ kind }) => kind === 'NetworkPolicy')).includes(`"${name}"`),
    ),
  };
  return Object.entries(said)
    .filter(([, isSo]) => !isSo)
    .map(([what]) => `the chart's values do not decide on ${what}`);
}

function renderByHelm(root, values) {
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', 'tidemark', path.join(root, CHART), '--namespace', 'tidemark', '--values', '-'],
    { input: stringify(values), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`helm: ${stderr}`);
  return documentsIn(stdout);
}

/** Helm's language is far larger: anything except these four forms is refused, so that this code never guesses. */
function renderHere(root, given) {
  const folder = path.join(root, CHART);
  const defaults = parse(readFileSync(path.join(folder, 'values.yaml'), 'utf8'));
  const values = merged(defaults, given);
  const of = (place) => place.split('.').reduce((value, key) => value[key], values);
  const templates = readdirSync(path.join(folder, 'templates')).filter((name) => name !== 'NOTES.txt');
  return templates.flatMap((name) => {
    const text = readFileSync(path.join(folder, 'templates', name), 'utf8')
      .replaceAll(/^\{\{- if \.Values\.([\w.]+) \}\}\n([\s\S]*?)\{\{- end \}\}\n/gm, (_, place, body) =>
        of(place) ? body : '',
      )
      .replaceAll(/ \{\{- toYaml \.Values\.([\w.]+) \| nindent (\d+) \}\}/g, (_, place, indent) =>
        stringify(of(place)).trimEnd().replaceAll(/^/gm, ' '.repeat(indent)).replace(/^/, '\n'),
      )
      .replaceAll('{{ toYaml .Values.settings | sha256sum }}', '0'.repeat(64))
      .replaceAll(/\{\{ \.Values\.([\w.]+) \}\}/g, (_, place) => String(of(place)));
    if (text.includes('{{')) throw new Error(`${name}: a template form that only helm can render`);
    return documentsIn(text);
  });
}

/** Merges as helm does: objects by key, everything else by the given value. */
function merged(defaults, given) {
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(defaults) || !isObject(given)) return given;
  const keys = Object.entries(given).map(([key, value]) => [
    key,
    key in defaults ? merged(defaults[key], value) : value,
  ]);
  return { ...defaults, ...Object.fromEntries(keys) };
}

function documentsIn(text) {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((document) => document !== null);
}
