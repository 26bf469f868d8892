// Finds the PostgreSQL binaries that npm installed for this platform and makes them executable for the server's user.
import { access, chmod, constants, cp, lstat, mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';
import { makeRootState, mayEnter, ROOT_STATE, type ServerHome } from './home.js';
import { clearScratch, inScratch } from './scratch.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** PostgreSQL's major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const packageSchema = z.object({ version: z.string() });
const suffix = process.platform === 'win32' ? '.exe' : '';

/**
 * The binaries in `node_modules`, or a copy of them: for root where the server's user may not enter the project, and for a read-only installation without library links (npm with `ignore-scripts`).
 */
export async function findBinaries(home: ServerHome): Promise<Binaries> {
  const installed = installedPackage();
  const { version } = packageSchema.parse(JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')));
  const isOpen = !home.user || (await mayEnter(path.join(installed, 'native', 'bin'), home.user));
  const inPlace = isOpen && (await makeRunnable(installed));
  const folder = inPlace ? installed : await copyOf(installed, home.user ? ROOT_STATE : home.folder, version);
  const binary = (name: string): string => path.join(folder, 'native', 'bin', name + suffix);
  const [major = version] = version.split('.');
  return { initdb: binary('initdb'), postgres: binary('postgres'), pgCtl: binary('pg_ctl'), major };
}

function installedPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} here (package ${name}): set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

async function makeRunnable(folder: string): Promise<boolean> {
  try {
    await access(path.join(folder, 'native', 'bin', `initdb${suffix}`), constants.X_OK);
    await access(path.join(folder, 'native', 'bin', `postgres${suffix}`), constants.X_OK);
    await makeLinks(folder);
    return true;
  } catch {
    return false;
  }
}

async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '[]';
    throw error;
  });
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const link = path.join(folder, target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

/** Renames a complete copy into place, so that several processes can copy at once. */
async function copyOf(installed: string, parent: string, version: string): Promise<string> {
  const copy = path.join(parent, `postgres-${version}`);
  if (await lstat(copy).catch(() => undefined)) return copy;
  try {
    if (parent === ROOT_STATE) await makeRootState(parent);
    await clearScratch(parent);
    await inScratch(parent, async (scratch) => {
      const draft = path.join(scratch, 'postgres');
      await mkdir(draft);
      await cp(path.join(installed, 'native'), path.join(draft, 'native'), {
        recursive: true,
        // Links made by an earlier start stay relative: the server's user may not read the folder that is copied.
        verbatimSymlinks: true,
        filter: isNeeded,
      });
      await makeLinks(draft);
      await openToAll(draft);
      await rename(draft, copy);
    });
  } catch (error) {
    // Another process may have finished its copy first.
    if (!(await lstat(copy).catch(() => undefined))) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL could not be copied to ${copy}: ${messageOf(error)}. Make room there, start as an ordinary user, or set DATABASE_URL`,
      );
    }
  }
  return copy;
}

const isNeeded = (source: string): boolean => !source.endsWith('.a') && path.basename(source) !== 'pkgconfig';

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const item = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(item);
    else if (entry.isFile()) await chmod(item, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
