import { readFile } from 'node:fs/promises';
import { Access } from '../../src/access/access.js';
import { Peppers } from '../../src/access/peppers.js';
import { createTestDatabase, type Template } from './database.js';
import { startProcess, type ServerProcess } from './processes.js';
import { TEST_PEPPER } from './server.js';

/** A built service as a process of its own, with keys of as many accounts on the widest plan. */
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

/** Milliseconds of CPU that the thread of the event loop has used: what other threads and processes use is not in it. */
export async function loopCpuMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}
