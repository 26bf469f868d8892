// Where the embedded engine of one data folder lives, and as whom it runs.
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  createCredentials,
  readCredentials,
  removeCredentials,
  type EngineCredentials,
} from './credentials.js';
import { codeOf, EngineError, messageOf } from './engine-error.js';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export interface EngineHome {
  /** The server's own folder, 0700: cluster, log and, where its path is short enough, the socket. */
  readonly folder: string;
  readonly cluster: string;
  readonly logFile: string;
  /** `undefined` on Windows, where the engine listens on 127.0.0.1. */
  readonly socketDir: string | undefined;
  /** Set when this process is root: PostgreSQL refuses root and runs as this user. */
  readonly user: ServerUser | undefined;
}

/** Holds engines and binaries that root starts: an ordinary user can enter it whatever the project's folder allows. */
export const ROOT_STATE = '/var/lib/tidemark';

// A socket's path may have 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_LIMIT = 103;
const SOCKET_NAME_LENGTH = '/.s.PGSQL.65535'.length;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Makes the folders and the passwords where they are missing. */
export async function openHome(
  dataDir: string,
): Promise<{ home: EngineHome; credentials: EngineCredentials }> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const real = await realpath(dataDir);
    const credentials = (await readCredentials(real)) ?? (await firstCredentials(real));
    const home = await describeHome(real, credentials);
    if (home.user) await makeRootState();
    await makePrivate(home.folder, home.user);
    if (home.socketDir) await makePrivate(home.socketDir, home.user);
    return { home, credentials };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError(`The embedded engine cannot use its folders: ${messageOf(error)}`);
  }
}

/** The home of an engine that was started before; makes nothing. */
export async function findHome(dataDir: string): Promise<EngineHome | undefined> {
  const credentials = await readCredentials(dataDir);
  return credentials && describeHome(await realpath(dataDir), credentials);
}

async function firstCredentials(dataDir: string): Promise<EngineCredentials> {
  const before = await ownerOf(path.join(dataDir, 'engine', 'cluster'));
  const credentials = await createCredentials(dataDir);
  if (!before) return credentials;
  await removeCredentials(dataDir);
  throw new EngineError(
    `${dataDir} holds an embedded database but no engine.json with its passwords: put that file back, or remove ${path.join(dataDir, 'engine')} to start afresh`,
  );
}

async function describeHome(dataDir: string, credentials: EngineCredentials): Promise<EngineHome> {
  const local = path.join(dataDir, 'engine');
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  let folder = local;
  let user: ServerUser | undefined;
  if (isRoot()) {
    // An ordinary user's cluster stays where it is and goes on as that user's.
    user = await ownerOf(path.join(local, 'cluster'));
    if (!user) {
      user = await unprivilegedUser();
      folder = path.join(ROOT_STATE, `${digest}-${credentials.id}`);
    }
  }
  return {
    folder,
    cluster: path.join(folder, 'cluster'),
    logFile: path.join(folder, 'engine.log'),
    socketDir: process.platform === 'win32' ? undefined : socketDirFor(folder, `${digest}-${credentials.id}`),
    user,
  };
}

function socketDirFor(folder: string, name: string): string {
  const inside = path.join(folder, 'socket');
  const fits = Buffer.byteLength(inside) + SOCKET_NAME_LENGTH <= SOCKET_PATH_LIMIT;
  // Not TMPDIR: every process of this data folder must come to the same place.
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
  throw new EngineError(
    'PostgreSQL does not run as root and this system has neither a user "tidemark" nor "nobody": add one, or set DATABASE_URL',
  );
}

async function makeRootState(): Promise<void> {
  for (const folder of [path.dirname(ROOT_STATE), ROOT_STATE]) {
    const made = await mkdir(folder).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      },
    );
    // Whatever the umask: the server's user must get through.
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
  // A name in /tmp can be taken by anyone; theirs is not ours to use.
  if (!found.isDirectory() || (owner !== undefined && !ours)) {
    throw new EngineError(`${folder} belongs to someone else; remove it or choose another DATA_DIR`);
  }
  if (user && found.uid !== owner) await chown(folder, user.uid >>> 0, user.gid >>> 0);
  if (process.platform !== 'win32' && (found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}
