// `npm run test:newcomer`: follows the README's commands in a clone of the last commit: installs, starts and tests it with no
// other programs than Node and the basic tools of a system, as an ordinary user; root also starts it as root. Needs the
// package registry, which `npm test` does not.
import '../scripts/require-node.mjs';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './support/free-port.mjs';

const root = path.dirname(import.meta.dirname);
/** The first start creates a database and imports the starter figures, on a machine that may be busy. */
const START_MS = 180_000;
/** All programs on the newcomer's PATH. */
const TOOLS =
  'node npm npx git sh bash env which grep sed awk find xargs ps kill basename cat chmod cp cut date dirname echo expr false head ' +
  'id ln ls mkdir mktemp mv printf pwd readlink rm rmdir sleep sort tail tar tee test touch tr true uname uniq wc gzip';
/** No server and no browser is there. */
const NOWHERE = {
  CHROMIUM: '/nowhere',
  TEST_DATABASE_URL: 'postgres://127.0.0.1:1/none',
  REDIS_TEST_URL: 'redis://127.0.0.1:1',
};
const folder = mkdtempSync(path.join(tmpdir(), 'newcomer-'));
const clone = path.join(folder, 'tidemark');
const nobody = process.getuid?.() === 0 ? ordinaryUser() : null;
const identity = nobody ?? {};
/** What the machine needs to reach the package registry, without npm's other settings: its cache, its silence about what fails. */
const KEPT = /^(HOME|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|npm_config_(registry|globalconfig))$/i;
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name))),
  ...(nobody === null ? {} : { HOME: folder }),
  PATH: toolsAlone(),
};
let passed = 0;
let failed = 0;
const running = new Set();

try {
  must('git', ['clone', '--quiet', '--no-hardlinks', root, clone], folder);
  if (nobody !== null) give(folder, nobody);
  must('npm', ['ci', '--no-audit', '--no-fund'], clone, identity);
  await asUser(clone, identity);
  await check('the tests pass', () => {
    must('npm', ['test'], clone, { ...identity, env: { ...environment, ...NOWHERE } });
    keepMeasure();
  });
  if (nobody !== null) {
    rmSync(path.join(clone, '.tidemark'), { recursive: true, force: true });
    await asUser(clone, {});
  }
} catch (error) {
  failed += 1;
  console.error(error);
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function asUser(cwd, identity) {
  const who = identity.uid === undefined && nobody !== null ? 'root' : 'an ordinary user';
  const port = await freePort();
  const start = () => startService(cwd, { ...identity, env: { ...environment, PORT: String(port) } });

  const first = await start();
  const { key, address } = curlLine(first.lines);
  await check(
    `${who}: the first start prints an address, a key and a curl line that answers with sources`,
    async () => {
      const { status, body } = await ask(address, key);
      assert.equal(status, 200);
      assert.ok(body.data.length > 0, 'no figures');
      assert.ok(body.meta.sources.every(({ attribution }) => attribution.length > 0) && body.meta.sources.length > 0);
      assert.equal((await fetch(`http://127.0.0.1:${port}/docs`)).status, 200);
    },
  );
  await check(`${who}: a taken port is one clear line, not a stack`, async () => {
    const second = await startService(cwd, { ...identity, env: { ...environment, PORT: String(port) } }, true);
    assert.equal(second.code, 1);
    assert.match(second.errors, new RegExp(`port ${port} is taken`));
    assert.doesNotMatch(second.errors, /^\s+at /m);
  });
  await check(`${who}: after a kill -9 it starts again, with the same key and without showing one`, async () => {
    first.node.kill('SIGKILL');
    await first.gone;
    const again = await start();
    assert.doesNotMatch(again.lines.join('\n'), /tm_[0-9A-Za-z]{36}/);
    assert.equal((await ask(address, key)).status, 200);
    again.node.kill('SIGINT');
    await again.gone;
  });
  await check(`${who}: a start after a clean stop answers, and Ctrl-C stops the database too`, async () => {
    const third = await start();
    assert.equal((await ask(address, key)).status, 200);
    // A terminal sends the signal to npm, the shell and the server alike; the last of them to exit ends the group.
    third.node.kill('SIGINT');
    await third.gone;
    const { status, stdout } = spawnSync(process.execPath, ['dist/cli.js', 'db', 'stop'], {
      ...identity,
      cwd,
      env: environment,
    });
    assert.equal(status, 0);
    assert.match(String(stdout), /No database was running/);
  });
  const { removeEmbeddedPostgres } = await import(
    path.join(cwd, 'packages/embedded-postgres/dist/embedded-postgres.js')
  );
  await removeEmbeddedPostgres(path.join(cwd, '.tidemark'));
}

/** `npm start` itself; `node` is the server below it, which the test kills. */
async function startService(cwd, options, untilGone = false) {
  const child = spawn('npm', ['start'], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
  running.add(child);
  const lines = [];
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const gone = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code;
  });
  const ready = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Stop with Ctrl-C')) resolve();
    });
    void gone.then((code) => (untilGone ? resolve() : reject(new Error(`npm start ended with ${code}: ${errors}`))));
  });
  await Promise.race([
    ready,
    delay(START_MS, null, { ref: false }).then(() => {
      throw new Error(`not ready in ${START_MS / 1_000} s: ${errors}`);
    }),
  ]);
  if (untilGone) return { code: await gone, errors };
  const signal = (name) => process.kill(-child.pid, name);
  return { lines, gone, node: { kill: signal } };
}

function curlLine(lines) {
  const text = lines.join('\n');
  const [, key, address] = /curl -H "Authorization: Bearer (tm_[0-9A-Za-z]{36})" "([^"]+)"/.exec(text) ?? [];
  assert.ok(key && address, `no curl line in:\n${text}`);
  return { key, address };
}

async function ask(address, key) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

function ordinaryUser() {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function give(place, { uid, gid }) {
  for (const entry of ['', ...readdirSync(place, { recursive: true })]) lchownSync(path.join(place, entry), uid, gid);
}

async function check(title, work) {
  try {
    await work();
    passed += 1;
    console.log(`✓ ${title}`);
  } catch (error) {
    failed += 1;
    console.error(`✗ ${title}\n`, error);
  }
}

/** A folder with these programs and no others. */
function toolsAlone() {
  const tools = path.join(folder, 'bin');
  mkdirSync(tools);
  const folders = [path.dirname(process.execPath), ...(process.env.PATH ?? '').split(path.delimiter)];
  for (const name of TOOLS.split(' ')) {
    const found = folders.map((one) => path.join(one, name)).find((one) => existsSync(one));
    if (found !== undefined) symlinkSync(realpathSync(found), path.join(tools, name));
  }
  return tools;
}

/** For `npm run budget`: the CPU of the tests. */
function keepMeasure() {
  const kept = path.join(root, 'node_modules/.cache');
  mkdirSync(kept, { recursive: true });
  copyFileSync(path.join(clone, 'node_modules/.cache/test-units'), path.join(kept, 'test-units'));
}

function must(command, args, cwd, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', env: environment, ...options });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
