// runs: in full only
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { ReadRouter } from '../../src/store/read-router.js';
import { createDataSource } from '../../src/store/data-source.js';
import { readSnapshot } from '../../src/store/snapshots.js';
import { isUnavailable } from '../../src/store/unavailable.js';
import { post, toolCall } from '../mcp/rpc.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Lifeline } from '../support/lifeline.js';
import { ownerOf } from '../support/own.js';
import { until } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

const KEPT = '/api/v1/topics';
const UNREAD = '/api/v1/coverage';

let database: TestDatabase;
let lifeline: Lifeline;
let service: TestServer;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase('figures');
});
beforeEach(async () => {
  lifeline = await Lifeline.to(database.connections);
  service = await startTestServer({ database, connections: lifeline.connections });
  key = await service.key();
  await until(20_000, 'an answer', async () => (await service.get(KEPT, key)).status === 200);
});
afterEach(async () => {
  lifeline.thaw();
  await service.close();
  await lifeline.cut();
});
afterAll(async () => {
  await database.drop();
});

const isBack = () => until(20_000, 'an answer', async () => (await service.get(UNREAD, key)).status === 200);

// The drill `database-frozen` measures that a response takes at most a second.
describe('A frozen database', () => {
  it('causes a 503 on every route, before and after its loss is noticed', async () => {
    const owner = await ownerOf(service, 'frozen');
    expect((await owner.get('/api/v1/following')).status).toBe(200);
    lifeline.freeze();
    const asked = [
      () => service.get(UNREAD, key),
      () => service.get('/api/v1/changes?limit=3', key),
      () => owner.get('/api/v1/following'),
      () => owner.get('/api/v1/alerts'),
    ];
    for (const reply of await Promise.all(asked.map((ask) => ask()))) {
      expect([reply.status, reply.body.error?.code]).toEqual([503, 'unavailable']);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    expect(service.server.app.get(Heartbeat).lost).toBe(true);
    for (const ask of asked) expect((await ask()).status).toBe(503);
  });

  it('leaves cached responses to keys that were verified before', async () => {
    lifeline.freeze();
    await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
    expect((await service.get(KEPT, key)).status).toBe(200);
  });

  it('causes the same error in a tool', async () => {
    lifeline.freeze();
    const { status, body } = await post(service.url, toolCall('latest_changes', { limit: 3 }), { key });
    expect([status, body.result?.isError]).toEqual([200, true]);
    expect(body.result?.content[0]?.text).toMatch(/^unavailable: /);
  });

  it('is used again after the freeze, with no more connections than before', async () => {
    lifeline.freeze();
    await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
    lifeline.thaw();
    await isBack();
    await noMoreConnections();
  });

  it('has more time at a start than in a request', async () => {
    lifeline.freeze();
    const starting = startTestServer({ database, connections: lifeline.connections });
    const begun = performance.now();
    await until(20_000, 'longer than a request waits', () => Promise.resolve(performance.now() - begun > 1_500));
    lifeline.thaw();
    const started = await starting;
    await until(20_000, 'an answer', async () => (await started.get(KEPT, key)).status === 200);
    await started.close();
  });

  it('does not delay the shutdown of a pool', async () => {
    const settings = { size: 2, statementTimeout: 5_000, applicationName: 'leaving', waitMs: 900 };
    const leaving = await createDataSource(lifeline.connections.to('api'), settings).initialize();
    lifeline.freeze();
    await expect(leaving.destroy()).resolves.toBeUndefined();
  });
});

describe('A restarted database', () => {
  it('leaves no connection behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([KEPT, UNREAD, '/api/v1/macro'].map((path) => service.get(path, key)));
      await lifeline.cut();
      await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
      expect((await service.get('/api/v1/changes?limit=7', key)).status).toBe(503);
      await lifeline.mend();
      await isBack();
    }
    await noMoreConnections();
  });

  it('causes one log line when it is lost and one when it is back', async () => {
    await lifeline.cut();
    await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
    for (let poll = 0; poll < 3; poll += 1) await service.server.app.get(Heartbeat).poll();
    await lifeline.mend();
    await isBack();
    const said = service.lines.filter((line) => /the database (does not answer|answers again)/.test(line));
    expect(said.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['warn', 'info']);
  });

  it('ends no process between two statements of a snapshot', async () => {
    const read = readSnapshot(service.server.app.get(DataSource), async (statement) => {
      await statement('SELECT 1');
      await lifeline.cut();
      await setImmediate();
      await statement('SELECT 1');
    });
    await expect(read.catch(isUnavailable)).resolves.toBe(true);
  });
});

describe('A slow database', () => {
  it('has the time that a legitimate statement takes', async () => {
    const { primary } = service.server.app.get(ReadRouter);
    await expect(primary.query('SELECT pg_sleep(1.5)')).resolves.toBeDefined();
    expect(service.server.app.get(Heartbeat).lost).toBe(false);
  });

  it('receives its heartbeat although every connection of the pool is in use', async () => {
    const { primary } = service.server.app.get(ReadRouter);
    const lent = await Promise.all(Array.from({ length: 10 }, () => primary.connect()));
    const { status } = await service.get(UNREAD, key);
    expect([status, service.server.app.get(Heartbeat).lost]).toEqual([503, false]);
    for (const client of lent) client.release();
    await isBack();
  });

  it('does not delay the next statement after an abandoned one', async () => {
    const { primary } = service.server.app.get(ReadRouter);
    const client = await primary.connect();
    const given = client.query('SELECT pg_sleep(3)').catch(() => undefined);
    client.release();
    const { rows } = await primary.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(rows[0]?.pid).not.toBe(processIdOf(client));
    await given;
  });

  it('keeps two connections for the request that follows a quiet time', async () => {
    const { primary } = service.server.app.get(ReadRouter);
    // By default it waits ten seconds.
    primary.options.idleTimeoutMillis = 50;
    await Promise.all(Array.from({ length: 6 }, () => primary.query('SELECT pg_sleep(0.2)')));
    const counts: number[] = [];
    await until(20_000, 'the others to close', () => Promise.resolve(counts.push(primary.totalCount) > 50));
    expect(counts.at(-1)).toBe(2);
  });
});

/** The server process of a client's connection, which its types do not declare. */
const processIdOf = (client: object): unknown => (client as { readonly processID?: unknown }).processID;

/** Only those of the pool and the heartbeat remain; abandoned connections close a little later. */
async function noMoreConnections(): Promise<void> {
  const admin = await database.open('admin');
  await until(20_000, 'the last of the old connections to go', async () => {
    const [row] = await admin.query<{ count: number }[]>(
      `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'tidemark-%'`,
      [database.name],
    );
    return row !== undefined && row.count <= 11;
  });
}
