// Judges from outside. `npm run judges`: all of them; `npm run judges -- document client`: these.
// Those that ask a running service share one, which is started for them with the starter figures.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { judge as advisories } from './advisories.judge.mjs';
import { judge as bill } from './bill.judge.mjs';
import { judge as browser } from './browser.judge.mjs';
import { judge as client } from './client.judge.mjs';
import { root } from './command.mjs';
import { judge as document } from './document.judge.mjs';
import { judge as licences } from './licences.judge.mjs';
import { judge as secrets } from './secrets.judge.mjs';
import { startService } from './service.mjs';
import { judge as threats } from './threats.judge.mjs';

const JUDGES = [secrets, licences, bill, advisories, threats, document, client, browser];
/** The document names the address that clients are given, which is never plain HTTP on a loopback. */
const SERVICE = { BASE_URL: 'https://api.tidemark.example' };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !JUDGES.some((judge) => judge.name === name));
if (unknown.length > 0) {
  console.error(`No judge is called ${unknown.join(', ')}: ${JUDGES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const called = JUDGES.filter(({ name }) => names.length === 0 || names.includes(name));
const { status } = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--if-stale'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

const total = { passed: 0, failed: 0, skipped: 0 };
let service;
try {
  if (called.some(({ needsService }) => needsService)) service = await startService(SERVICE);
  for (const judge of called) await hear(judge);
} finally {
  await service?.stop();
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

async function hear({ name, asks, run }) {
  const startedAt = performance.now();
  const verdict = await run({ service }).catch((error) => ({ found: [error.stack ?? String(error)] }));
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  if (verdict.skipped !== undefined) {
    total.skipped += 1;
    console.log(`–  ${name}: ${asks}\n     skipped: ${verdict.skipped}`);
  } else if (verdict.found.length === 0) {
    total.passed += 1;
    console.log(`✓  ${name}: ${asks}\n     ${verdict.said} (${seconds})`);
  } else {
    total.failed += 1;
    console.log(`✗  ${name}: ${asks}\n${verdict.found.map((line) => `     ${line}`).join('\n')}`);
  }
}
