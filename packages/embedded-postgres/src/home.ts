// The folders of one data folder's server, and the user it runs as.
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { createCredentials, readCredentials, removeCredentials, type Credentials } from './credentials.js';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export interface ServerHome {
  /** The server's own folder, 0700: cluster, log and, if its path is short enough, the socket. */
  readonly folder: string;
  readonly cluster: string;
  readonly logFile: string;
  /** `undefined` on Windows, where the server listens on 127.0.0.1. */
  readonly socketDir: string | undefined;
  /** Set when this process is root: PostgreSQL refuses root and runs as this user. */
  readonly user: ServerUser | undefined;
}

/** Binaries and clusters of servers that root starts where the server's user may not enter the project. */
export const ROOT_STATE = '/var/lib/tidemark';

// A socket's path may have 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_LIMIT = 103;
const SOCKET_NAME_LENGTH = '/.s.PGSQL.65535'.length;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Creates the folders and the passwords if they are missing. */
export async function openHome(
  dataDir: string,
  rootState?: string,
): Promise<{ home: ServerHome; credentials: Credentials }> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const real = await realpath(dataDir);
    const credentials = (await readCredentials(real)) ?? (await firstCredentials(real));
    const home = await describeHome(real, credentials, rootState);
    if (path.dirname(home.folder) !== real) await makeRootState(path.dirname(home.folder));
    // The server's user needs to reach its folder; the files beside it are root's alone.
    else if (home.user && (await stat(real)).uid === 0) await chmod(real, 0o711);
    await makePrivate(home.folder, home.user);
    if (home.socketDir) await makePrivate(home.socketDir, home.user);
    return { home, credentials };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(unusable(path.resolve(dataDir), error));
  }
}

export const fullDisk = (folder: string): string => `the disk of ${folder} is full: make room, or set DATA_DIR`;

function unusable(dataDir: string, error: unknown): string {
  const code = codeOf(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return fullDisk(dataDir);
  // Node reports ENOENT for a folder that it cannot make on a read-only file system.
  return ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'].includes(code)
    ? `${dataDir} cannot be written: set DATA_DIR to a folder that this user may write (${code})`
    : `The embedded PostgreSQL cannot use ${dataDir}: ${messageOf(error)}`;
}

/** The home of a server that was started before; creates nothing. */
export async function findHome(dataDir: string, rootState?: string): Promise<ServerHome | undefined> {
  const credentials = await readCredentials(dataDir);
  return credentials && describeHome(await realpath(dataDir), credentials, rootState);
}

async function firstCredentials(dataDir: string): Promise<Credentials> {
  const before = await ownerOf(path.join(dataDir, 'engine', 'cluster'));
  const credentials = await createCredentials(dataDir);
  if (!before) return credentials;
  await removeCredentials(dataDir);
  throw new EmbeddedPostgresError(
    `${dataDir} holds an embedded database but no engine.json with its passwords: put that file back, or remove ${path.join(dataDir, 'engine')} to start afresh`,
  );
}

async function describeHome(dataDir: string, credentials: Credentials, rootState?: string): Promise<ServerHome> {
  const local = path.join(dataDir, 'engine');
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  let folder = local;
  let user: ServerUser | undefined;
  if (isRoot()) {
    // An ordinary user's cluster stays in place and keeps running as that user.
    user = await ownerOf(path.join(local, 'cluster'));
    if (!user) {
      user = await unprivilegedUser();
      const apart = path.join(rootState ?? ROOT_STATE, `${digest}-${credentials.id}`);
      const isApart = rootState !== undefined || (await ownerOf(apart)) !== undefined;
      if (isApart || !(await mayEnter(path.dirname(dataDir), user))) folder = apart;
    }
  }
  return {
    folder,
    cluster: path.join(folder, 'cluster'),
    logFile: path.join(folder, 'server.log'),
    socketDir: process.platform === 'win32' ? undefined : socketDirFor(folder, `${digest}-${credentials.id}`),
    user,
  };
}

function socketDirFor(folder: string, name: string): string {
  const inside = path.join(folder, 'socket');
  const fits = Buffer.byteLength(inside) + SOCKET_NAME_LENGTH <= SOCKET_PATH_LIMIT;
  // Not TMPDIR: every process of this data folder must use the same path.
  return fits ? inside : path.join('/tmp', `tidemark-${name}`);
}

async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function unprivilegedUser(): Promise<ServerUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['tidemark', 'nobody']) {
    const account = accounts.find(([login]) => login === name);
    const [uid, gid] = [Number(account?.[2]), Number(account?.[3])];
    // Spawning takes signed ids (macOS writes nobody as 4294967294 in some places, as -2 in others).
    if (account && (uid | 0) !== 0) return { uid: uid | 0, gid: gid | 0 };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and this system has neither a user "tidemark" nor "nobody": add one, or set DATABASE_URL',
  );
}

/** Whether the user may pass through each folder down to this one. */
export async function mayEnter(folder: string, { uid, gid }: ServerUser): Promise<boolean> {
  const found = await stat(folder);
  const bit = found.uid === uid >>> 0 ? 0o100 : found.gid === gid >>> 0 ? 0o010 : 0o001;
  if ((found.mode & bit) === 0) return false;
  const parent = path.dirname(folder);
  return parent === folder || mayEnter(parent, { uid, gid });
}

export async function makeRootState(state: string): Promise<void> {
  for (const folder of [path.dirname(state), state]) {
    const made = await mkdir(folder).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      },
    );
    // The server's user needs access, whatever the umask.
    if (made) await chmod(folder, 0o755);
  }
}

async function makePrivate(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  const owner = user ? user.uid >>> 0 : process.getuid?.();
  const ours = found.uid === owner || found.uid === process.getuid?.();
  // Any user can create a name in /tmp: do not use a folder of theirs.
  if (!found.isDirectory() || (owner !== undefined && !ours)) {
    throw new EmbeddedPostgresError(`${folder} belongs to someone else; remove it or choose another DATA_DIR`);
  }
  if (user && found.uid !== owner) await chown(folder, user.uid >>> 0, user.gid >>> 0);
  if (process.platform !== 'win32' && (found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}
