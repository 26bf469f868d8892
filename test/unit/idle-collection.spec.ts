import { IdleCollection, collectGarbage } from '../../src/serve/http/overload/idle-collection.js';

describe('The collection of an idle process', () => {
  let busy = 0;
  let heapBytes = 100;
  let collections = 0;
  const sources = {
    utilization: () => busy,
    heapBytes: () => heapBytes,
    collect: () => {
      collections += 1;
      heapBytes = 105;
      return Promise.resolve();
    },
  };
  const periods = async (idle: IdleCollection, count: number, share: number) => {
    busy = share;
    for (let one = 0; one < count; one += 1) await idle.onPeriod();
  };

  it('waits for three quiet periods after the heap has grown, and for growth after that', async () => {
    const idle = new IdleCollection(sources);
    await periods(idle, 9, 0);
    expect(collections).toBe(0);
    heapBytes = 160;
    await periods(idle, 9, 0.5);
    await periods(idle, 2, 0.01);
    await periods(idle, 1, 0.5);
    await periods(idle, 2, 0.01);
    expect(collections).toBe(0);
    await periods(idle, 1, 0.01);
    expect(collections).toBe(1);
    await periods(idle, 9, 0);
    expect(collections).toBe(1);
    heapBytes = 130;
    await periods(idle, 3, 0);
    expect(collections).toBe(2);
  });

  it('collects garbage', async () => {
    const gone = new WeakRef({ large: new Array(1_000) });
    await new Promise((resolve) => setImmediate(resolve));
    await collectGarbage();
    expect(gone.deref()).toBeUndefined();
  });
});
