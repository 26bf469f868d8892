import { OBSERVERS } from '../../src/serve/observability/observability.module.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { freePort } from '../support/free-port.mjs';
import { Lifeline } from '../support/lifeline.js';
import { until } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { PrivateRedis, redisInstalled } from '../limits/redis-servers.js';
import { describeIf } from '../support/needs.js';

/**
 * A response is counted when its last byte is sent, which on a busy machine is a while after the client has read it.
 */
const COUNTED_WITHIN = 10_000;

/** One sample: `name{label="value"} 1`. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function samplesIn(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === '') return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', of = '']) => [key, of]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

class Scraped {
  private constructor(
    readonly text: string,
    readonly samples: readonly Sample[],
  ) {}

  static async from(port: number): Promise<Scraped> {
    const response = await fetch(`http://127.0.0.1:${String(port)}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    return new Scraped(text, samplesIn(text));
  }

  /** The sum of all samples with this name and these labels; undefined without any. */
  of(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === `tidemark_${name}` &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

describe('GET /metrics', () => {
  let database: TestDatabase;
  let service: TestServer;
  let port: number;
  let lifeline: Lifeline;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    port = await freePort();
    lifeline = await Lifeline.to(database.connections);
    const environment = { METRICS_PORT: String(port) };
    service = await startTestServer({ database, environment, connections: lifeline.connections });
  });
  afterAll(async () => {
    await service.close();
    await lifeline.cut();
    await database.drop();
  });

  const scrape = () => Scraped.from(port);
  const counted = (name: string, labels: Record<string, string>, atLeast = 1) =>
    until(COUNTED_WITHIN, `${name} ${JSON.stringify(labels)}`, async () => {
      return ((await scrape()).of(name, labels) ?? 0) >= atLeast;
    });

  it('responds on a separate port only, which serves nothing else', async () => {
    expect((await service.get('/metrics', null)).status).toBe(404);
    const own = `http://127.0.0.1:${String(port)}`;
    expect((await fetch(`${own}/`)).status).toBe(404);
    expect((await fetch(`${own}/api/v1/changes`)).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('counts responses by route, method, status and plan, with their duration', async () => {
    const key = await service.key('intelligence');
    await service.get('/api/v1/changes?limit=3', key);
    // Each content coding has its own ETag: this request has the same coding as the conditional one below.
    const { headers } = await exchange(service.url, '/api/v1/changes?limit=3', { key });
    const known = { 'if-none-match': headers.etag };
    await exchange(service.url, '/api/v1/changes?limit=3', { key, headers: known });
    await service.get('/api/v1/topics/gdp', key);
    const of = { method: 'GET', plan: 'intelligence' };
    await counted('http_requests_total', { ...of, route: '/api/v1/changes', status: '200' }, 2);
    await counted('http_requests_total', { ...of, route: '/api/v1/changes', status: '304' });
    await counted('http_requests_total', { ...of, route: '/api/v1/topics/:slug', status: '200' });
    const seen = await scrape();
    expect(seen.of('http_requests_total', { ...of, route: '/api/v1/changes' })).toBe(3);
    expect(seen.of('http_request_duration_seconds_count', { route: '/api/v1/changes', outcome: 'ok' })).toBe(3);
    expect(seen.of('limit_decisions_total', { decision: 'admitted', via: 'memory' })).toBeGreaterThanOrEqual(4);
  });

  it('has one label for all unknown paths, and contains no account or key', async () => {
    const key = await service.key();
    const paths = Array.from({ length: 12 }, (_, index) => `/api/v1/nothing-${String(index)}/${key.slice(3)}`);
    for (const path of paths) await service.get(path, key);
    for (const path of paths) await service.get(path.replace('/api/v1', ''), null);
    await exchange(service.url, '/api/v1/changes', { key, method: 'PURGE' });
    await counted('http_requests_total', { route: '/api/v1/*', status: '404', plan: 'developer' }, 12);
    await counted('http_requests_total', { route: '-', status: '404', plan: 'none' }, 12);
    await counted('http_requests_total', { route: '/api/v1/*', status: '405', method: 'other' });
    const { text, samples } = await scrape();
    expect(text).not.toMatch(/nothing-|acc_|key_|test\.example/);
    expect(text).not.toContain(key.slice(3));
    const values = (label: string) => new Set(samples.flatMap(({ labels }) => labels[label] ?? []));
    expect([...values('plan')].sort()).toEqual(['developer', 'intelligence', 'none']);
    for (const route of values('route')) expect(route).toMatch(/^(-|\/|\/(api\/v1|docs)\/[a-z/:*]+)$/);
  });

  it('counts refusals by the exhausted window', async () => {
    const key = await service.key('free');
    await service.get('/api/v1/topics', key);
    expect((await service.get('/api/v1/topics', key)).status).toBe(429);
    await counted('limit_decisions_total', { decision: 'refused_minute', via: 'memory' });
    await counted('http_requests_total', { route: '/api/v1/topics', status: '429', plan: 'free' });
  });

  it('counts failed keys, and those above their limit', async () => {
    const wrong = `tm_${'0'.repeat(36)}`;
    for (let tries = 0; tries < 22; tries += 1) await service.get('/api/v1/topics', wrong);
    const seen = await scrape();
    expect(seen.of('failed_attempts_total', { outcome: 'counted' })).toBe(20);
    expect(seen.of('failed_attempts_total', { outcome: 'refused' })).toBe(2);
  });

  it('counts tool calls and cache hits', async () => {
    const key = await service.key();
    const call = (name: string) =>
      service.get('/api/v1/mcp', key, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: name === 'get_change' ? { id: 'chg_none' } : {} },
        }),
      });
    for (const name of ['latest_changes', 'latest_changes', 'get_change']) await call(name);
    const seen = await scrape();
    expect(seen.of('mcp_tool_calls_total', { tool: 'latest_changes', outcome: 'ok' })).toBe(2);
    expect(seen.of('mcp_tool_calls_total', { tool: 'get_change', outcome: 'error' })).toBe(1);
    expect(seen.of('response_cache_requests_total', { cache: 'mcp', outcome: 'hit' })).toBe(1);
    expect(seen.of('response_cache_requests_total', { cache: 'http', outcome: 'hit' })).toBeGreaterThan(0);
    expect(seen.of('response_cache_bytes', { cache: 'http' })).toBeGreaterThan(1_000);
  });

  it('shows the state of the instance: readiness, database, pool, data version, imports, process', async () => {
    const seen = await scrape();
    const dataVersion = service.server.app.get(Heartbeat).latest.dataVersion;
    expect(dataVersion).toBeGreaterThan(0);
    expect(
      ['ready', 'draining', 'database_up', 'migrations_current', 'data_version'].map((name) => seen.of(name)),
    ).toEqual([1, 0, 1, 1, dataVersion]);
    expect(seen.of('pool_connections', { pool: 'primary' })).toBeGreaterThan(0);
    expect(seen.of('pool_waiting', { pool: 'primary' })).toBe(0);
    expect(seen.of('import_timestamp_seconds', { publisher: 'worldbank' })).toBeGreaterThan(1.5e9);
    expect(seen.of('data_version_timestamp_seconds')).toBeGreaterThan(1.5e9);
    expect(seen.of('content_reads_total', { from: 'primary' })).toBeGreaterThan(0);
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_open_fds']) {
      expect(seen.samples.map((sample) => sample.name)).toContain(name);
    }
    expect(seen.samples.length).toBeLessThan(1_500);
  });

  it('shows the attempts of sync, and the releases that its figures leave to be expected', async () => {
    const owner = await database.open('admin');
    const at = (hour: number) => `timestamptz '2026-11-20T00:00:00Z' + interval '${String(hour)} hours'`;
    const row = (hour: number, outcome: string) => `('ecb', ${at(hour)}, ${at(hour)}, '${outcome}', ${at(hour + 1)})`;
    await owner.query(
      `INSERT INTO sync_attempts (publisher, started_at, ended_at, outcome, next_at)
       VALUES ${[row(1, 'failed'), row(2, 'new'), row(3, 'failed'), row(4, 'failed')].join()}`,
    );
    const seen = await scrape();
    const ecb = { publisher: 'ecb' };
    const of = (outcome: string) => seen.of('sync_attempts_total', { ...ecb, outcome });
    expect(['new', 'nothing_new', 'held', 'failed'].map(of)).toEqual([1, 0, 0, 3]);
    expect(seen.of('sync_failures', ecb)).toBe(2);
    expect(seen.of('sync_success_timestamp_seconds', ecb)).toBe(Date.parse('2026-11-20T02:00:00Z') / 1_000);
    expect(seen.of('sync_due_timestamp_seconds', ecb)).toBe(Date.parse('2026-11-20T05:00:00Z') / 1_000);
    const worldbank = { publisher: 'worldbank' };
    const expected = seen.of('release_expected_timestamp_seconds', worldbank);
    expect(expected).toBeGreaterThan(1.5e9);
    expect(seen.of('release_overdue_timestamp_seconds', worldbank)).toBeGreaterThan(expected ?? 0);
  });

  it('counts the deliveries that wait for a decision', async () => {
    const owner = await database.open('admin');
    const state = (value: string, decided: string) =>
      `('ecb', 'rates', '2026-04-14', 'released', 1, false, false, false, '${value}', '[]', now(), '${value}', ${decided})`;
    await owner.query(
      `INSERT INTO held_deliveries (publisher, name, vintage_day, basis, bytes, backfill, replace, skip_bad_rows, digest,
         findings, held_at, state, decided_at)
       VALUES ${state('held', 'NULL')}, ${state('dropped', 'now()')}`,
    );
    expect((await scrape()).of('held_deliveries')).toBe(1);
    await owner.query(`UPDATE held_deliveries SET state = 'accepted', decided_at = now() WHERE state = 'held'`);
    expect((await scrape()).of('held_deliveries')).toBe(0);
  });

  it('responds while the database is away, with the last known imports', async () => {
    const before = await scrape();
    await lifeline.cut();
    await until(COUNTED_WITHIN, 'the loss', async () => (await scrape()).of('database_up') === 0);
    const during = await scrape();
    expect(during.of('ready')).toBe(0);
    expect(during.of('import_timestamp_seconds')).toBe(before.of('import_timestamp_seconds'));
    await lifeline.mend();
    await until(COUNTED_WITHIN, 'the return', async () => (await scrape()).of('ready') === 1);
  });

  it('does not exist without a configured port', async () => {
    const plain = await startTestServer({ database });
    try {
      expect(plain.server.app.get(OBSERVERS)).toEqual([]);
      expect((await plain.get('/metrics', null)).status).toBe(404);
    } finally {
      await plain.close();
    }
  });

  describeIf(redisInstalled, 'redis-server is not installed')('on Redis', () => {
    it('shows when Redis was lost, the requests admitted meanwhile, and its return', async () => {
      const redis = await PrivateRedis.start();
      const at = await freePort();
      const environment = { REDIS_URL: redis.url, METRICS_PORT: String(at) };
      const shared = await startTestServer({ database, environment });
      const is = (name: string, value: number) =>
        until(COUNTED_WITHIN, `${name} ${String(value)}`, async () => (await Scraped.from(at)).of(name) === value);
      let again: PrivateRedis | undefined;
      try {
        const key = await shared.key();
        await is('redis_up', 1);
        await shared.get('/api/v1/topics', key);
        // On a busy machine the instance may have fallen back already, so only increases from here on count.
        await is('limits_unsynced_accounts', 0);
        await is('redis_up', 1);
        const before = await Scraped.from(at);
        const more = (now: Scraped, name: string) => (now.of(name) ?? 0) - (before.of(name) ?? 0);
        await redis.kill();
        await is('redis_up', 0);
        expect((await shared.get('/api/v1/topics', key)).status).toBe(200);
        const gone = await Scraped.from(at);
        expect(more(gone, 'redis_breaker_opens_total')).toBe(1);
        const alone = ['limits_lease_admissions_total', 'limits_fallback_admissions_total'];
        expect(alone.reduce((sum, name) => sum + more(gone, name), 0)).toBe(1);
        await is('limits_unsynced_accounts', 1);
        again = await PrivateRedis.start(redis.port);
        await is('redis_up', 1);
        // Redis is empty again: the account's next request takes the day's count from the database.
        await shared.get('/api/v1/topics', key);
        await is('limits_unsynced_accounts', 0);
        expect(more(await Scraped.from(at), 'limits_day_baselines_total')).toBeGreaterThan(0);
      } finally {
        await shared.close();
        await redis.kill();
        await again?.kill();
      }
    });
  });
});
