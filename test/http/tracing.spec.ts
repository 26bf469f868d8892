// runs: in full only
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Sent } from '../support/exchange.js';
import { freePort } from '../support/free-port.mjs';
import { startProcess, until, type ServerProcess } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** The library sends spans in batches: its delay, and a busy machine. */
const SENT_WITHIN = 45_000;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector that accepts traces over HTTP and keeps them. */
class Collector {
  readonly bodies: string[] = [];
  readonly paths = new Set<string>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.paths.add(`${request.method ?? ''} ${request.url ?? ''}`);
        this.bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Collector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  get spans(): Span[] {
    return this.bodies
      .flatMap((body) => (JSON.parse(body) as Batch).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  }

  /** All spans of the trace, once the request's own span, which ends last, has arrived. */
  async trace(traceId: string): Promise<Span[]> {
    const ofIt = () => this.spans.filter((span) => span.traceId === traceId);
    const isWhole = () => ofIt().some(({ kind }) => kind === SERVER);
    await until(SENT_WITHIN, `trace ${traceId}`, () => Promise.resolve(isWhole()));
    return ofIt();
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const SERVER = 2;
const valueOf = (span: Span | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

describe('Traces', () => {
  let database: TestDatabase;
  let collector: Collector;
  let service: TestServer;
  let traced: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    collector = await Collector.start();
    // A service without tracing, to create accounts and keys.
    service = await startTestServer({ database });
    traced = await startProcess(database, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_SERVICE_NAME: 'tidemark-test',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    });
  });
  afterAll(async () => {
    await traced.stop();
    await service.close();
    collector.close();
    await database.drop();
  });

  let asked = 0;
  const newTrace = () => (asked += 1).toString(16).padStart(32, 'a');
  const parent = (traceId: string) => `00-${traceId}-00000000000000ff-01`;
  const ask = async (path: string, traceId: string, { key, headers, ...sent }: Sent = {}) =>
    exchange(traced.url, path, {
      ...sent,
      key: key ?? (await service.key()),
      headers: { ...headers, traceparent: parent(traceId) },
    });

  it('follow a request from HTTP over the service to each statement, within the caller’s trace', async () => {
    const traceId = newTrace();
    await ask('/api/v1/topics/gdp?locale=ja', traceId);
    const spans = await collector.trace(traceId);
    const server = spans.find(({ kind }) => kind === SERVER);
    expect(server).toMatchObject({ name: 'GET /api/v1/topics/:slug', parentSpanId: '00000000000000ff' });
    expect(valueOf(server, 'http.route')).toBe('/api/v1/topics/:slug');
    expect(valueOf(server, 'http.response.status_code')).toBe(200);
    expect(valueOf(server, 'tidemark.plan')).toBe('developer');
    const answer = spans.find(({ name }) => name.startsWith('answer '));
    expect(answer?.parentSpanId).toBe(server?.spanId);
    const statements = spans.filter((span) => valueOf(span, 'db.system.name') === 'postgresql');
    const within = statements.filter(({ parentSpanId }) => parentSpanId === answer?.spanId);
    expect(within.length).toBeGreaterThan(1);
    expect(within.map(({ name }) => name)).toContain('SELECT publications');
    expect([...collector.paths]).toEqual(['POST /v1/traces']);
    expect(collector.bodies.join('')).toContain('tidemark-test');
  });

  it('follow an MCP tool call', async () => {
    const traceId = newTrace();
    await ask('/api/v1/mcp', traceId, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      payload: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'latest_changes', arguments: { query: 'inflation' } },
      }),
    });
    const spans = await collector.trace(traceId);
    const server = spans.find(({ kind }) => kind === SERVER);
    const tool = spans.find(({ name }) => name === 'tools/call latest_changes');
    expect(tool?.parentSpanId).toBe(server?.spanId);
    const answer = spans.find(({ name }) => name.startsWith('answer '));
    expect(answer?.parentSpanId).toBe(tool?.spanId);
    expect(spans.some((span) => span.parentSpanId === answer?.spanId)).toBe(true);
  });

  it('stay separate for concurrent requests', async () => {
    const key = await service.key();
    const day = (index: number) => `2026-01-${String((index % 28) + 1).padStart(2, '0')}`;
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const traceId = newTrace();
        const { status } = await ask(`/api/v1/changes?until=${day(index)}&limit=${String(index + 1)}`, traceId, {
          key,
        });
        return { traceId, status };
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    for (const { traceId } of responses) {
      const spans = await collector.trace(traceId);
      const known = new Set(spans.map(({ spanId }) => spanId));
      expect(spans.filter(({ name }) => name === 'answer changes')).toHaveLength(1);
      for (const { kind, parentSpanId } of spans) {
        expect(kind === SERVER ? '' : known.has(parentSpanId ?? '')).toBe(kind === SERVER ? '' : true);
      }
    }
  });

  it('appear in the log line of their request', async () => {
    const traceId = newTrace();
    const { headers } = await ask('/api/v1/topics', traceId);
    const id = String(headers['x-request-id']);
    const lineOf = () =>
      traced
        .output()
        .split('\n')
        .find((line) => line.includes(id));
    await until(SENT_WITHIN, 'the log line', () => Promise.resolve(lineOf() !== undefined));
    expect(JSON.parse(lineOf() ?? '{}')).toMatchObject({ trace_id: traceId, route: '/api/v1/topics' });
  });

  it('contain no key, no value of a statement and nothing of an address', async () => {
    const traceId = newTrace();
    const key = await service.key();
    await ask('/api/v1/changes?q=unobtainium&country=JP', traceId, { key });
    await ask(`/api/v1/changes?q=${key}`, traceId, { key });
    await ask('/api/v1/topics/unobtainium-too', traceId, {
      key,
      headers: { tracestate: `spy=${key}`, baggage: `spy=${key}`, 'x-request-id': key },
    });
    const spans = await collector.trace(traceId);
    await until(SENT_WITHIN, 'three requests', () =>
      Promise.resolve(collector.spans.filter((span) => span.traceId === traceId && span.kind === SERVER).length === 3),
    );
    expect(spans.length).toBeGreaterThan(0);
    const all = collector.bodies.join('');
    expect(all).not.toContain(key.slice(3));
    expect(all).not.toMatch(/unobtainium|test\.example|acc_/);
  });

  it('omit work outside requests, and health checks', async () => {
    await exchange(traced.url, '/health/ready');
    const traceId = newTrace();
    await ask('/api/v1/topics', traceId);
    await collector.trace(traceId);
    const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.filter(({ kind }) => kind !== SERVER)).toEqual([]);
    expect(collector.spans.filter(({ name }) => name.includes('/health'))).toEqual([]);
  });

  it('record that a request failed', async () => {
    const traceId = newTrace();
    await ask('/api/v1/nothing', traceId);
    const [span] = (await collector.trace(traceId)).filter(({ kind }) => kind === SERVER);
    expect(valueOf(span, 'http.response.status_code')).toBe(404);
    expect(span?.name).toBe('GET /api/v1/*');
  });
});

describe('An unreachable collector', () => {
  it('causes one warning and delays neither responses nor the shutdown', async () => {
    const database = await createTestDatabase('figures');
    const nowhere = `http://127.0.0.1:${String(await freePort())}/v1/traces`;
    const traced = await startProcess(database, {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: nowhere,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    const warnings = () => traced.output().split('traces cannot be sent').length - 1;
    await until(30_000, 'the warning', async () => {
      expect((await exchange(traced.url, '/api/v1/topics')).status).toBe(401);
      return warnings() > 0;
    });
    expect(traced.output()).not.toContain(nowhere);
    const stopping = performance.now();
    await traced.stop();
    // The last batch has two seconds; the rest allows for a busy machine.
    expect(performance.now() - stopping).toBeLessThan(8_000);
    expect(warnings()).toBe(1);
    await database.drop();
  });
});
