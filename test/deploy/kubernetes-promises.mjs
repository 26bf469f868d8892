// What the manifests promise beyond their schemas: retries, the spread of pods, the reach of the network.

/** @returns {string[]} by manifest */
export function promiseFaults(documents, label) {
  return documents.flatMap((document) => {
    const faults = CHECKS[document.kind]?.(document, documents) ?? [];
    return faults.map((text) => `${label(document)}: ${text}`);
  });
}

const CHECKS = {
  /** A request that crashes an instance must not crash all of them, and a 503 is the service's own response. */
  HTTPRoute({ spec }, documents) {
    return spec.rules.flatMap(({ backendRefs, retry }) => [
      ...(retry?.attempts === 1 ? [] : ['a request is not tried on exactly one other instance']),
      ...(retry?.codes === undefined ? [] : ['an answer of the service is tried again']),
      ...backendRefs
        .filter(({ name, port }) => !hasPort(documents, name, port))
        .map(({ name, port }) => `there is no service ${name} with port ${port}`),
    ]);
  },
  Deployment({ spec }) {
    const spreads = spec.template.spec.topologySpreadConstraints ?? [];
    return spreads.length > 0 && spreads.every(({ matchLabelKeys }) => matchLabelKeys?.includes('pod-template-hash'))
      ? []
      : ['pods of another version count when its pods spread'];
  },
  /** Stores are inside the cluster. Only imports, and instances that send, connect to the internet, never by it inside. */
  NetworkPolicy({ metadata, spec }) {
    const ranges = (spec.egress ?? []).flatMap(({ to, ports }) =>
      (to ?? [{ ipBlock: { cidr: '0.0.0.0/0' } }]).flatMap(({ ipBlock }) =>
        ipBlock === undefined ? [] : ports.map(({ port }) => ({ ...ipBlock, port })),
      ),
    );
    const isNames = ({ port }) => port === 53 || port === 5353;
    const outside = { 'tidemark-import': [443], 'tidemark-outgoing': [443, 8443, 465, 587] }[metadata.name] ?? [];
    const isOutside = ({ port }) => outside.includes(port);
    return [
      ...ranges
        .filter((one) => /\/0$/.test(one.cidr) && !isNames(one) && !isOutside(one))
        .map(({ port }) => `port ${port} of every address can be reached`),
      ...ranges
        .filter((one) => isOutside(one) && one.except === undefined)
        .map(({ cidr }) => `of ${cidr}, private addresses can be reached`),
    ];
  },
  Job({ metadata, spec }) {
    const isMadeAnew =
      metadata.annotations?.['argocd.argoproj.io/hook-delete-policy'] === 'BeforeHookCreation' &&
      metadata.annotations['kustomize.toolkit.fluxcd.io/force'] === 'enabled';
    return [
      ...(isMadeAnew ? [] : ['what applies it again cannot make it anew']),
      ...(spec.ttlSecondsAfterFinished === undefined ? [] : ['it is deleted, and made again by what applies it']),
      // Argo CD runs it before it applies the rest.
      ...(spec.template.spec.serviceAccountName === undefined
        ? []
        : ['its account is not there before the first sync']),
    ];
  },
};

function hasPort(documents, name, port) {
  return documents.some(
    ({ kind, metadata, spec }) =>
      kind === 'Service' && metadata.name === name && spec.ports.some((one) => one.port === port),
  );
}
