import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import type { DataSource } from 'typeorm';
import type { Peppers } from '../../serve/access/keys/peppers.js';
import type { Config } from '../../domain/config/config.js';
import type { Connections } from '../../store/connections.js';
import type { Screen } from './screen.js';
import type { CommandContext } from './command-context.js';

// Modules are imported where they are used: a help loads none of them.

/** The context of the commands of `npx tidemark`: opened on first use, closed once at the end. */
export class CliContext implements CommandContext {
  readonly tty = process.stderr.isTTY;
  readonly screen: Screen = {
    width: process.stdout.isTTY ? process.stdout.columns : null,
    // As Commander colours its help: NO_COLOR, FORCE_COLOR, and whether the output is a terminal.
    isColoured: new Command().configureOutput().getOutHasColors?.() ?? false,
  };
  readonly ask: NonNullable<CommandContext['ask']> | null = process.stdin.isTTY ? askAtTerminal : null;
  private config: Config | undefined;
  private name = '';
  private opened: Promise<Connections> | undefined;

  constructor(readonly json: boolean) {}

  /** Reads the configuration; call it before an action. @throws ConfigError */
  async load(): Promise<void> {
    const { readConfig } = await import('../../domain/config/config.js');
    const { databaseName } = await import('../../store/connections.js');
    this.config = readConfig(process.env);
    this.name = databaseName(this.config);
  }

  get dataDir(): string {
    return this.loaded.dataDir;
  }

  get database(): string {
    return this.name;
  }

  get contact(): string | null {
    return this.loaded.secUserAgent;
  }

  get accessCodes(): Config['accessCodes'] {
    return this.loaded.accessCodes;
  }

  now(): Date {
    return new Date();
  }

  out(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  err(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** @throws Error if there is no database and `mode` does not allow to create it */
  async connections(mode?: 'create' | 'unmigrated'): Promise<Connections> {
    return (this.opened ??= this.open(mode));
  }

  async peppers(): Promise<Peppers> {
    await this.requireDatabase();
    const { loadPeppers } = await import('../../serve/access/keys/peppers.js');
    return loadPeppers(this.loaded);
  }

  async connect(role: 'import' | 'api' | 'account', mode?: 'create'): Promise<DataSource> {
    const connections = await this.connections(mode);
    const { createDataSource } = await import('../../store/data-source.js');
    const { ACCOUNT_TABLES } = await import('./account-tables.js');
    const settings = { size: 4, statementTimeout: 0, applicationName: `tidemark-cli-${role}` };
    const entities = role === 'import' ? [] : ACCOUNT_TABLES;
    return createDataSource(connections.to(role), settings, entities).initialize();
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.release();
  }

  private async open(mode: 'create' | 'unmigrated' | undefined): Promise<Connections> {
    if (mode !== 'create') await this.requireDatabase();
    const { openConnections } = await import('../../store/connections.js');
    if (!this.json) this.err(`database: ${this.name}`);
    const connections = await openConnections(this.loaded, (line) => this.err(line));
    // The embedded database belongs to this service alone, so its migrations run unasked.
    if (connections.engine === 'embedded' && mode !== 'unmigrated') {
      const { migrate } = await import('../../store/migrate.js');
      await migrate(connections);
    }
    return connections;
  }

  private async requireDatabase(): Promise<void> {
    const { hasDatabase } = await import('../../store/connections.js');
    if (await hasDatabase(this.loaded)) return;
    throw new Error(
      `no Tidemark in ${resolve(this.dataDir)}: \`tidemark migrate\` creates its database; DATA_DIR or DATABASE_URL names another`,
    );
  }

  private get loaded(): Config {
    if (this.config === undefined) throw new Error('The configuration is not read yet');
    return this.config;
  }
}

async function askAtTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } catch {
    // Ctrl-C or Ctrl-D: the line of the question ends here, and it is a no.
    process.stderr.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}
