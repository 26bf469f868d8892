// `node test/mutations.mjs`: breaks ten promises on purpose, one at a time, in the compiled service, and says which of the
// suites that guard them fail: as `npm test` runs them, or only as `npm run test:exhaustive` does.
import '../scripts/require-node.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

const MUTATIONS = [
  {
    promise: 'a revoked key is refused',
    file: 'serve/access/keys/key-verifier.js',
    change: ['k.revoked_at IS NOT NULL AS revoked', 'false AS revoked'],
    suites: ['http/keys'],
  },
  {
    promise: 'a plan admits no request more than it says a day',
    file: 'serve/limits/window.js',
    change: ['dayUsed >= budget.perDay', 'dayUsed > budget.perDay'],
    suites: ['http/limits'],
  },
  {
    promise: 'no other site submits a form of the account pages',
    file: 'people/account/account-cookie.js',
    change: ['timingSafeEqual(one, other)', 'timingSafeEqual(one, one)'],
    suites: ['http/account-hostile', 'http/account-rules'],
  },
  {
    promise: 'a kept response is not served after a publication',
    file: 'serve/http/response/response-cache-key.js',
    change: ['${this.heartbeat.latest.dataVersion} ', ''],
    suites: ['http/cached-responses', 'http/change-status'],
  },
  {
    promise: 'a plan sees no more than its reach, whatever another plan asked before',
    file: 'serve/http/response/response-cache-key.js',
    change: ["(caller?.plan ?? '')", "''"],
    suites: ['http/structure'],
  },
  {
    promise: 'a withdrawn change is in no list',
    file: 'serve/resources/changes/change.rows.js',
    change: ["status === undefined ? `c.status <> 'withdrawn'`", 'status === undefined ? `true`'],
    suites: ['http/change-status'],
  },
  {
    promise: 'a figure is as it was known on a day',
    file: 'serve/resources/macro/macro.rows.js',
    change: ['o.valid_from <= $2', 'o.valid_from < $2'],
    suites: ['http/macro', 'http/freshness'],
  },
  {
    promise: 'what was derived from a withheld source is gone',
    file: 'publish/versions/withhold-source.js',
    change: ['FROM series s WHERE s.withheld)', 'FROM series s WHERE false)'],
    suites: ['publishing/withheld'],
    exhaustively: ['http/withheld-everywhere'],
  },
  {
    promise: 'the address of a client is that of the last hop which is not trusted',
    file: 'serve/limits/client-address.js',
    change: ['.findLast(', '.find('],
    suites: ['http/account-floods'],
  },
  {
    promise: 'the list by importance scans no growing table',
    file: 'serve/resources/changes/important-changes.rows.js',
    change: ["'c.importance DESC, c.position DESC'", "'c.importance + 0 DESC, c.position DESC'"],
    suites: ['http/changes-by-importance', 'contract/plan-files'],
    exhaustively: ['contract/hot-queries'],
  },
];

const build = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
const every = [...new Set(MUTATIONS.flatMap(({ suites, exhaustively = [] }) => [...suites, ...exhaustively]))];
if (fails(every)) throw new Error('A suite fails without a mutation');
const caught = { short: 0, exhaustive: 0 };
try {
  for (const { promise, file, change, suites, exhaustively = [] } of MUTATIONS) {
    const place = path.join(dist, file);
    const whole = readFileSync(place, 'utf8');
    const broken = whole.replaceAll(...change);
    if (broken === whole) throw new Error(`${file} has no ${change[0]}`);
    writeFileSync(place, broken);
    const isShort = fails(suites);
    const isExhaustive = isShort || fails(exhaustively);
    writeFileSync(place, whole);
    caught.short += Number(isShort);
    caught.exhaustive += Number(isExhaustive);
    console.log(`${isShort ? 'npm test' : isExhaustive ? 'CI alone' : 'NOTHING '}  ${promise}`);
  }
} finally {
  // The next run compiles anew.
  rmSync(path.join(dist, '.built'));
}
console.log(`\nnpm test catches ${caught.short}, CI ${caught.exhaustive} of ${MUTATIONS.length}`);

function fails(suites) {
  if (suites.length === 0) return false;
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/jest/bin/jest.js'),
      '--maxWorkers=1',
      '--bail',
      '--silent',
      '--runTestsByPath',
      ...suites.map((name) => path.join(root, `test/${name}.spec.ts`)),
    ],
    { cwd: root, stdio: 'ignore' },
  );
  return status !== 0;
}
