import { setTimeout as wait } from 'node:timers/promises';

/** How long a scrape waits for the database; after that it reports the last known value. */
const TIMEOUT_MS = 1_000;

/** A value that each scrape reads again. A read that fails or takes too long leaves the last known one. */
export function lastKnown<T>(first: T, read: (known: T) => Promise<T>): () => Promise<T> {
  let known = first;
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    known = await read(known);
  };
  return async () => {
    reading ??= refresh()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    await Promise.race([reading, wait(TIMEOUT_MS, undefined, { ref: false })]);
    return known;
  };
}
