import { EventLoopMonitor } from '../../src/serve/http/overload/event-loop-monitor.js';

describe('The event-loop monitor', () => {
  let now: number;
  let cpu: number;
  let turns: EventLoopMonitor;
  beforeEach(() => {
    now = 1_000;
    cpu = 0;
    turns = new EventLoopMonitor({ monotonic: () => now, cpu: () => cpu });
  });

  /** One iteration with requests: its length, the time in which the process worked, and their number. */
  async function turn(ms: number, worked = ms, requests = 32): Promise<void> {
    for (let count = 0; count < requests; count += 1) turns.onRequest();
    now += ms;
    cpu += worked;
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('reports overload after four long iterations in a row', async () => {
    for (const ms of [200, 150, 100]) await turn(ms);
    expect(turns.isSustained).toBe(false);
    await turn(100);
    expect(turns.isSustained).toBe(true);
  });

  it('reports no overload after three, however long', async () => {
    for (const ms of [900, 900, 900]) await turn(ms);
    expect(turns.isSustained).toBe(false);
  });

  it('reports no overload for few requests, however long they take', async () => {
    for (let count = 0; count < 8; count += 1) await turn(900, 900, 31);
    expect(turns.isSustained).toBe(false);
  });

  it('reports no overload if a short iteration lies between', async () => {
    for (const ms of [200, 200, 200, 10, 200, 200, 200]) await turn(ms);
    expect(turns.isSustained).toBe(false);
  });

  it('reports no overload if no request waited between', async () => {
    for (let count = 0; count < 8; count += 1) {
      await turn(200);
      now += 50;
    }
    expect(turns.isSustained).toBe(false);
  });

  it('reports no overload while other processes had the CPU', async () => {
    for (let count = 0; count < 8; count += 1) await turn(200, 20);
    expect(turns.isSustained).toBe(false);
  });

  it('reports a spent budget only after the first milliseconds of an iteration', async () => {
    turns.onRequest();
    expect(turns.isBudgetSpent).toBe(false);
    now += 4;
    expect(turns.isBudgetSpent).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(turns.isBudgetSpent).toBe(false);
  });
});
