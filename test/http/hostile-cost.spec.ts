// runs: in full only
import { Agent } from 'node:http';
import { everyNth } from '../support/exhaustive.js';
import { loopCpuMs, startAttacked, type AttackedProcess } from '../support/hostile-process.js';
import { EXPENSIVE_REQUESTS } from '../support/hostile-requests.js';
import { send } from '../support/wire.js';

/** The longest that one request may delay all others. */
const MOST_CPU_MS = 50;
/** Measured together, so that one garbage collection does not count as the cost of one request. */
const TIMES = 8;
/** A key sends at most as many requests as its plan allows a minute. */
const ACCOUNTS = Math.ceil((EXPENSIVE_REQUESTS.length * (TIMES + 2)) / 100);

// The CPU time of a thread is read from /proc.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('The event loop', () => {
  const agent = new Agent({ keepAlive: true });
  let attacked: AttackedProcess;
  let asked = 0;

  beforeAll(async () => {
    attacked = await startAttacked('full', ACCOUNTS);
  });
  afterAll(async () => {
    agent.destroy();
    await attacked.close();
  });

  it.each(everyNth(EXPENSIVE_REQUESTS, 4))('is blocked for less than 50 ms of CPU time by $title', async (probe) => {
    const { process: server, keys } = attacked;
    const ask = async (times: number): Promise<number[]> => {
      const statuses: number[] = [];
      while (statuses.length < times) {
        const key = keys[(asked += 1) % keys.length] ?? '';
        const target = probe.target.replace('{turn}', asked.toString(36));
        statuses.push((await send({ ...probe, target }, { url: server.url, agent, key })).status);
      }
      return statuses;
    };
    // The first requests compile the code that all of them run.
    await ask(2);
    const before = await loopCpuMs(server.pid);
    const statuses = await ask(TIMES);
    const each = ((await loopCpuMs(server.pid)) - before) / TIMES;
    expect(server.hasEnded()).toBe(false);
    expect(each).toBeLessThan(MOST_CPU_MS);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });
});
