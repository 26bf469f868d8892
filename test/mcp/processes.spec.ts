import { describeIf, redisReachable, SHARED_URL } from '../limits/redis-servers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { isBuilt, startProcess, until, type ServerProcess } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, post, rpc, toolCall } from './rpc.js';

const missing = isBuilt ? 'Redis is not reachable' : 'dist is not built';
describeIf(redisReachable && isBuilt, missing)('MCP on two processes of the built service', () => {
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
  }, 60_000);
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await service.close();
    await database.drop();
  }, 30_000);

  const at = (index: number) => processes[index % 2]?.url ?? '';

  it('lets any instance answer what another has begun, and counts together', async () => {
    const key = await service.key('pro');
    const hello = await post(at(0), INITIALIZE, { key });
    expect(hello.headers['mcp-session-id']).toBeUndefined();
    const first = await post(at(1), toolCall('latest_changes', { limit: 2 }), { key });
    const cursor = (first.body.result?.structuredContent?.['meta'] as { page: { nextCursor: string } }).page
      .nextCursor;
    const second = await post(at(0), toolCall('latest_changes', { limit: 2, cursor }), { key });
    expect(second.body.result?.isError).toBeUndefined();
    expect(second.headers['x-ratelimit-remaining-day']).toBe('4998');
    const ping = await post(at(1), rpc('ping'), { key });
    expect(ping.headers['x-ratelimit-remaining-day']).toBe('4998');
  });
});
