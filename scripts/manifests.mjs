// Generates a Helm chart and a PrometheusRule from the Kubernetes manifests and the alert rules. `npm run check:deploy`
// fails if one of these files is stale. `npm run manifests`
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

const root = path.dirname(import.meta.dirname);
const CHART = 'docker/helm/tidemark';
const NAME = { 'app.kubernetes.io/name': 'tidemark' };
const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' };

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const documentsOf = (file) => parseAllDocuments(read(file)).map((document) => document.toJS());

/** @returns {Map<string, string>} text by file */
export function generatedFiles() {
  const { version } = JSON.parse(read('package.json'));
  const sources = parse(read('docker/kubernetes/service/kustomization.yaml')).resources;
  const documents = sources.flatMap((file) => documentsOf(`docker/kubernetes/service/${file}`));
  const [route] = documentsOf('docker/kubernetes/gateway/route.yaml');
  const [outgoing] = documentsOf('docker/kubernetes/outgoing/network.yaml');
  const settings = settingsOf(read('docker/kubernetes/service/settings.env'));
  const templates = documents
    .filter(({ kind }) => kind !== 'Namespace')
    .map((document) => [`${document.kind}-${document.metadata.name}`, templateOf(document)]);
  return new Map([
    ['docker/monitoring/prometheus-rule.yaml', prometheusRule()],
    [`${CHART}/Chart.yaml`, chart(version)],
    [`${CHART}/values.yaml`, values(documents, settings, version)],
    [`${CHART}/values.schema.json`, `${JSON.stringify(schemaOf(settings), null, 2)}\n`],
    [`${CHART}/templates/NOTES.txt`, NOTES],
    [`${CHART}/templates/ConfigMap-tidemark-settings.yaml`, SETTINGS],
    [
      `${CHART}/templates/NetworkPolicy-tidemark-outgoing.yaml`,
      `{{- if .Values.outgoing }}\n${templateOf(outgoing)}{{- end }}\n`,
    ],
    [`${CHART}/templates/HTTPRoute-tidemark.yaml`, `{{- if .Values.gateway.host }}\n${templateOf(route)}{{- end }}\n`],
    ...templates.map(([name, text]) => [`${CHART}/templates/${name}.yaml`, text]),
  ]);
}

function prometheusRule() {
  const { groups } = parse(read('docker/monitoring/alerts.yaml'));
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'tidemark', labels: NAME },
    spec: { groups },
  };
  return `# Made from alerts.yaml: npm run manifests\n${stringify(rule, { lineWidth: 0 })}`;
}

const chart = (version) => `# Made from docker/kubernetes: npm run manifests
apiVersion: v2
name: tidemark
description: Verified changes in economic figures, over HTTP and MCP
type: application
version: ${version}
appVersion: ${version}
`;

const SETTINGS = `apiVersion: v1
kind: ConfigMap
metadata:
  name: tidemark-settings
  labels:
    app.kubernetes.io/name: tidemark
data: {{- toYaml .Values.settings | nindent 2 }}
`;

const NOTES = `Tidemark {{ .Chart.AppVersion }} at {{ .Values.settings.BASE_URL }}

Before the first start, the namespace needs the secrets tidemark-api, tidemark-owner and tidemark-import
(docs/how-to/deploy-kubernetes.md). The migration runs first, as a hook; then the figures:

  kubectl -n {{ .Release.Namespace }} create job first-sync --from=cronjob/tidemark-sync
  kubectl -n {{ .Release.Namespace }} exec deploy/tidemark -- node dist/cli.js accounts create --account ada@example.com --plan pro
  kubectl -n {{ .Release.Namespace }} exec deploy/tidemark -- node dist/cli.js keys create --account ada@example.com

{{- if not .Values.gateway.host }}
There is no route to the service yet: set gateway.host, or route to the service tidemark, port 80.
{{- end }}
{{- if not .Values.outgoing }}
Instances reach nothing on the internet: set outgoing=true for mail, webhooks or an OpenID provider.
{{- end }}
`;

/** Helm refuses values that do not fit: an unknown member, a number in place of a text. */
function schemaOf(settings) {
  const object = (properties, rest = {}) => ({ type: 'object', additionalProperties: false, properties, ...rest });
  const text = { type: 'string' };
  const name = { type: 'string', minLength: 1 };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({
      global: { type: 'object' },
      image: object({ repository: name, tag: name }),
      replicas: object({ min: { type: 'integer', minimum: 1 }, max: { type: 'integer', minimum: 1 } }),
      resources: { type: 'object' },
      settings: {
        type: 'object',
        additionalProperties: text,
        propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
        required: Object.keys(settings).filter((key) => ['NODE_ENV', 'BASE_URL'].includes(key)),
      },
      gateway: object({ host: text, namespace: name, parentRefs: { type: 'array', items: { type: 'object' } } }),
      outgoing: { type: 'boolean' },
      monitoring: object({ namespace: name }),
    }),
  };
}

function values(documents, settings, version) {
  const find = (kind) => documents.find((document) => document.kind === kind).spec;
  const { minReplicas: min, maxReplicas: max } = find('HorizontalPodAutoscaler');
  const { resources } = find('Deployment').template.spec.containers[0];
  const part = (value) => stringify(value, { lineWidth: 0 }).trim();
  return `# Made from docker/kubernetes: npm run manifests. PostgreSQL, Redis and the secrets are the cluster's own: docs/how-to/deploy-kubernetes.md.
${part({ image: { repository: 'tidemark', tag: version } })}
# Autoscaler. Each instance opens connections to PostgreSQL: docs/how-to/database.md, Connections.
${part({ replicas: { min, max } })}
# Resources of an instance. The heap is limited to 512 MB: keep the memory limit above it.
${part({ resources })}
# Every variable: docs/reference/configuration.md. All are texts: on the command line use \`--set-string\`. A change
# rolls the pods.
# BASE_URL is the URL that clients use; TRUSTED_PROXIES are the gateway's pods, whose X-Forwarded-For is trusted.
${part({ settings })}
# With a host name, an HTTPRoute for the Gateways of \`parentRefs\`. Requests come only from pods of \`namespace\`.
${part({ gateway: { host: '', namespace: 'gateway', parentRefs: [{ name: 'gateway', namespace: 'gateway' }] } })}
# Whether instances reach the internet: an OpenID provider, receivers of webhooks, a mail server.
${part({ outgoing: false })}
# The namespace of Prometheus, which may read metrics.
${part({ monitoring: { namespace: 'monitoring' } })}
`;
}

function settingsOf(text) {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** The manifest with the kustomization's label, and with the chart's values for configurable fields. */
function templateOf(manifest) {
  const document = JSON.parse(JSON.stringify(manifest));
  const { kind, metadata, spec } = document;
  metadata.labels = { ...metadata.labels, ...NAME };
  const template = spec?.jobTemplate?.spec.template ?? spec?.template;
  if (template !== undefined) {
    template.metadata.labels = { ...template.metadata.labels, ...NAME };
    for (const container of template.spec.containers) container.image = '@image@';
  }
  if (kind === 'Deployment') {
    template.metadata.annotations = { 'checksum/settings': '@checksum@' };
    template.spec.containers[0].resources = '@object resources@';
  }
  if (kind === 'Job') metadata.annotations = HOOK;
  if (kind === 'HorizontalPodAutoscaler') {
    Object.assign(spec, { minReplicas: '@number replicas.min@', maxReplicas: '@number replicas.max@' });
  }
  if (kind === 'HTTPRoute') {
    Object.assign(spec, { hostnames: ['@text gateway.host@'], parentRefs: '@object gateway.parentRefs@' });
  }
  for (const { from } of kind === 'NetworkPolicy' ? (spec.ingress ?? []) : []) {
    const [{ namespaceSelector }] = from;
    const place = namespaceSelector.matchLabels['kubernetes.io/metadata.name'];
    namespaceSelector.matchLabels['kubernetes.io/metadata.name'] = `@text ${place}.namespace@`;
  }
  return withValues(stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }));
}

function withValues(text) {
  return text
    .replaceAll('"@image@"', '"{{ .Values.image.repository }}:{{ .Values.image.tag }}"')
    .replaceAll('"@checksum@"', '"{{ toYaml .Values.settings | sha256sum }}"')
    .replaceAll(/"@text (\S+)@"/g, '"{{ .Values.$1 }}"')
    .replaceAll(/"@number (\S+)@"/g, '{{ .Values.$1 }}')
    .replaceAll(/^( *)(\w+): "@object (\S+)@"$/gm, (_, indent, key, value) => {
      return `${indent}${key}: {{- toYaml .Values.${value} | nindent ${indent.length + 2} }}`;
    });
}

if (process.argv[1] === import.meta.filename) {
  rmSync(path.join(root, CHART), { recursive: true, force: true });
  for (const [file, text] of generatedFiles()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}
