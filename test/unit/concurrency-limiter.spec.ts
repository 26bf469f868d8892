import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../src/serve/http/overload/concurrency-limiter.js';

const LIMITS: ConcurrencyLimits = {
  maxBurst: 10,
  sustained: 5,
  sustainedForMs: 1_000,
  whileShedding: 2,
  recoverAfterMs: 500,
};

describe('The concurrency limiter', () => {
  let now: number;
  let said: string[];
  let limiter: ConcurrencyLimiter;
  beforeEach(() => {
    now = 0;
    said = [];
    limiter = new ConcurrencyLimiter(LIMITS, () => now, {
      onShedding: () => said.push('shedding'),
      onReject: () => said.push('refused'),
      onRecovery: (refused) => said.push(`calm after ${refused}`),
    });
  });
  const enter = (count: number) => {
    for (let one = 0; one < count; one += 1) limiter.acquire();
  };
  const leave = (count: number) => {
    for (let one = 0; one < count; one += 1) limiter.release();
  };

  it('admits a burst', () => {
    enter(9);
    expect(limiter.isFull()).toBe(false);
    now = 999;
    expect(limiter.isFull()).toBe(false);
  });

  it('admits at most one burst at a time', () => {
    enter(10);
    expect(limiter.isFull()).toBe(true);
    expect(said).toEqual(['shedding']);
  });

  it('is full after a sustained load, even without a burst', () => {
    enter(5);
    now = 1_000;
    expect(limiter.isFull()).toBe(true);
  });

  it('is not full if the load fell in between', () => {
    enter(5);
    now = 900;
    leave(1);
    enter(1);
    now = 1_100;
    expect(limiter.isFull()).toBe(false);
  });

  it('admits few requests while it sheds, until it has refused none for a while', () => {
    enter(10);
    expect(limiter.isFull()).toBe(true);
    limiter.reject();
    leave(9);
    expect(limiter.isFull()).toBe(false);
    enter(1);
    expect(limiter.isFull()).toBe(true);
    limiter.reject();
    now = 500;
    expect(limiter.isFull()).toBe(true);
    now = 999;
    leave(1);
    expect(limiter.isFull()).toBe(false);
    now = 1_000;
    expect(limiter.isFull()).toBe(false);
    expect(said).toEqual(['shedding', 'refused', 'refused', 'calm after 2']);
    enter(4);
    expect(limiter.isFull()).toBe(false);
  });

  it.each([
    [2, 'calm after 3'],
    [3, undefined],
  ])('stops shedding if it refused at most one in ten: %s of twenty', (refused, last) => {
    enter(10);
    expect(limiter.isFull()).toBe(true);
    limiter.reject();
    leave(10);
    now = 500;
    limiter.isFull();
    for (let one = 0; one < 20; one += 1) {
      if (one < refused) {
        limiter.reject();
        continue;
      }
      limiter.acquire();
      limiter.release();
    }
    said.splice(0);
    now = 1_000;
    limiter.isFull();
    expect(said).toEqual(last === undefined ? [] : [last]);
  });

  it('continues shedding while many requests are in flight', () => {
    enter(10);
    expect(limiter.isFull()).toBe(true);
    now = 60_000;
    expect(limiter.isFull()).toBe(true);
    leave(6);
    expect(limiter.isFull()).toBe(false);
    expect(said).toEqual(['shedding', 'calm after 0']);
  });
});
