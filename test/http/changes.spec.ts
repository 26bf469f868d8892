import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('GET /api/v1/changes', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('answers twenty changes, newest publication first', async () => {
    const { status, body } = await service.get<{ occurredAt: string }[]>('/api/v1/changes');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(20);
  });
});
