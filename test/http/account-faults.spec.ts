// runs: in full only
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Lifeline } from '../support/lifeline.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner } from '../support/site-owner.js';
import { until, untilWaiting } from '../support/until.js';

describe('The account page without the database of the API', () => {
  let database: TestDatabase;
  let lifeline: Lifeline;
  let service: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase('figures');
    lifeline = await Lifeline.to(database.connections);
    const { connections } = lifeline;
    const to: typeof connections.to = (role) => (role === 'account' ? database.connections : connections).to(role);
    service = await startTestServer({ database, connections: { ...connections, to } });
  });
  afterAll(async () => {
    await service.close();
    await lifeline.cut();
    await database.drop();
  });

  it('responds with 503 and changes nothing, and recovers', async () => {
    const { visitor, accountId } = await siteOwner(service, database, 'outage');
    const target = { type: 'topic', key: 'inflation' };
    const follow = () => visitor.send('/account/follows', target);
    await visitor.open('/account/follows');
    await lifeline.cut();
    for (const path of ['/account/follows', '/account/alerts', '/account/alerts/new?type=topic&key=gdp']) {
      await visitor.open(path);
      expect([path, visitor.status]).toEqual([path, 503]);
      expect(visitor.headers['retry-after']).toBe('1');
    }
    // A page without the database of the API has the form's token.
    await visitor.open('/account/sessions');
    expect((await follow()).status).toBe(503);

    await lifeline.mend();
    await until(20_000, 'the page', async () => (await visitor.open('/account/follows')).status === 200);
    expect(visitor.html).toContain('You do not follow anything yet.');
    expect((await follow()).status).toBe(200);
    const rows = await (
      await database.open('admin')
    ).query<object[]>(`SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'follow%'`, [accountId]);
    expect(rows).toEqual([{ action: 'follow_added' }]);
  });
});

describe('A form while another one deletes the account', () => {
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

  it.each([
    [
      'leads to the sign-in, as it adds a follow',
      '/account/follows',
      { type: 'topic', key: 'inflation' },
      [200, /action="\/account\/sign-in/],
    ],
    ['is refused, as it revokes a key', '/account/keys/revoke', {}, [400, /There is no such live key in your account/]],
  ] as const)('%s', async (_title, path, fields, [status, shown]) => {
    const { visitor, accountId, email } = await siteOwner(service, database, `deleted-${path.slice(9, 12)}`);
    await visitor.open('/account');
    const [key] = await service.access.listKeys(email);
    const admin = await database.open('admin');
    let sent: Promise<unknown> = Promise.resolve();
    await admin.transaction(async (manager) => {
      await manager.query('DELETE FROM accounts WHERE id = $1', [accountId]);
      sent = visitor.send(path, { ...(key && { id: key.id }), ...fields });
      await untilWaiting((text) => manager.query(text));
    });
    await sent;
    expect([visitor.status, visitor.html]).toEqual([status, expect.stringMatching(shown)]);
  });
});
