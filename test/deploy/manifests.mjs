// `npm run check:deploy`: checks compose.yaml, the Kubernetes manifests, the generated chart and the alert rules
// against their schemas, against each other, and against the variables that the service reads. Needs no container
// engine and no cluster, and deploys nothing.
import path from 'node:path';
import { checkAlerts } from './alert-checks.mjs';
import { checkGenerated } from './chart-checks.mjs';
import { checkCompose } from './compose-checks.mjs';
import { checkKubernetes } from './kubernetes-checks.mjs';
import { checkVariables } from './variables.mjs';

const ROOT = path.join(import.meta.dirname, '../..');

let faults = 0;
for (const [name, check] of Object.entries({
  'docs/reference/configuration.md': checkVariables,
  'docker/compose.yaml': checkCompose,
  'docker/kubernetes': checkKubernetes,
  'docker/helm and what else is generated': checkGenerated,
  'docker/monitoring/alerts.yaml': checkAlerts,
})) {
  const { checked, wrong } = await check(ROOT);
  console.log(`${name}: ${checked}; ${wrong.length === 0 ? 'nothing wrong' : `${wrong.length} wrong`}`);
  for (const line of wrong) console.log(`  ${line}`);
  faults += wrong.length;
}
process.exitCode = faults === 0 ? 0 : 1;
