// Compiles src/ to dist/, with the message and catalogue files beside the code that reads them.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const [source, target] = [path.join(root, 'src'), path.join(root, 'dist')];
const stamp = path.join(target, '.built');

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}

if (process.argv.includes('--if-stale')) {
  if (existsSync(stamp) && (!existsSync(source) || statSync(stamp).mtimeMs >= newest(source)))
    process.exit(0);
}

let compiler;
try {
  compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
} catch {
  // An installation without development packages runs what was built elsewhere.
  if (existsSync(path.join(target, 'main.js'))) process.exit(0);
  console.error('Nothing is built, and the compiler is not installed: run npm ci without --omit=dev once');
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
cpSync(path.join(source, 'locale/messages'), path.join(target, 'locale/messages'), { recursive: true });
if (existsSync(path.join(target, 'cli.js'))) chmodSync(path.join(target, 'cli.js'), 0o755);
writeFileSync(stamp, '');
