import path from 'node:path';
import { Access } from './access/access.js';
import { Account } from './access/account.entity.js';
import { ApiKey } from './access/api-key.entity.js';
import type { Peppers } from './access/peppers.js';
import type { Config } from './config/config.js';
import type { Connections } from './database/connections.js';
import { createDataSource } from './database/data-source.js';
import { loadStarter } from './publishing/starter/load-starter.js';

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
export async function makeDemo({ connections, peppers }: Start): Promise<Demo> {
  const settings = { size: 2, statementTimeout: 10_000, applicationName: 'tidemark-first-start' };
  const database = createDataSource(connections.to('api'), settings, [Account, ApiKey]);
  await database.initialize();
  try {
    const access = new Access(database, peppers, () => new Date());
    const known = await database.getRepository(Account).findOneBy({ email: EMAIL });
    if (known === null)
      await access.createAccount({ email: EMAIL, plan: 'developer', signedUpAt: new Date() });
    const keys = await access.listKeys(EMAIL);
    if (keys.length > 0) return { email: EMAIL, key: null };
    return { email: EMAIL, key: (await access.createKey(EMAIL, 'demo')).text };
  } finally {
    await database.destroy();
  }
}

/** Loads the starter figures while nothing has been published. */
export async function loadFigures({ connections, say }: Start): Promise<void> {
  const settings = { size: 2, statementTimeout: 0, applicationName: 'tidemark-starter' };
  const database = createDataSource(connections.to('import'), settings);
  await database.initialize();
  try {
    const [published] = await database.query<{ any: boolean }[]>(
      'SELECT EXISTS (SELECT 1 FROM revisions) AS any',
    );
    if (published?.any === true) return;
    say('Loading the starter figures …');
    await loadStarter(database, STARTER);
  } finally {
    await database.destroy();
  }
}
