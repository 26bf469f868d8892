// runs: in full only
import { redisReachable, SHARED_URL } from '../limits/redis-servers.js';
import { describeIf } from '../support/needs.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startProcess, until, type ServerProcess } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, post, rpc, toolCall } from './rpc.js';

describeIf(redisReachable, 'Redis is not reachable')('MCP on two processes of the built service', () => {
  let database: TestDatabase;
  let service: TestServer;
  let processes: ServerProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    processes = await Promise.all([1, 2].map(() => startProcess(database, { REDIS_URL: SHARED_URL })));
    for (const one of processes) {
      await until(10_000, 'Redis', () => Promise.resolve(one.output().includes('counted in Redis')));
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await service.close();
    await database.drop();
  });

  const at = (index: number) => processes[index % 2]?.url ?? '';

  const said = () => processes.map((one) => one.output()).join('');
  const fallbacks = () => said().split('"limits":"fallback"').length - 1;

  /** Four messages, alternately to both processes, by a new account; two of them count. */
  async function talk() {
    const before = fallbacks();
    const key = await service.key('pro');
    const hello = await post(at(0), INITIALIZE, { key });
    expect(hello.headers['mcp-session-id']).toBeUndefined();
    const first = await post(at(1), toolCall('latest_changes', { limit: 2 }), { key });
    const cursor = (first.body.result?.structuredContent?.['meta'] as { page: { nextCursor: string } }).page.nextCursor;
    const second = await post(at(0), toolCall('latest_changes', { limit: 2, cursor }), { key });
    expect(second.body.result?.isError).toBeUndefined();
    const ping = await post(at(1), rpc('ping'), { key });
    await until(10_000, 'the log lines', () => {
      const ids = [hello, first, second, ping].map(({ headers }) => String(headers['x-request-id']));
      return Promise.resolve(ids.every((id) => said().includes(id)));
    });
    const left = [second, ping].map(({ headers }) => headers['x-ratelimit-remaining-day']);
    return { left, fallbacks: fallbacks() - before };
  }

  it('continues on any instance what another began, and counts together', async () => {
    // If the machine is too busy for Redis to reply in time, a process rightly counts alone, and logs it.
    let talked = await talk();
    for (let tries = 1; talked.fallbacks > 0 && tries < 8; tries += 1) talked = await talk();
    expect(talked).toEqual({ left: ['4998', '4998'], fallbacks: 0 });
  });
});
