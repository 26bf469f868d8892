import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from './database.js';
import { freePort } from './free-port.mjs';
import { startProcess, type ServerProcess } from './processes.js';
import { startTestServer, type TestServer } from './server.js';

const CONTROL = join(__dirname, 'control-port.mjs');
/** No request may block the event loop for longer; the measured ones take a tenth of it or less. */
export const MOST_CPU_MS = 50;
/** The minimum counts, because the process also does other work. */
const TRIES = 4;

/** A separate server process, whose CPU time a suite can read. */
export class MeasuredServer {
  private constructor(
    private readonly database: TestDatabase,
    private readonly accounts: TestServer,
    private readonly server: ServerProcess,
    private readonly control: string,
  ) {}

  static async start(): Promise<MeasuredServer> {
    const database = await createTestDatabase('figures');
    const accounts = await startTestServer({ database });
    const port = String(await freePort());
    const server = await startProcess(database, { NODE_OPTIONS: `--import=${CONTROL}`, CONTROL_PORT: port });
    return new MeasuredServer(database, accounts, server, `http://127.0.0.1:${port}`);
  }

  get url(): string {
    return this.server.url;
  }

  /** The minimum CPU time of a few tries, because a busy machine only adds to it. */
  async cpuMsOf(send: (key: string, turn: number) => Promise<void>): Promise<number> {
    const key = await this.accounts.key();
    const taken: number[] = [];
    for (let turn = 0; turn < TRIES; turn += 1) {
      const before = await this.cpuMs();
      await send(key, turn);
      taken.push((await this.cpuMs()) - before);
    }
    return Math.min(...taken);
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.accounts.close();
    await this.database.drop();
  }

  private async cpuMs(): Promise<number> {
    return Number(await (await fetch(`${this.control}/cpu`)).text()) / 1_000;
  }
}
