import { Prices } from '../../src/serve/access/keys/prices.js';
import { LocalLimiter } from '../../src/serve/limits/local-limiter.js';
import { DAY_MS } from '../../src/serve/limits/window.js';

/** The prices of a service that counts in memory, on a test's clock. */
export function pricesAt(now: () => Date): Prices {
  const clock = { monotonic: () => now().getTime(), wall: () => now().getTime() };
  const store = new LocalLimiter(clock, 'memory', DAY_MS);
  return new Prices(store, store, clock.monotonic);
}
