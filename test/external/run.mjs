// Checks by third-party tools. `npm run check:external` runs all; `npm run check:external -- document client` runs two.
// Checks that need a running service share one, started with the starter figures.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { check as account } from './account.check.mjs';
import { check as advisories } from './advisories.check.mjs';
import { check as billOfMaterials } from './bill-of-materials.check.mjs';
import { check as browser } from './browser.check.mjs';
import { check as client } from './client.check.mjs';
import { root } from './command.mjs';
import { check as document } from './document.check.mjs';
import { check as installScripts } from './install-scripts.check.mjs';
import { check as licences } from './licences.check.mjs';
import { check as clientPackage } from './package.check.mjs';
import { check as packaged } from './packaged.check.mjs';
import { check as pages } from './pages.check.mjs';
import { check as secrets } from './secrets.check.mjs';
import { startService } from './service.mjs';
import { check as threats } from './threats.check.mjs';

const CHECKS = [
  secrets,
  installScripts,
  licences,
  billOfMaterials,
  advisories,
  threats,
  document,
  client,
  clientPackage,
  packaged,
  browser,
  pages,
  account,
];
/** The document names the URL of a deployment, because the rules refuse plain HTTP. */
const SERVICE = { BASE_URL: 'https://api.tidemark.example' };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}: ${CHECKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const called = CHECKS.filter(({ name }) => names.length === 0 || names.includes(name));
const { status } = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--if-stale'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

const total = { passed: 0, failed: 0, skipped: 0 };
let service;
try {
  if (called.some(({ needsService }) => needsService)) service = await startService(SERVICE);
  // The account page has a service of its own, and Chromium takes one core.
  const beside = called.filter((check) => check === account).map(report);
  for (const check of called.filter((check) => check !== account)) await report(check);
  await Promise.all(beside);
} finally {
  await service?.stop();
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

async function report({ name, verifies, run }) {
  const startedAt = performance.now();
  const result = await run({ service }).catch((error) => ({ found: [error.stack ?? String(error)] }));
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  if (result.skipped !== undefined) {
    total.skipped += 1;
    console.log(`–  ${name}: ${verifies}\n     skipped: ${result.skipped}`);
  } else if (result.found.length === 0) {
    total.passed += 1;
    console.log(`✓  ${name}: ${verifies}\n     ${result.said} (${seconds})`);
  } else {
    total.failed += 1;
    console.log(`✗  ${name}: ${verifies}\n${result.found.map((line) => `     ${line}`).join('\n')}`);
  }
}
