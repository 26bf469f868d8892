import { Agent } from 'node:http';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { operationsOf, readDocument, type Documented } from '../contract/document.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { requests } from '../support/hostile.js';
import { HttpChecker } from '../support/http-checker.js';
import { ownerOf } from '../support/own.js';
import { pathOf, segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { send } from '../support/wire.js';

/** More of them, by hand: `TIDEMARK_PROPERTY_RUNS=20000 TIDEMARK_PROPERTY_SEED=random npx jest test/http/property`. */
const REQUESTS = Number(process.env['TIDEMARK_PROPERTY_RUNS'] ?? exhaustively(2_000, 400));
/** The number of concurrent requests. */
const BATCH = 20;
/** The accounts take turns and the clock advances between batches, so that no request reaches a limit. */
const ACCOUNTS = 5;
const BETWEEN_BATCHES_MS = 3_000;

jest.setTimeout(30 * 60_000);

describe('A random request', () => {
  const clock = new StoppedClock('2026-11-20T00:00:01Z');
  const agent = new Agent({ keepAlive: true, maxSockets: BATCH });
  const keys: string[] = [];
  let database: TestDatabase;
  let service: TestServer;
  let operations: Documented[];
  let segments: ReadonlyMap<string, string[]>;
  let checker: HttpChecker;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database, clock });
    const document = await readDocument(service);
    operations = operationsOf(document);
    checker = new HttpChecker(document);
    segments = await segmentsIn(service.server.app.get(DataSource), 20);
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const owner = await ownerOf(service, `asker-${index}`);
      await owner.follow('country', 'JP');
      await owner.alert({ type: 'topic', key: 'inflation', metric: 'any_change' });
      keys.push(owner.key);
    }
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
    await database.drop();
  });

  it('gets a response that matches the schema of the operation or of the error', async () => {
    const statuses = new Map<number, number>();
    const batches = fc.array(
      requests(operations, (path) => segments.get(pathOf(path)) ?? []),
      { minLength: BATCH, maxLength: BATCH },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        clock.advance(BETWEEN_BATCHES_MS);
        const judged = await Promise.all(
          batch.map(async (asked, index) => {
            const key = keys[index % ACCOUNTS] ?? '';
            const answer = await send({ place: 'any', ...asked }, { url: service.url, agent, key });
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            const faults = answer.cut === undefined ? checker.faults(asked, answer) : [`cut: ${answer.cut}`];
            return { asked, status: answer.status, faults };
          }),
        );
        expect(judged.filter(({ faults }) => faults.length > 0)).toEqual([]);
      }),
      { numRuns: Math.ceil(REQUESTS / BATCH), endOnFailure: REQUESTS > 2_000 },
    );
    const count = (status: number): number => statuses.get(status) ?? 0;
    // Refusals alone would show little: a good part of the requests must succeed.
    expect(count(200)).toBeGreaterThan(REQUESTS / 10);
    for (const status of [304, 400, 404, 405])
      expect({ status, seen: count(status) > 0 }).toEqual({ status, seen: true });
    expect(count(429)).toBe(0);
    if (REQUESTS > 2_000) console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  });
});
