import { CircuitBreaker } from '../../src/serve/limits/redis/circuit-breaker.js';

function closedBreaker(): CircuitBreaker {
  const breaker = new CircuitBreaker();
  breaker.reset();
  return breaker;
}

describe('The circuit breaker', () => {
  it('stays open until a probe gets a response', () => {
    expect(new CircuitBreaker().isOpen).toBe(true);
    expect(closedBreaker().isOpen).toBe(false);
  });

  it('opens after three time-outs, one after another', () => {
    const breaker = closedBreaker();
    const open = [100, 250, 400].map((sentAt) => {
      breaker.recordTimeout(sentAt, sentAt + 100);
      return breaker.isOpen;
    });
    expect(open).toEqual([false, false, true]);
    expect(breaker.opens).toBe(1);
  });

  it('counts commands that waited through one stall once', () => {
    const breaker = closedBreaker();
    for (let sentAt = 0; sentAt < 100; sentAt += 1) breaker.recordTimeout(sentAt, sentAt + 100);
    expect(breaker.isOpen).toBe(false);
  });

  it('starts counting again after a prompt response', () => {
    const breaker = closedBreaker();
    for (const sentAt of [0, 200, 400, 600]) {
      breaker.recordTimeout(sentAt, sentAt + 100);
      breaker.recordSuccess();
    }
    expect(breaker.isOpen).toBe(false);
  });

  it('reports each change once', () => {
    const breaker = new CircuitBreaker();
    const changes: boolean[] = [];
    breaker.onChange((isOpen) => changes.push(isOpen));
    breaker.trip();
    breaker.reset();
    breaker.reset();
    breaker.trip();
    breaker.trip();
    expect(changes).toEqual([false, true]);
  });
});
