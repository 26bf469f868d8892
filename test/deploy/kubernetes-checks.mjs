import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { modelsOf, strangers } from './kubernetes-members.mjs';
import { promiseFaults } from './kubernetes-promises.mjs';
import { generatedBy, renderFaults } from './kustomize.mjs';
import { refusals, unread } from './variables.mjs';

/** Kinds without a schema for Node 20. */
const UNDESCRIBED = new Set(['HTTPRoute']);
/** Folders of manifests; the overlay beside them has no manifests of its own, and is only built. */
const FOLDERS = [
  'kubernetes/service',
  'kubernetes/gateway',
  'kubernetes/outgoing',
  'kubernetes/monitored',
  'monitoring',
];
const BUILT = ['kubernetes/service', 'kubernetes/monitored', 'kubernetes/example'];
/** Prometheus's own files, from which the manifests beside them are generated. */
const SOURCES = new Set(['alerts.yaml', 'alerts.test.yaml']);
/** Placeholders for the cluster's secrets. */
const SECRETS = {
  DATABASE_URL: 'postgres://a@b/c',
  DATABASE_ACCOUNT_URL: 'postgres://a@b/c',
  DATABASE_REPLICA_URL: 'postgres://a@b/c',
  DATABASE_ADMIN_URL: 'postgres://a@b/c',
  DATABASE_IMPORT_URL: 'postgres://a@b/c',
  EIA_API_KEY: 'ThisIsNobodysAccessCode0001',
  ESTAT_APP_ID: '0123456789abcdef0123456789abcdef01234567',
  SEC_USER_AGENT: 'Own ada@example.com',
  REDIS_URL: 'redis://a',
  KEY_PEPPER: 'a:0123456789abcdef',
};

/** Checks the manifests against Kubernetes' schemas, for unknown members, and against each other and the service. */
export async function checkKubernetes(root) {
  const docker = path.join(root, 'docker');
  const documents = FOLDERS.flatMap((folder) => readManifests(path.join(docker, folder)));
  const known = documents.filter(({ kind }) => !UNDESCRIBED.has(kind));
  const wrong = [];
  for (const document of known) {
    try {
      const model = (await import(modelsOf(document)))[document.kind];
      if (model === undefined) throw new Error('there is no such kind');
      new model(document).validate();
    } catch (error) {
      wrong.push(`${label(document)}: ${error.message}`);
    }
  }
  const rendered = renderFaults(
    BUILT.map((folder) => path.join(docker, folder)),
    root,
  );
  wrong.push(...strangers(known, label), ...fits(documents), ...promiseFaults(documents, label));
  wrong.push(...rendered.wrong);
  for (const pod of podsOf(documents)) {
    wrong.push(...securityFaults(pod), ...(await environmentFaults(root, pod, documents)));
  }
  const kinds = `${UNDESCRIBED.size} kind without a schema`;
  return { checked: `${documents.length} manifests, ${kinds}; ${rendered.checked}`, wrong };
}

/** The manifests that a kustomization lists or generates, with its labels. */
export function readManifests(folder) {
  const kustomization = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8'));
  const { resources, labels = [] } = kustomization;
  const written = resources
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(path.join(folder, name), 'utf8')))
    .map((document) => document.toJS());
  const generated = generatedBy(kustomization, folder);
  const documents = [...written, ...generated.documents];
  const listed = [...resources, ...generated.files, 'kustomization.yaml'];
  const unlisted = readdirSync(folder).filter((name) => !listed.includes(name) && !SOURCES.has(name));
  if (unlisted.length > 0) throw new Error(`${folder}: nothing lists ${unlisted.join(', ')}`);
  const given = Object.assign({}, ...labels.map(({ pairs }) => pairs));
  for (const document of documents) {
    for (const { metadata } of [document, templateOf(document)].filter(Boolean)) {
      metadata.labels = { ...metadata.labels, ...given };
    }
  }
  return documents;
}

const label = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const templateOf = ({ spec }) => spec?.jobTemplate?.spec.template ?? spec?.template;

function podsOf(documents) {
  return documents
    .filter((document) => templateOf(document) !== undefined)
    .map((document) => {
      const { metadata, spec } = templateOf(document);
      return { name: label(document), labels: metadata.labels, spec, containers: spec.containers };
    });
}

/** Names, ports and selectors: the references between manifests. */
function fits(documents) {
  const wrong = [];
  const find = (kind, name) => documents.find((one) => one.kind === kind && one.metadata.name === name);
  const pods = podsOf(documents);
  const matched = (selector) =>
    pods.filter((pod) => Object.entries(selector).every(([key, value]) => pod.labels[key] === value));
  for (const document of documents) {
    const { kind, spec } = document;
    const say = (text) => wrong.push(`${label(document)}: ${text}`);
    if (kind === 'Service') {
      const [pod] = matched(spec.selector);
      if (pod === undefined) say('it selects no pod');
      for (const { targetPort } of spec.ports)
        if (!portsOf(pod).has(targetPort)) say(`the pods have no port ${targetPort}`);
    }
    if (['Deployment', 'PodDisruptionBudget'].includes(kind) && matched(spec.selector.matchLabels).length !== 1)
      say('it selects other pods than its own');
    if (kind === 'HorizontalPodAutoscaler' && !find(spec.scaleTargetRef.kind, spec.scaleTargetRef.name))
      say('it scales nothing');
    if (kind === 'NetworkPolicy' && spec.podSelector.matchLabels && matched(spec.podSelector.matchLabels).length === 0)
      say('it selects no pod');
    if (kind === 'ServiceMonitor') {
      const service = documents.find(
        (one) =>
          one.kind === 'Service' &&
          Object.entries(spec.selector.matchLabels).every(([key, value]) => one.metadata.labels[key] === value),
      );
      for (const { port } of spec.endpoints)
        if (!service?.spec.ports.some(({ name }) => name === port)) say(`no service has a port ${port}`);
    }
  }
  const api = pods.find(({ name }) => name === 'Deployment/tidemark');
  const { data } = find('ConfigMap', 'tidemark-settings');
  const ports = portsOf(api);
  if (String(ports.get('http')) !== data.PORT) wrong.push(`the container's port is not PORT, ${data.PORT}`);
  if (String(ports.get('metrics')) !== data.METRICS_PORT)
    wrong.push(`the container's port is not METRICS_PORT, ${data.METRICS_PORT}`);
  const [container] = api.containers;
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    if (!ports.has(container[probe]?.httpGet.port)) wrong.push(`${probe} asks a port that is not there`);
  }
  const admitted = find('NetworkPolicy', 'tidemark-api').spec.ingress.flatMap((rule) =>
    rule.ports.map(({ port }) => port),
  );
  for (const port of ports.values())
    if (!admitted.includes(port)) wrong.push(`no network policy lets anyone to port ${port}`);
  return wrong;
}

function portsOf(pod) {
  return new Map(
    (pod?.containers ?? []).flatMap(({ ports = [] }) => ports.map(({ name, containerPort }) => [name, containerPort])),
  );
}

/** The requirements of Kubernetes' own standard "restricted", and resource bounds. */
function securityFaults({ name, spec, containers }) {
  const wrong = [];
  const want = (so, text) => so || wrong.push(`${name}: ${text}`);
  want(spec.securityContext?.runAsNonRoot === true && spec.securityContext.runAsUser > 0, 'it may run as root');
  want(spec.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'it has no seccomp profile');
  want(spec.automountServiceAccountToken === false, 'it gets a token of the cluster');
  want(spec.enableServiceLinks === false, 'it gets variables of services, which could be taken for ours');
  for (const { securityContext: own, resources } of containers) {
    want(own?.readOnlyRootFilesystem === true, 'its root file system can be written');
    want(own?.allowPrivilegeEscalation === false, 'it may gain rights');
    want(own?.capabilities?.drop?.includes('ALL'), 'it keeps capabilities');
    want(
      resources?.requests?.cpu && resources.requests.memory && resources.limits?.memory,
      'its resources have no bounds',
    );
  }
  return wrong;
}

async function environmentFaults(root, { name, containers }, documents) {
  const wrong = [];
  for (const { env = [], envFrom = [] } of containers) {
    const maps = envFrom.map(({ configMapRef }) =>
      documents.find((one) => one.kind === 'ConfigMap' && one.metadata.name === configMapRef?.name),
    );
    if (maps.includes(undefined)) wrong.push(`${name}: envFrom names what is not there`);
    const environment = Object.assign({}, ...maps.map((map) => map?.data));
    for (const { name: variable, value, valueFrom } of env) {
      const key = valueFrom?.secretKeyRef?.key;
      if (value !== undefined && variable in SECRETS)
        wrong.push(`${name}: ${variable} is a secret and stands in the manifest`);
      if (key !== undefined && !(key in SECRETS)) wrong.push(`${name}: a secret has no ${key}`);
      environment[variable] = value ?? SECRETS[key];
    }
    wrong.push(...unread(root, Object.keys(environment)).map((variable) => `${name}: nothing reads ${variable}`));
    wrong.push(...(await refusals(root, environment)).map((line) => `${name}: the service refuses ${line}`));
  }
  return wrong;
}
