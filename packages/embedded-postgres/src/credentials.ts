// The passwords of one cluster: `engine.json` in the data folder, mode 0600, written once.
import { createHmac, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';

export const LOGIN_ROLES = {
  admin: 'tidemark_owner',
  import: 'tidemark_import',
  api: 'tidemark_api',
  account: 'tidemark_account',
} as const;
export type LoginRole = keyof typeof LOGIN_ROLES;

const credentialsSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}$/),
  port: z.int().min(1).max(65535),
  passwords: z.object({ admin: z.string(), import: z.string(), api: z.string() }),
});
/**
 * `id` ties the file to its cluster if the two are in different folders. `port` is a preference: if another program
 * uses it, the server takes a free one and writes that to its `postmaster.pid`.
 */
export type Credentials = Readonly<z.infer<typeof credentialsSchema>>;

/** Clusters created before this role existed have no password for it: it is derived from the owner's. */
export function passwordOf({ passwords }: Credentials, role: LoginRole): string {
  if (role !== 'account') return passwords[role];
  return createHmac('sha256', passwords.admin).update('account').digest('base64url');
}

const fileIn = (dataDir: string): string => path.join(dataDir, 'engine.json');

export async function readCredentials(dataDir: string): Promise<Credentials | undefined> {
  try {
    return credentialsSchema.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    const reason = codeOf(error) ? messageOf(error) : 'it is damaged';
    throw new EmbeddedPostgresError(
      `The passwords of the embedded PostgreSQL, ${fileIn(dataDir)}, cannot be read: ${reason}`,
    );
  }
}

/**
 * Creates the file unless it exists. Of several processes at once one creates it and all read the same content.
 * The file is on disk before the cluster, so that no cluster can exist without its passwords.
 */
export async function createCredentials(dataDir: string): Promise<Credentials> {
  const password = (): string => randomBytes(24).toString('base64url');
  const made: Credentials = {
    id: randomBytes(4).toString('hex'),
    port: process.platform === 'win32' ? await freePort(0) : 5432,
    passwords: { admin: password(), import: password(), api: password() },
  };
  const draft = `${fileIn(dataDir)}.${made.id}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(made, null, 2)}\n`);
    await file.sync();
    await link(draft, fileIn(dataDir));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
  return (await readCredentials(dataDir)) ?? made;
}

export async function removeCredentials(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/** The preferred loopback port, or any free one if it is taken. */
export function freePort(wish: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wish === 0 ? reject(error) : resolve(freePort(0))));
    probe.listen(wish, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
