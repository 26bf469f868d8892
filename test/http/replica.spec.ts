// runs: in full only
import { Heartbeat } from '../../src/store/heartbeat.js';
import { ReadRouter } from '../../src/store/read-router.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN, type Figures } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Lifeline } from '../support/lifeline.js';
import { ownerOf } from '../support/own.js';
import { until } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FIRST: Figures = { 'gdp-growth JP': { '2024': '1', '2025': '2.5' } };
const CHANGES = '/api/v1/changes?limit=3';

// A copy, updated by the tests, replaces a streaming replica: it has the replica's content at the moment that a test
// chooses.
let primary: TestDatabase;
let copy: TestDatabase;
let toPrimary: Lifeline;
let toCopy: Lifeline;
let service: TestServer;
let another: TestServer | undefined;
let second: TestDatabase | undefined;

beforeEach(async () => {
  [primary, copy] = [await createTestDatabase('figures'), await createTestDatabase('figures')];
  [toPrimary, toCopy] = [await Lifeline.to(primary.connections), await Lifeline.to(copy.connections)];
  service = await start();
});
afterEach(async () => {
  await Promise.all([service.close(), another?.close()]);
  another = undefined;
  for (const lifeline of [toPrimary, toCopy]) {
    lifeline.thaw();
    await lifeline.cut();
  }
  await Promise.all([primary.drop(), copy.drop(), second?.drop()]);
  second = undefined;
});

const start = (environment: Record<string, string> = {}): Promise<TestServer> =>
  startTestServer({
    database: primary,
    connections: { ...toPrimary.connections, replicas: [toCopy.connections.to('api')] },
    environment,
  });

const replicaIs = (state: 'healthy' | 'unhealthy') =>
  until(20_000, `a replica that is ${state}`, () =>
    Promise.resolve(
      service.server.app.get(ReadRouter).replicas.every(({ isHealthy }) => isHealthy === (state === 'healthy')),
    ),
  );

const served = (): { primary: number; replica: number; fellBack: number } =>
  service.server.app.get(ReadRouter).counters;

/** Which server serves the next response to a new request. */
async function serverOf(path: string, key?: string): Promise<string> {
  const before = served();
  const { status, text } = await service.get(path, key);
  if (status !== 200) throw new Error([text, ...service.lines.slice(-5)].join('\n'));
  return served().replica > before.replica ? 'replica' : served().primary > before.primary ? 'primary' : 'none';
}

async function publish(database: TestDatabase, day: string, figures = FIRST): Promise<void> {
  await importFiles(await database.open('import'), OWN, [deliveryOf(day, { figures })], {
    accept: 'a test',
    now: () => new Date('2026-11-01T00:00:00Z'),
  });
}

async function dataVersionSeen(of: TestServer, dataVersion: number): Promise<void> {
  await until(20_000, `dataVersion ${String(dataVersion)}`, async () => {
    await of.server.app.get(Heartbeat).poll();
    return of.server.app.get(Heartbeat).latest.dataVersion >= dataVersion;
  });
}

describe('Content', () => {
  it('is read from the replica that has the newest data version', async () => {
    await replicaIs('healthy');
    expect(await serverOf(CHANGES)).toBe('replica');
    expect(await serverOf('/api/v1/coverage')).toBe('replica');
  });

  it('is read from the primary while the replica lags, and from the replica after it has caught up', async () => {
    await replicaIs('healthy');
    const { dataVersion } = service.server.app.get(Heartbeat).latest;
    await publish(primary, '2026-08-03');
    await dataVersionSeen(service, dataVersion + 1);
    expect(await serverOf(CHANGES)).toBe('primary');
    expect((await service.get(CHANGES)).body.meta.dataVersion).toBe(dataVersion + 1);
    await publish(copy, '2026-08-03');
    const readRouter = service.server.app.get(ReadRouter);
    await until(20_000, 'the replica', () => Promise.resolve(readRouter.replicas[0]?.dataVersion === dataVersion + 1));
    expect(await serverOf('/api/v1/changes?limit=4')).toBe('replica');
  });

  it('is read from the primary when the replica disappears, even during a response', async () => {
    // Before the freeze, because half a second of silence counts as a loss: no other query may delay the request.
    const key = await service.key();
    await replicaIs('healthy');
    toCopy.freeze();
    expect(await serverOf(CHANGES, key)).toBe('primary');
    expect(served().fellBack).toBe(1);
    await replicaIs('unhealthy');
    expect(await serverOf('/api/v1/changes?limit=4')).toBe('primary');
    expect(served().fellBack).toBe(1);
    toCopy.thaw();
    await replicaIs('healthy');
    expect(await serverOf('/api/v1/changes?limit=5')).toBe('replica');
  });

  it('is read from the replica by verified keys while the primary is away', async () => {
    await replicaIs('healthy');
    const key = await service.key();
    expect((await service.get('/api/v1/topics', key)).status).toBe(200);
    await service.server.app.get(Heartbeat).poll();
    await toPrimary.cut();
    await until(20_000, 'the loss', () => Promise.resolve(service.server.app.get(Heartbeat).lost));
    expect((await service.get(CHANGES, key)).status).toBe(200);
    expect((await service.get('/api/v1/following', key)).status).toBe(503);
    await toPrimary.mend();
  });

  it('is searched on the primary before the service reports that it does not exist', async () => {
    await replicaIs('healthy');
    const behind = service;
    await behind.server.app.get(Heartbeat).stop();
    await publish(primary, '2026-08-03');
    const ahead = (another = await startTestServer({ database: primary }));
    const [newest] = (await ahead.get<{ id: string }[]>(CHANGES)).body.data;
    // One instance has served the change; the other does not know its data version, and its replica does not have it.
    const path = `/api/v1/changes/${newest?.id ?? ''}`;
    expect((await behind.get(path)).status).toBe(200);
    expect(served().fellBack).toBe(1);
  });

  it('never mixes two data versions, wherever it is read', async () => {
    await replicaIs('healthy');
    const { dataVersion } = service.server.app.get(Heartbeat).latest;
    await publish(copy, '2026-08-03');
    // The replica is ahead of the primary's heartbeat, so the instance reads one snapshot of the replica.
    const { body } = await service.get<{ id: string }[]>(CHANGES);
    expect(body.meta.dataVersion).toBe(dataVersion + 1);
    expect(served().replica).toBeGreaterThan(0);
    await publish(primary, '2026-08-03');
    await dataVersionSeen(service, dataVersion + 1);
    expect((await service.get(CHANGES)).body).toEqual(body);
  });
});

describe('Several replicas', () => {
  it('are read in turn while they are as new as the walk, and the others while one is away', async () => {
    await service.close();
    second = await createTestDatabase('figures');
    const toSecond = await Lifeline.to(second.connections);
    service = await startTestServer({
      database: primary,
      connections: {
        ...toPrimary.connections,
        replicas: [toCopy.connections.to('api'), toSecond.connections.to('api')],
      },
    });
    await replicaIs('healthy');
    const router = service.server.app.get(ReadRouter);
    const { dataVersion } = service.server.app.get(Heartbeat).latest;
    const turns = () => new Set([1, 2, 3, 4].map(() => router.replicaAt(dataVersion)));
    expect(turns().size).toBe(2);
    // Only the second one has the next data version: a walk that began there never meets the first.
    await publish(second, '2026-08-03');
    await until(20_000, 'the second replica', () =>
      Promise.resolve(router.replicas[1]?.dataVersion === dataVersion + 1),
    );
    const ahead = new Set([1, 2, 3, 4].map(() => router.replicaAt(dataVersion + 1)));
    expect([ahead.size, ahead.has(null)]).toEqual([1, false]);
    await toSecond.cut();
    await until(20_000, 'the loss of one', () =>
      Promise.resolve(router.replicas.map(({ isHealthy }) => isHealthy).join() === 'true,false'),
    );
    expect(turns()).toEqual(new Set([router.replicaAt(dataVersion)]));
    expect(await serverOf(CHANGES)).toBe('replica');
  });
});

describe('Account data', () => {
  it('is read from the primary', async () => {
    await replicaIs('healthy');
    // The copy does not have this account.
    const owner = await ownerOf(service, 'own');
    const { id } = await owner.follow('country', 'JP');
    const before = served();
    const { body } = await owner.get<{ id: string }[]>('/api/v1/following');
    expect(body.data.map((follow) => follow.id)).toEqual([id]);
    for (const path of ['/api/v1/following/changes', '/api/v1/alerts']) {
      expect((await owner.get(path)).status).toBe(200);
    }
    expect(served()).toEqual({ ...before, primary: before.primary + 3 });
  });
});

describe('A walk through pages', () => {
  it('never goes back, although the next instance knows no newer data version and its replica has none', async () => {
    await replicaIs('healthy');
    const behind = service;
    const { dataVersion } = behind.server.app.get(Heartbeat).latest;
    // The instance caches both pages of the old data version.
    const old = (await behind.get(CHANGES)).body.meta;
    const path = `${CHANGES}&cursor=${old.page?.nextCursor ?? ''}`;
    expect((await behind.get(path)).body.meta.dataVersion).toBe(dataVersion);
    await behind.server.app.get(Heartbeat).stop();
    await publish(primary, '2026-08-03');
    const ahead = (another = await startTestServer({ database: primary }));
    // The new changes fill the whole first page, so the old second page begins at the same position.
    const first = (await ahead.get(CHANGES)).body.meta;
    expect(first.dataVersion).toBe(dataVersion + 1);
    expect(behind.server.app.get(Heartbeat).latest.dataVersion).toBe(dataVersion);
    const next = await behind.get(`${CHANGES}&cursor=${first.page?.nextCursor ?? ''}`);
    expect([next.status, next.body.meta.dataVersion]).toEqual([200, dataVersion + 1]);
  });

  it('refuses a cursor with a changed data version', async () => {
    const { body } = await service.get(CHANGES);
    const bytes = Buffer.from(body.meta.page?.nextCursor ?? '', 'base64url');
    for (const dataVersion of [0, 1, 4_000_000_000]) {
      bytes.writeUInt32BE(dataVersion, 12);
      const reply = await service.get(`${CHANGES}&cursor=${bytes.toString('base64url')}`);
      expect([reply.status, reply.body.error?.code]).toEqual([400, 'invalid_cursor']);
    }
  });
});

describe('An unreachable replica', () => {
  it('does not prevent the start, and is read once it is reachable', async () => {
    await service.close();
    await toCopy.cut();
    service = await start();
    expect(await serverOf(CHANGES)).toBe('primary');
    await toCopy.mend();
    await replicaIs('healthy');
    expect(await serverOf('/api/v1/changes?limit=4')).toBe('replica');
  });

  it('is not read in production unless it follows a primary', async () => {
    await service.close();
    service = await startTestServer({
      database: primary,
      connections: { ...toPrimary.connections, replicas: [toCopy.connections.to('api')] },
      environment: { NODE_ENV: 'production', KEY_PEPPER: 'test:only-for-tests-0001', DATABASE_URL: 'postgres://x' },
    });
    await until(20_000, 'the judgement', () =>
      Promise.resolve(service.lines.some((line) => line.includes('is not read'))),
    );
    expect(await serverOf(CHANGES)).toBe('primary');
    expect(service.lines.join('\n')).toContain('a server of DATABASE_REPLICA_URL follows no other');
  });
});
