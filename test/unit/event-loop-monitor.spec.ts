import { EventLoopMonitor } from '../../src/http/overload/event-loop-monitor.js';

describe('Turns of the event loop', () => {
  let now: number;
  let cpu: number;
  let turns: EventLoopMonitor;
  beforeEach(() => {
    now = 1_000;
    cpu = 0;
    turns = new EventLoopMonitor({ monotonic: () => now, cpu: () => cpu });
  });

  /** One with requests in it, so long, of which the process worked so long. */
  async function turn(ms: number, worked = ms): Promise<void> {
    turns.onRequest();
    turns.onRequest();
    now += ms;
    cpu += worked;
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('are lasting when one long one follows the other', async () => {
    for (const ms of [200, 150, 100]) await turn(ms);
    expect(turns.isSustained).toBe(false);
    await turn(100);
    expect(turns.isSustained).toBe(true);
  });

  it('are not when there were few, however long', async () => {
    for (const ms of [900, 900, 900]) await turn(ms);
    expect(turns.isSustained).toBe(false);
  });

  it('are not when a short one came between', async () => {
    for (const ms of [200, 200, 200, 10, 200, 200, 200]) await turn(ms);
    expect(turns.isSustained).toBe(false);
  });

  it('are not when nobody waited between them', async () => {
    for (let count = 0; count < 8; count += 1) {
      await turn(200);
      now += 50;
    }
    expect(turns.isSustained).toBe(false);
  });

  it('are not when others had the processor', async () => {
    for (let count = 0; count < 8; count += 1) await turn(200, 20);
    expect(turns.isSustained).toBe(false);
  });

  it('are spent after their first milliseconds, and not between them', async () => {
    turns.onRequest();
    expect(turns.isBudgetSpent).toBe(false);
    now += 4;
    expect(turns.isBudgetSpent).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(turns.isBudgetSpent).toBe(false);
  });
});
