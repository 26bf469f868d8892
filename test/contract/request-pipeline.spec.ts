import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../src/domain/errors/api-error.js';
import { RequestPipeline } from '../../src/serve/http/pipeline/request-pipeline.js';
import { MCP, rpc, toolCall } from '../mcp/rpc.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Sent } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

const posted = (message: unknown): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(message),
});
const REQUESTS: readonly (readonly [string, string, Sent])[] = [
  ['HTTP', '/api/v1/topics', {}],
  ['MCP', MCP, posted(toolCall('latest_brief'))],
  ['a message of the protocol', MCP, posted(rpc('ping'))],
  ['a path without a route', '/api/v1/nothing', {}],
  ['a page with figures', '/calendar', {}],
  ['the start page', '/', {}],
];

describe('The request pipeline', () => {
  let database: TestDatabase;
  let service: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    const pipeline = service.server.app.get(RequestPipeline);
    const admit = pipeline.admit.bind(pipeline);
    pipeline.admit = async (context) => {
      const http = context.switchToHttp();
      const { headers } = http.getRequest<{ headers: Record<string, string> }>();
      http.getResponse<ServerResponse>().setHeader('x-added', 'here');
      if (headers['x-refuse'] !== undefined) throw new ApiError('unavailable', { retryAfterSeconds: 7 });
      return admit(context);
    };
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each(REQUESTS)('adds its header to %s and refuses it, the first time and from a cache', async (_, path, sent) => {
    const key = await service.key();
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, headers } = await exchange(service.url, path, { ...sent, key });
      expect([headers['x-added'], status]).toEqual(['here', path.endsWith('nothing') ? 404 : 200]);
      const refused = await exchange(service.url, path, {
        ...sent,
        key,
        headers: { ...sent.headers, 'x-refuse': '1' },
      });
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '7']);
    }
  });

  it.each(['counter\\.count\\(', '\\.identify\\(', 'headError\\(request\\) === null'])(
    'is the only way to %s',
    (call) => {
      const found = execFileSync('git', ['grep', '-nE', call, '--', 'src'], { encoding: 'utf8' });
      expect(found.trim().split('\n')).toHaveLength(1);
    },
  );
});
