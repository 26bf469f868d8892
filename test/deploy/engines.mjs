// Builds docker/Dockerfile with a container engine and runs the image: with docker if its daemon responds, otherwise
// with buildah and crun, packages of Debian that need no daemon.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');
const TAG = 'localhost/tidemark:checked';
const DOCKERFILE = path.join(ROOT, 'docker/Dockerfile');
/** Without the host's network, a test would need a network of the engine. */
const CONFINED = ['--network=host', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
/** The host's certificate authorities, for a registry that the image's own do not cover. */
const CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS;

/** crun needs none here, but refuses hosts that have controllers of both versions, as some virtual machines do. */
const NO_CGROUPS = 'mount -t tmpfs tmpfs /sys/fs/cgroup';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {(base: string) => string} base how the base image was had, in words
 * @property {() => string} build gives the folder that holds the image's root file system
 * @property {(words: string[], options: { environment: object, imports: string, user: string }) => import('node:child_process').ChildProcess} run
 *   `node` in the image, on a read-only root, with a writable /data of the user's and `imports` at /import
 * @property {() => void} remove what it made
 */

/** @returns {Engine | string} a string states why there is none */
export function findEngine(work, say) {
  if (spawnSync('docker', ['info']).status === 0) return docker(work, say);
  const missing = ['buildah', 'crun'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (missing.length > 0) return `docker does not answer, and there is no ${missing.join(' and no ')}`;
  if (process.getuid() !== 0) return 'buildah and crun are run as root here';
  return buildahAndCrun(work, say);
}

function docker(work, say) {
  const root = path.join(work, 'root');
  return {
    name: 'docker',
    base: () => 'pulled by docker',
    build: () => {
      call(say, 'docker', ['build', '--file', DOCKERFILE, '--tag', TAG, ROOT]);
      const container = call(() => undefined, 'docker', ['create', TAG]).trim();
      mkdirSync(root);
      call(say, 'sh', ['-c', `docker export ${container} | tar -x -C ${root}`]);
      call(() => undefined, 'docker', ['rm', container]);
      return root;
    },
    run: (words, { environment, imports, user }) => {
      const [uid, gid] = user.split(':');
      const variables = Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`);
      const data = `--tmpfs=/data:size=64m,mode=0700,uid=${uid},gid=${gid}`;
      const mount = `--volume=${imports}:/import:ro`;
      return spawn('docker', ['run', '--rm', ...CONFINED, data, mount, ...variables, TAG, ...words]);
    },
    remove: () => spawnSync('docker', ['rmi', '--force', TAG]),
  };
}

/** In a separate store, so that nobody mistakes the substitute for the real base image. */
function buildahAndCrun(work, say) {
  const store = ['--root', path.join(work, 'store'), '--runroot', path.join(work, 'running')];
  const buildah = (...args) => call(say, 'buildah', [...store, ...args]);
  let container;
  let root;
  let runs = 0;
  return {
    name: 'buildah and crun',
    base: (base) => {
      if (spawnSync('buildah', [...store, 'pull', base]).status === 0) return `${base}, pulled`;
      standIn(base, path.join(work, 'base'), say);
      container = buildah('from', 'scratch').trim();
      buildah('copy', '--quiet', container, path.join(work, 'base'), '/');
      if (CERTIFICATES !== undefined) buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/host.crt', container);
      buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
      buildah('commit', '--quiet', container, base);
      buildah('rm', container);
      return `no registry answers: Debian by debootstrap with npm's package of that node stands in for ${base}`;
    },
    build: () => {
      // Only docker's format has a health check.
      const format = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host'];
      buildah('bud', ...format, '--pull-never', '--file', DOCKERFILE, '--tag', TAG, ROOT);
      container = buildah('from', '--pull-never', TAG).trim();
      root = buildah('mount', container).trim();
      return root;
    },
    run: (words, options) => {
      const bundle = path.join(work, `bundle-${(runs += 1)}`);
      mkdirSync(bundle);
      writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(bundleOf(root, words, options)));
      const name = `tidemark-checked-${process.pid}-${runs}`;
      const crun = ['crun', '--cgroup-manager=disabled', 'run', '--bundle', bundle, name];
      return spawn('unshare', ['--mount', '/bin/sh', '-c', `${NO_CGROUPS} && exec "$@"`, 'sh', ...crun]);
    },
    remove: () => {
      if (container !== undefined) spawnSync('buildah', [...store, 'rm', container]);
      spawnSync('buildah', [...store, 'rmi', '--all', '--force']);
      // The remaining entries belong to mounts that were just removed.
      spawnSync('rm', ['-rf', path.join(work, 'store')]);
    },
  };
}

/** Debian and node in the base image's versions, with this host's npm and certificate authorities. */
function standIn(base, folder, say) {
  const [, version, release] = /^node:([\d.]+)-(\w+)/.exec(base);
  call(say, 'debootstrap', ['--variant=minbase', '--include=ca-certificates', release, folder]);
  const local = path.join(folder, 'usr/local');
  const node = `node-${process.platform}-${process.arch}@${version}`;
  const [packed] = JSON.parse(call(say, 'npm', ['pack', node, '--json', '--pack-destination', folder]));
  const archive = path.join(folder, packed.filename);
  call(say, 'tar', ['-xzf', archive, '--strip-components=1', '-C', local, 'package/bin/node']);
  rmSync(archive);
  const modules = call(say, 'npm', ['root', '--global']).trim();
  cpSync(path.join(modules, 'npm'), path.join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
  if (CERTIFICATES !== undefined) copyFileSync(CERTIFICATES, path.join(folder, 'etc/ssl/host.crt'));
}

/** The container engine's instructions to its runtime: the restrictions of compose.yaml and the manifests. */
function bundleOf(root, words, { environment, imports, user }) {
  const [uid, gid] = user.split(':').map(Number);
  const temporary = (size) => ['nosuid', 'nodev', `size=${size}`, 'mode=0700', `uid=${uid}`, `gid=${gid}`];
  const bind = (source, destination) => ({ destination, source, options: ['bind', 'ro'] });
  const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] };
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: ['node', ...words],
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd: '/app',
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      { destination: '/data', type: 'tmpfs', source: 'tmpfs', options: temporary('64m') },
      ...['/etc/hosts', '/etc/resolv.conf'].filter((file) => existsSync(file)).map((file) => bind(file, file)),
      bind(imports, '/import'),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}

function call(say, program, args) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64e6 });
  if (status === 0) return stdout;
  say(`${stdout ?? ''}${stderr ?? ''}`.split('\n').slice(-40).join('\n'));
  throw new Error(`${program} ${args[0]} ended with ${status ?? signal ?? error?.code}`);
}
