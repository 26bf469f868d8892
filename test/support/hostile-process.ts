import { readFile } from 'node:fs/promises';
import { Access } from '../../src/serve/access/accounts/access.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { createTestDatabase, type Template } from './database.js';
import { startProcess, type ServerProcess } from './processes.js';
import { TEST_PEPPER } from './server.js';

/** The built service as a separate process, with one key of each of this many accounts on the largest plan. */
export interface AttackedProcess {
  readonly process: ServerProcess;
  readonly keys: readonly string[];
  close(): Promise<void>;
}

export async function startAttacked(template: Template, accounts: number): Promise<AttackedProcess> {
  const database = await createTestDatabase(template);
  const process = await startProcess(database);
  const source = await database.open('account');
  const access = new Access(source, new Peppers([{ id: 'test', value: TEST_PEPPER }]), () => new Date());
  const keys: string[] = [];
  while (keys.length < accounts) {
    const email = `attacker-${keys.length}@test.example`;
    await access.createAccount({ email, plan: 'developer', signedUpAt: new Date(0) });
    keys.push((await access.createKey(email, 'attack')).text);
  }
  return {
    process,
    keys,
    close: async () => {
      await process.stop();
      await database.drop();
    },
  };
}

/** CPU milliseconds of the event loop's thread, without other threads and processes. */
export async function loopCpuMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}
