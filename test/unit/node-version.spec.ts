import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Runs a script under a Node that reports another version. */
function runUnder(version: string, script: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ['--import', preload, join(ROOT, script)], { encoding: 'utf8' });
}

describe('A script of the project', () => {
  // `npm ci` and `npm start` run the build first.
  const scripts = ['scripts/build.mjs', 'scripts/start-dev.mjs', 'scripts/check.mjs', 'test/run.mjs'];
  const cases = scripts.flatMap((script) => ['18.20.8', '20.18.3'].map((version) => ({ script, version })));
  it.each(cases)('names the Node that it needs in one line: $script under $version', ({ script, version }) => {
    const { status, stdout, stderr } = runUnder(version, script);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Tidemark needs Node 20.19 or newer; this is Node ${version}\n`);
  });
});
