// One of several processes that sync the publishers of a test, with a clock that runs faster than the real one. Arguments:
// the connection to the database as JSON, and the traits of the test.
import { setTimeout as wait } from 'node:timers/promises';
import { createDataSource } from '../../dist/store/data-source.js';
import { fetchReferenceRates } from '../../dist/publish/publishers/ecb.js';
import { IMPORTERS } from '../../dist/publish/publishers/importers.js';
import { fetchParYields } from '../../dist/publish/publishers/us-treasury.js';
import { syncDue, watch } from '../../dist/publish/sync/sync.js';
import { syncedPublisher } from '../../dist/publish/sync/synced-publishers.js';

const [connection, traits] = process.argv.slice(2).map((text) => JSON.parse(text));
const { base, beginsAt, beganAt, speed, dataDir, name } = traits;

const now = () => new Date(beginsAt + (Date.now() - beganAt) * speed);
const stop = new AbortController();
const settings = {
  base: `${base}/${name}`,
  limits: { tries: 1, timeoutMs: 30_000, maxBytes: 1_000_000 },
  thisYear: () => now().getUTCFullYear(),
};
const publishers = [
  ['ecb', (options) => fetchReferenceRates(options, settings)],
  ['us-treasury', (options) => fetchParYields({ ...options, since: now().toISOString().slice(0, 10) }, settings)],
].map(([publisher, fetch]) => syncedPublisher({ ...IMPORTERS[publisher], fetch }));

const pool = { size: 4, statementTimeout: 0, applicationName: name };
const dataSource = await connected();
const context = { dataSource, dataDir, now, signal: stop.signal };
process.once('disconnect', () => stop.abort());
// The test may have ended while this process was starting.
if (!process.connected) stop.abort();
await watch(() => syncDue(context, publishers, () => undefined), {
  now,
  signal: stop.signal,
  sleep: (milliseconds) =>
    wait(Math.min(milliseconds / speed, 1_000), undefined, { signal: stop.signal }).catch(() => undefined),
  onError: (error) => console.error(error.message),
});
await dataSource.destroy();

/** A busy machine may not answer within the time limit of a connection. */
async function connected() {
  for (;;) {
    try {
      return await createDataSource(connection, pool).initialize();
    } catch (error) {
      if (stop.signal.aborted) throw error;
    }
  }
}
