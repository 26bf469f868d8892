import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Runs the first step of `npm start` under a Node that reports another version. */
function buildUnder(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const build = join(ROOT, 'scripts/build.mjs');
  return spawnSync(process.execPath, ['--import', preload, build, '--if-stale'], { encoding: 'utf8' });
}

describe('The build', () => {
  it.each(['18.20.8', '20.18.3'])('names the required Node version in one line: %s', (version) => {
    const { status, stdout, stderr } = buildUnder(version);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Tidemark needs Node 20.19 or newer; this is Node ${version}\n`);
  });
});
