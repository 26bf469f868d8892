import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../bench/workspace.mjs';
import { holds } from './checks.mjs';

const KILLS = { short: 6, full: 30 };

export const drill = {
  name: 'sync-killed',
  when: 'one of three syncs is killed with `kill -9` at a random moment, again and again',
  promise: 'each attempt is recorded once with its outcome, each release is published once',
  /** The suite needs no cluster: the engine of the tests, and publishers on the loopback address. */
  run({ short, defer, say }) {
    const kills = KILLS[short ? 'short' : 'full'];
    const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-sync-killed-'));
    defer(() => rmSync(folder, { recursive: true }));
    const results = path.join(folder, 'results.json');
    say(`${kills} kills`);
    const jest = path.join(ROOT, 'node_modules/.bin/jest');
    const suite = 'test/faults/sync-killed.spec.ts';
    spawnSync(process.execPath, [jest, '--selectProjects', 'faults', '--json', `--outputFile=${results}`, suite], {
      cwd: ROOT,
      env: { ...process.env, SYNC_KILLS: String(kills) },
      stdio: 'ignore',
    });
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const checks = tests.map(({ title, status }) => holds(`the syncs ${title}`, status === 'passed'));
    return Promise.resolve({ checks, figures: { kills, syncs: 3 } });
  },
};
