// `npm run start:dev`: runs the TypeScript sources and restarts at each change. Arguments go to Node, e.g. `-- --inspect`.
import './require-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const build = path.join(root, 'scripts/build.mjs');
// The sources import the compiled package of the embedded server.
if (spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' }).status !== 0) process.exit(1);

// A lease of this process keeps the embedded server running while the service restarts.
let lease;
if (!process.env.DATABASE_URL) {
  const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
  lease = await openEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? path.join(root, '.tidemark') });
}

const isInspected = process.argv.some((argument) => argument.startsWith('--inspect'));
let spare = prepare();
let service = start();
let isRestarting = false;
const watcher = watch(path.join(root, 'src'), { recursive: true }, () => void restart());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());

/** A process that has loaded the packages already: that is most of a start. */
function prepare() {
  const options = ['--enable-source-maps', '--import', path.join(root, 'scripts/typescript.mjs')];
  return spawn(process.execPath, [...options, ...process.argv.slice(2), path.join(root, 'scripts/dev-service.mjs')], {
    cwd: root,
    // No load balancer has to notice the shutdown.
    env: { DRAIN_SECONDS: '0', ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

function start() {
  const service = spare;
  service.send('start');
  // An inspector has one port, so the next process must not exist yet.
  spare = isInspected ? null : prepare();
  return service;
}

async function restart() {
  if (isRestarting) return;
  isRestarting = true;
  console.log('A source changed: the service restarts');
  await end();
  // Editors save several files at once: this start reads everything saved within the delay.
  isRestarting = false;
  spare ??= prepare();
  service = start();
}

async function end() {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}

async function stop() {
  watcher.close();
  spare?.kill();
  await end();
  await lease?.release();
}
