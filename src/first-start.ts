import path from 'node:path';
import type { DataSource } from 'typeorm';
import { Access } from './access/access.js';
import { Account } from './access/account.entity.js';
import { ApiKey } from './access/api-key.entity.js';
import type { Peppers } from './access/peppers.js';
import type { Config } from './config/config.js';
import type { Connections } from './database/connections.js';
import { createDataSource } from './database/data-source.js';
import { seedDemo } from './following/seed-demo.js';
import { awaitsStarter, loadStarter } from './publishing/starter/load-starter.js';

export interface Demo {
  readonly email: string;
  /** Only on the start that made it. */
  readonly key: string | null;
}

interface Start {
  readonly config: Config;
  readonly connections: Connections;
  readonly peppers: Peppers;
  readonly say: (line: string) => void;
}

const EMAIL = 'demo@tidemark.example';
const STARTER = path.join(import.meta.dirname, '..', 'data', 'starter');

/** Whether this is the unconfigured, embedded service that fills itself for a newcomer. */
export function isUnconfigured({ config, connections }: Pick<Start, 'config' | 'connections'>): boolean {
  return !config.production && connections.engine === 'embedded';
}

/** The demo account with its key, found or made: a start that was killed half-way is made good. */
export function makeDemo(start: Start): Promise<Demo> {
  return withAccess(start, async (access, database) => {
    await makeAccount(access, database, new Date());
    if ((await access.listKeys(EMAIL)).length > 0) return { email: EMAIL, key: null };
    // What it is to follow may have come with later figures than the first.
    await seedDemo(database, access, EMAIL, new Date());
    return { email: EMAIL, key: (await access.createKey(EMAIL, 'demo')).text };
  });
}

/** Loads the starter figures, or the rest of them after a start that was killed; later ones set off the demo's alerts. */
export async function loadFigures(start: Start): Promise<void> {
  const settings = { size: 2, statementTimeout: 0, applicationName: 'tidemark-starter' };
  const database = createDataSource(start.connections.to('import'), settings);
  await database.initialize();
  try {
    if (!(await awaitsStarter(database, STARTER))) return;
    start.say('Loading the starter figures …');
    await loadStarter(
      database,
      STARTER,
      () => new Date(),
      (since) => withAccess(start, (access, own) => makeAccount(access, own, since)),
    );
  } finally {
    await database.destroy();
  }
}

async function makeAccount(access: Access, database: DataSource, since: Date): Promise<void> {
  const accounts = await access.listAccounts();
  if (accounts.some(({ email }) => email === EMAIL)) return;
  await access.createAccount({ email: EMAIL, plan: 'developer', signedUpAt: since });
  await seedDemo(database, access, EMAIL, since);
}

async function withAccess<T>(
  { connections, peppers }: Start,
  work: (access: Access, database: DataSource) => Promise<T>,
): Promise<T> {
  const settings = { size: 2, statementTimeout: 10_000, applicationName: 'tidemark-first-start' };
  const database = createDataSource(connections.to('api'), settings, [Account, ApiKey]);
  await database.initialize();
  try {
    return await work(new Access(database, peppers, () => new Date()), database);
  } finally {
    await database.destroy();
  }
}
