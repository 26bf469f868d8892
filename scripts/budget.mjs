// `npm run budget`: measures what budget.json bounds. A figure above its bound fails; a lower one becomes the new bound.
// With `--raise`, figures above their bounds become the new ones: in the commit that needs it, which says why.
import './require-node.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const file = path.join(root, 'budget.json');
const TEST_CPU = 'npm test, in pieces of work';
const isRaise = process.argv.includes('--raise');

/** Lines of src by its top folders, and of the files beside them. */
function lines() {
  const counts = {};
  for (const name of execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' }).split('\n')) {
    if (!/\.(ts|sql)$/.test(name) || !existsSync(path.join(root, name))) continue;
    const [, folder, below] = name.split('/');
    const key = below === undefined ? 'top' : folder;
    counts[key] = (counts[key] ?? 0) + readFileSync(path.join(root, name), 'utf8').split('\n').length - 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Megabytes of the packages that running needs, on this platform. */
function installedMegabytes() {
  const args = ['ls', '--omit=dev', '--all', '--parseable'];
  const folders = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((folder) => folder.includes('node_modules'));
  return Math.round([...new Set(folders)].reduce((sum, folder) => sum + bytesIn(folder), 0) / 2 ** 20);
}

/** Without packages below it, which are listed themselves. */
function bytesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const one = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesIn(one);
    return entry.isFile() ? sum + statSync(one).size : sum;
  }, 0);
}

/** CPU of the last whole `npm test` here, in a fixed piece of work that test/run.mjs measures beside it; null if there was none. */
function testCpu() {
  const measured = path.join(root, 'node_modules/.cache/test-units');
  return existsSync(measured) ? Number(readFileSync(measured, 'utf8')) : null;
}

const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const figures = {
  ...Object.fromEntries(Object.entries(lines()).map(([folder, count]) => [`lines of ${folder}`, count])),
  'production dependencies': Object.keys(dependencies).length,
  'installed megabytes': installedMegabytes(),
  [TEST_CPU]: testCpu(),
};
const bounds = JSON.parse(readFileSync(file, 'utf8'));
const exceeded = [];
const kept = {};
for (const [name, figure] of Object.entries(figures)) {
  const bound = bounds[name] ?? 0;
  if (figure !== null && figure > bound) exceeded.push(`${name}: ${figure}, at most ${bound}`);
  // What neighbours do to a machine does not cancel out wholly: the bound leaves room, and is lowered by hand.
  const isLower = figure !== null && figure < bound && name !== TEST_CPU;
  kept[name] = isLower || (isRaise && figure !== null) ? figure : bound;
}
if (exceeded.length > 0 && !isRaise) {
  console.error(`Above budget.json:\n  ${exceeded.join('\n  ')}`);
  console.error(
    'Take something out, or run `npm run budget -- --raise` and say why in the message of the same commit.',
  );
  process.exit(1);
}
const text = `${JSON.stringify(kept, null, 2)}\n`;
if (text !== readFileSync(file, 'utf8')) {
  writeFileSync(file, text);
  console.log('budget.json has new bounds: commit it');
}
const total = Object.entries(figures).reduce((sum, [name, n]) => (name.startsWith('lines') ? sum + n : sum), 0);
console.log(
  `${total} lines of src, ${figures['production dependencies']} dependencies, ${figures['installed megabytes']} MB installed, npm test in ${figures[TEST_CPU] ?? '?'} pieces of work`,
);
