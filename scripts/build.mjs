// Compiles packages/ and src/, each to a dist/ of its own, with messages, templates and the site's files beside the code that reads them.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const [source, target] = [path.join(root, 'src'), path.join(root, 'dist')];
const packages = ['embedded-postgres', 'client'].map((name) => path.join(root, 'packages', name));
const stamp = path.join(target, '.built');
const { resolve } = createRequire(import.meta.url);

function newest(...folders) {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .reduce(
      (latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}

const ifStale = process.argv.includes('--if-stale');
const isBuilt = () =>
  existsSync(stamp) &&
  (!existsSync(source) ||
    statSync(stamp).mtimeMs >= newest(source, ...packages.map((folder) => path.join(folder, 'src'))));
if (ifStale && isBuilt()) process.exit(0);

let compiler;
try {
  compiler = resolve('typescript/bin/tsc');
} catch {
  // An installation without development packages uses the output of an earlier build.
  if (existsSync(path.join(target, 'main.js'))) process.exit(0);
  console.error('Nothing is built, and the compiler is not installed: run npm ci without --omit=dev once');
  process.exit(1);
}

takeLock();
if (ifStale && isBuilt()) process.exit(0);

// The packages first: the service compiles against their declarations.
for (const folder of [...packages, root]) {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  const project = path.join(folder, 'tsconfig.build.json');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
for (const folder of [
  'store/schema',
  'domain/locale/messages',
  'people/site/templates',
  'people/site/assets',
]) {
  cpSync(path.join(source, folder), path.join(target, folder), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  });
}
copyRedoc(path.join(target, 'redoc'));
if (existsSync(path.join(target, 'cli.js'))) chmodSync(path.join(target, 'cli.js'), 0o755);
writeFileSync(stamp, '');

/** The bundle of the page at /docs/reference is copied, so that none of the packages it was made of ships. */
function copyRedoc(folder) {
  const bundle = resolve('redoc/bundles/redoc.standalone.js');
  const text = readFileSync(bundle, 'utf8');
  // The logo of its maker, which would come from another host.
  const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
  if (text.split(logo).length !== 2) throw new Error(`redoc.standalone.js does not load ${logo} once`);
  const licences = [path.join(path.dirname(bundle), '../LICENSE'), `${bundle}.LICENSE.txt`];
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'redoc.standalone.js'), text.replace(logo, ''));
  writeFileSync(
    path.join(folder, 'redoc.standalone.js.LICENSE.txt'),
    licences.map((file) => readFileSync(file, 'utf8')).join('\n'),
  );
}

/** One build at a time: concurrent jest processes all find dist stale. */
function takeLock() {
  const lock = path.join(root, 'node_modules/.cache/build.lock');
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.once('exit', () => rmSync(lock, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isHeld(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    else rmSync(lock, { force: true });
  }
}

/** False after a build that was killed. */
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
