// Refuses commits that nobody can review: more than 1,000 lines added by hand. Moved files, the imports that follow a move, and
// generated files do not count.
import './require-node.mjs';
import { execFileSync, spawnSync } from 'node:child_process';

const MOST = 1_000;
/** The last commit before the rule. */
const BEFORE = '83fc1a8';
const GENERATED = [
  /(^|\/)package-lock\.json$/,
  /^budget\.json$/,
  /^data\//,
  /^docs\/api\//,
  /^docs\/reference\/(catalogue|command-line|configuration|errors)/,
  /^docker\/helm\//,
  /^docker\/monitoring\/prometheus-rule\.yaml$/,
  /^examples\//,
  /^packages\/client\/src\/api\.ts$/,
  /^test\/contract\/plans\//,
  /^test\/fixtures\//,
  /^test\/unit\/golden\//,
];

/** An import of a file of ours, or the end of one that is broken over lines. */
const IMPORT = /^\+.*(?:\bfrom|\bimport\(|\bimport|\brequire\()\s*'\.{1,2}\//;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
if (spawnSync('git', ['cat-file', '-e', BEFORE]).status !== 0) {
  console.log(`Sizes of commits: skipped, because ${BEFORE} is not in this clone`);
  process.exit(0);
}
const wrong = [];
for (const commit of git('rev-list', '--no-merges', `${BEFORE}..HEAD`).split('\n').filter(Boolean)) {
  let file = '';
  let added = 0;
  for (const line of git('show', '--format=', '-U0', '-M', '-C', commit).split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    else if (line.startsWith('+') && !IMPORT.test(line) && !GENERATED.some((one) => one.test(file))) added += 1;
  }
  if (added > MOST) wrong.push(`${git('log', '-1', '--format=%h %s', commit).trim()}: ${added} lines`);
}
if (wrong.length > 0) {
  console.error(`More than ${MOST} lines in one commit; divide it:\n  ${wrong.join('\n  ')}`);
  process.exit(1);
}
console.log(`Sizes of commits since ${BEFORE}: each at most ${MOST} lines`);
