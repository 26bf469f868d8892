import type { DataSource } from 'typeorm';
import { loadPeppers, type Peppers } from '../access/peppers.js';
import type { CommandContext } from './command-context.js';
import { readConfig, type Config } from '../config/config.js';
import { openConnections, type Connections } from '../database/connections.js';
import { ACCOUNT_TABLES } from './account-tables.js';
import { createDataSource } from '../database/data-source.js';
import { migrate } from '../database/migrate.js';

/** The context of the commands of `npx tidemark`: opened on first use, closed once at the end. */
export interface OpenCommandContext extends CommandContext {
  readonly config: Config;
  connections(): Promise<Connections>;
  peppers(): Promise<Peppers>;
  close(): Promise<void>;
}

export function openCommandContext(json: boolean): OpenCommandContext {
  const config = readConfig(process.env);
  let opened: Promise<Connections> | undefined;
  const err = (line: string) => void process.stderr.write(`${line}\n`);

  const connections = () =>
    (opened ??= openConnections(config, err).then(async (ready) => {
      // The embedded database belongs to this service alone, so its migrations run unasked.
      if (ready.engine === 'embedded') await migrate(ready);
      return ready;
    }));

  return {
    config,
    json,
    tty: process.stderr.isTTY,
    dataDir: config.dataDir,
    contact: config.secUserAgent,
    accessCodes: config.accessCodes,
    now: () => new Date(),
    out: (line) => void process.stdout.write(`${line}\n`),
    err,
    connections,
    peppers: () => loadPeppers(config),
    connect: async (role): Promise<DataSource> => {
      const settings = { size: 4, statementTimeout: 0, applicationName: `tidemark-cli-${role}` };
      const entities = role === 'import' ? [] : ACCOUNT_TABLES;
      return createDataSource((await connections()).to(role), settings, entities).initialize();
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.release();
    },
  };
}
