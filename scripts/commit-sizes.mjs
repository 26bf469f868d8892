// Refuses commits that nobody can review: more than 1,000 lines added by hand. Moved files and generated ones do not count.
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

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
if (spawnSync('git', ['cat-file', '-e', BEFORE]).status !== 0) {
  console.log(`Sizes of commits: skipped, because ${BEFORE} is not in this clone`);
  process.exit(0);
}
const wrong = [];
for (const commit of git('rev-list', '--no-merges', `${BEFORE}..HEAD`).split('\n').filter(Boolean)) {
  // -z: a moved file is an empty name, then its two paths.
  const fields = git('show', '--format=', '--numstat', '-z', '-M', '-C', commit).split('\0');
  let added = 0;
  for (let at = 0; at < fields.length; at += 1) {
    const [, count, , name] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[at]) ?? [];
    if (count === undefined) continue;
    const file = name === '' ? fields[(at += 2)] : name;
    if (count !== '-' && !GENERATED.some((one) => one.test(file))) added += Number(count);
  }
  if (added > MOST) wrong.push(`${git('log', '-1', '--format=%h %s', commit).trim()}: ${added} lines`);
}
if (wrong.length > 0) {
  console.error(`More than ${MOST} lines in one commit; divide it:\n  ${wrong.join('\n  ')}`);
  process.exit(1);
}
console.log(`Sizes of commits since ${BEFORE}: each at most ${MOST} lines`);
