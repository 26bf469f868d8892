// The secrets of one embedded cluster: `engine.json` in the data folder, mode 0600, written once and whole.
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { codeOf, EngineError, messageOf } from './engine-error.js';

export const LOGIN_ROLES = {
  admin: 'tidemark_owner',
  import: 'tidemark_import',
  api: 'tidemark_api',
} as const;
export type EngineRole = keyof typeof LOGIN_ROLES;

const credentialsSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}$/),
  port: z.int().min(1).max(65535),
  passwords: z.object({ admin: z.string(), import: z.string(), api: z.string() }),
});
/**
 * `id` ties the file to its cluster where the two lie in different folders. `port` is the wish: where another
 * program holds it the engine takes a free one and says so in its `postmaster.pid`.
 */
export type EngineCredentials = Readonly<z.infer<typeof credentialsSchema>>;

const fileIn = (dataDir: string): string => path.join(dataDir, 'engine.json');

export async function readCredentials(dataDir: string): Promise<EngineCredentials | undefined> {
  try {
    return credentialsSchema.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    const reason = codeOf(error) ? messageOf(error) : 'it is damaged';
    throw new EngineError(
      `The passwords of the embedded engine, ${fileIn(dataDir)}, cannot be read: ${reason}`,
    );
  }
}

/**
 * Makes the file unless there is one. Of several processes at once one makes it and all read the same.
 * It is on disk before any cluster is, so that no cluster can exist whose passwords nobody knows.
 */
export async function createCredentials(dataDir: string): Promise<EngineCredentials> {
  const password = (): string => randomBytes(24).toString('base64url');
  const made: EngineCredentials = {
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

/** The wished loopback port, or any free one when it is taken. */
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
