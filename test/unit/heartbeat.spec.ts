import { Heartbeat } from '../../src/store/heartbeat.js';

const still = { everyMs: 60_000, monotonic: () => 0, onChange: () => undefined };

describe('The heartbeat', () => {
  it('reports the state at the time of its query, even while an earlier query is in flight', async () => {
    let dataVersion = 1;
    const answers: (() => void)[] = [];
    // The server reads its state when the query arrives, and replies after a delay.
    const query = () => {
      const state = { dataVersion, accessVersion: 0, changed: [] };
      return new Promise<(typeof state)[]>((resolve) => answers.push(() => resolve([state])));
    };
    const heartbeat = new Heartbeat({ query: query as never, close: () => undefined }, still);
    const before = heartbeat.poll();
    await settled();
    dataVersion = 2;
    const after = [heartbeat.poll(), heartbeat.poll()];
    answers[0]?.();
    await before;
    expect(heartbeat.latest.dataVersion).toBe(1);
    await settled();
    answers[1]?.();
    await Promise.all(after);
    expect(heartbeat.latest.dataVersion).toBe(2);
    expect(answers).toHaveLength(2);
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
