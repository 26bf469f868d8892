// Compiles packages/ and src/, each to a dist/ of its own, with messages, templates and SQL beside the code that reads them. SWC
// drops the types of src, and `npm run types` checks them. The packages ship declarations, which tsc writes.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import {
  chmodSync,
  copyFileSync,
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
/** The image is built without the client's sources. */
const packages = ['embedded-postgres', 'client']
  .map((name) => path.join(root, 'packages', name))
  .filter((folder) => existsSync(path.join(folder, 'src')));
/** The client's types are made of the kept OpenAPI documents, guides of Markdown. */
const documents = path.join(root, 'docs');
const stamp = path.join(target, '.built');
const { resolve } = createRequire(import.meta.url);

function newest(...folders) {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs), 0);
}

const ifStale = process.argv.includes('--if-stale');
const isBuilt = () =>
  existsSync(stamp) &&
  (!existsSync(source) ||
    statSync(stamp).mtimeMs >=
      newest(
        ...[source, documents].filter((folder) => existsSync(folder)),
        ...packages.map((folder) => path.join(folder, 'src')),
      ));
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

// Its compiled part for this platform is an optional package.
const { transformFile } = await import('@swc/core').catch(() => {
  console.error('SWC is not installed for this platform: run npm ci without --omit=optional to build');
  process.exit(1);
});
for (const folder of packages) {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  if (path.basename(folder) === 'client') await import('./client-types.mjs');
  const project = path.join(folder, 'tsconfig.build.json');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
rmSync(target, { recursive: true, force: true });
await Promise.all(
  readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => compile(path.relative(source, path.join(entry.parentPath, entry.name)))),
);
// Here, because an installation without development packages has no renderer of Markdown.
const { guides } = await import('./guides.mjs');
writeFileSync(path.join(target, 'guides.json'), JSON.stringify(guides()));
if (existsSync(path.join(target, 'cli.js'))) chmodSync(path.join(target, 'cli.js'), 0o755);
writeFileSync(stamp, '');

/** @param {string} file its path in src; one without types is copied */
async function compile(file) {
  const written = path.join(target, file.replace(/\.ts$/, '.js'));
  mkdirSync(path.dirname(written), { recursive: true });
  if (!file.endsWith('.ts')) return copyFileSync(path.join(source, file), written);
  const { code, map } = await transformFile(path.join(source, file), {
    configFile: path.join(root, '.swcrc'),
    outputPath: written,
    inlineSourcesContent: false,
  });
  writeFileSync(written, `${code}//# sourceMappingURL=${path.basename(written)}.map\n`);
  writeFileSync(`${written}.map`, map);
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
