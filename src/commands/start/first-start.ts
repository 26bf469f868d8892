import path from 'node:path';
import type { DataSource } from 'typeorm';
import { Access } from '../../serve/access/accounts/access.js';
import { OneTimeTokens } from '../../serve/access/sign-in/one-time-tokens.js';
import type { Peppers } from '../../serve/access/keys/peppers.js';
import type { Config } from '../../domain/config/config.js';
import type { Connections } from '../../store/connections.js';
import { ACCOUNT_TABLES } from '../context/account-tables.js';
import { createDataSource } from '../../store/data-source.js';
import { seedDemo } from '../../serve/following/seed-demo.js';
import { awaitsStarter, loadStarter } from '../../publish/starter/load-starter.js';

export interface Demo {
  readonly email: string;
  /** Set only by the start that created the key. */
  readonly key: string | null;
  /** Of a link that signs in once. */
  readonly signInToken: string;
}

interface Start {
  readonly config: Config;
  readonly connections: Connections;
  readonly peppers: Peppers;
  readonly say: (line: string) => void;
}

const EMAIL = 'demo@tidemark.example';
const STARTER = path.join(import.meta.dirname, '../../../data/starter');

/** Whether this is an unconfigured service on the embedded database, which loads the starter set. */
export function isUnconfigured({ config, connections }: Pick<Start, 'config' | 'connections'>): boolean {
  return !config.production && connections.engine === 'embedded';
}

/** Finds or creates the demo account and its key, so that a start repairs an interrupted one. */
export function makeDemo(start: Start): Promise<Demo> {
  return withAccess(start, async (access, database, accounts) => {
    await makeAccount(access, database, new Date());
    const { id: accountId } = await access.findAccount(EMAIL);
    const link = { purpose: 'sign_in', accountId, email: EMAIL, locale: 'en' } as const;
    const signInToken = await new OneTimeTokens(accounts, () => new Date()).make(link);
    if ((await access.listKeys(EMAIL)).length > 0) return { email: EMAIL, key: null, signInToken };
    // The targets of its follows may have arrived with later figures.
    await seedDemo(database, access, EMAIL, new Date());
    return { email: EMAIL, key: (await access.createKey(EMAIL, 'demo')).text, signInToken };
  });
}

/** Loads the starter set, or the rest of it after an interrupted start. The demo's alerts fire on its later figures. */
export async function loadFigures(start: Start): Promise<void> {
  const settings = { size: 2, statementTimeout: 0, applicationName: 'tidemark-starter' };
  const database = createDataSource(start.connections.to('import'), settings);
  await database.initialize();
  try {
    if (!(await awaitsStarter(database, STARTER))) return;
    start.say('Loading the starter figures, once: about half a minute …');
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
  await access.createAccount({ email: EMAIL, plan: 'developer', signedUpAt: new Date() });
  await seedDemo(database, access, EMAIL, since);
}

async function withAccess<T>(
  { connections, peppers }: Start,
  work: (access: Access, database: DataSource, accounts: DataSource) => Promise<T>,
): Promise<T> {
  const settings = { size: 2, statementTimeout: 10_000, applicationName: 'tidemark-first-start' };
  const accounts = createDataSource(connections.to('account'), settings, ACCOUNT_TABLES);
  const database = createDataSource(connections.to('api'), settings, ACCOUNT_TABLES);
  try {
    await Promise.all([accounts.initialize(), database.initialize()]);
    return await work(new Access(accounts, peppers, () => new Date()), database, accounts);
  } finally {
    await Promise.all([accounts, database].filter((one) => one.isInitialized).map((one) => one.destroy()));
  }
}
