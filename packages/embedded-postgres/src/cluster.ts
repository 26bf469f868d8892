// Creates the cluster: initdb into a scratch folder, then one rename, so that it is complete or absent.
import { execFile } from 'node:child_process';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { LOGIN_ROLES, type Credentials } from './credentials.js';
import { codeOf, EmbeddedPostgresError, messageOf, textIn } from './embedded-postgres-error.js';
import { fullDisk, type ServerHome } from './home.js';
import { clearScratch, inScratch } from './scratch.js';
import { reasonIn, serverEnvironment } from './server-process.js';

const run = promisify(execFile);

/** Returns whether this call created the cluster; of several processes at once exactly one does. */
export async function ensureCluster(
  home: ServerHome,
  binaries: Binaries,
  credentials: Credentials,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await clearScratch(home.folder);
  const major = await clusterMajor(home.cluster);
  if (major === binaries.major) return false;
  if (major !== undefined) {
    throw new EmbeddedPostgresError(
      `The database in ${home.cluster} was made by PostgreSQL ${major}, and this version of Tidemark brings ${binaries.major}: move it away to start afresh, or serve it with PostgreSQL ${major} and set DATABASE_URL`,
    );
  }
  return inScratch(home.folder, async (scratch) => {
    await initialise(scratch, home, binaries, credentials, signal);
    return moveIntoPlace(path.join(scratch, 'data'), home.cluster);
  });
}

export async function hasCluster({ cluster }: ServerHome): Promise<boolean> {
  return (await clusterMajor(cluster)) !== undefined;
}

async function clusterMajor(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`The database in ${cluster} cannot be read: ${messageOf(error)}`);
  }
}

async function initialise(
  scratch: string,
  home: ServerHome,
  binaries: Binaries,
  credentials: Credentials,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { user } = home;
  const passwordFile = path.join(scratch, 'password');
  await writeFile(passwordFile, `${credentials.passwords.admin}\n`, { mode: 0o600, flag: 'wx' });
  if (user) {
    await chown(scratch, user.uid >>> 0, user.gid >>> 0);
    await chown(passwordFile, user.uid >>> 0, user.gid >>> 0);
  }
  const options = [
    `--pgdata=${path.join(scratch, 'data')}`,
    `--username=${LOGIN_ROLES.admin}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--wal-segsize=1',
    '--no-instructions',
  ];
  try {
    await run(binaries.initdb, options, {
      ...user,
      cwd: home.folder,
      env: serverEnvironment(),
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (textIn(error, 'stderr')?.includes('No space left on device'))
      throw new EmbeddedPostgresError(fullDisk(home.folder));
    throw new EmbeddedPostgresError(`The embedded database could not be made: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (codeOf(error) === 'ENOENT') {
    return 'its programs do not run on this system (they need glibc; Alpine has none): set DATABASE_URL';
  }
  return reasonIn(`${messageOf(error)}\n${textIn(error, 'stderr') ?? ''}`);
}

async function moveIntoPlace(made: string, cluster: string): Promise<boolean> {
  try {
    await rename(made, cluster);
    return true;
  } catch (error) {
    if ((await clusterMajor(cluster)) === undefined) {
      throw new EmbeddedPostgresError(`The embedded database could not be moved to ${cluster}: ${messageOf(error)}`);
    }
    return false;
  }
}
