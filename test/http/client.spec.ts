import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Tidemark,
  TidemarkError,
  UnexpectedResponseError,
  type StoredAnswer,
  type TidemarkOptions,
} from '../../packages/client/src/tidemark.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('The client', () => {
  let database: TestDatabase;
  let service: TestServer;
  let clock: StoppedClock;
  /** Status of each response, and milliseconds of each wait. */
  let statuses: number[];
  let waits: number[];

  beforeAll(async () => {
    database = await createTestDatabase('full');
    clock = new StoppedClock('2026-11-21T12:00:00Z');
    service = await startTestServer({ database, clock });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  beforeEach(() => {
    statuses = [];
    waits = [];
  });

  async function clientOf(options: Partial<TidemarkOptions> = {}): Promise<Tidemark> {
    return new Tidemark({
      baseUrl: service.url,
      key: options.key ?? (await service.key()),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
      wait: (milliseconds) => {
        waits.push(milliseconds);
        clock.advance(milliseconds);
        return Promise.resolve();
      },
      ...options,
    });
  }

  it('returns an answer with the parameters in path and query, in its language', async () => {
    const client = await clientOf({ locale: 'ja' });
    const { data, meta } = await client.get('/macro/{indicator}', {
      indicator: 'gdp-growth',
      region: 'JP',
      from: '2023',
    });
    expect(meta.locale).toBe('ja');
    expect(data.indicator.slug).toBe('gdp-growth');
    expect(data.series.map(({ region }) => region.code)).toEqual(['JP']);
    expect(data.series[0]?.observations[0]?.period).toBe('2023');
    const english = await client.get('/macro/board', { locale: 'en' });
    expect(english.meta.locale).toBe('en');
  });

  it('gives every item of all pages once, and requests no page beyond those that are read', async () => {
    const client = await clientOf();
    const all: string[] = [];
    for await (const { id } of client.items('/changes', { limit: 100 })) all.push(id);
    const small: string[] = [];
    for await (const { id } of client.items('/changes', { limit: 7 })) small.push(id);
    expect(small).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(7);
    statuses = [];
    for await (const page of client.pages('/changes', { limit: 2 })) {
      expect(page.data).toHaveLength(2);
      break;
    }
    expect(statuses).toEqual([200]);
  });

  it('sends the tag of what it holds, and returns that while the service confirms it', async () => {
    const held = new Map<string, StoredAnswer>();
    const store = {
      get: (url: string) => held.get(url),
      set: (url: string, answer: StoredAnswer) => void held.set(url, answer),
    };
    const client = await clientOf({ store });
    const first = await client.get('/markets');
    expect(await client.get('/markets')).toEqual(first);
    expect(statuses).toEqual([200, 304]);
    expect([...held.keys()]).toEqual([`${service.url}/api/v1/markets`]);
    // The default store does the same, and forgets what was not used last.
    statuses = [];
    const another = await clientOf();
    await another.get('/coverage');
    await another.get('/coverage');
    expect(statuses).toEqual([200, 304]);
  });

  it('waits until the minute of the plan admits the next request', async () => {
    const client = await clientOf({ key: await service.key('free') });
    await client.get('/coverage');
    await client.get('/topics');
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(59_000);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  it('throws what the service said if a wait would be longer than allowed', async () => {
    const client = await clientOf({ key: await service.key('free'), maxWait: 5_000 });
    await client.get('/coverage');
    const error = await client.get('/topics').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TidemarkError);
    expect(error).toMatchObject({ code: 'minute_limit_exceeded', status: 429 });
    expect((error as TidemarkError).retryAfter).toBeGreaterThan(5);
    expect(waits).toEqual([]);
  });

  it('throws errors with the code, the request id and the faults of the parameters', async () => {
    const client = await clientOf();
    const unknown = await client.get('/topics/{slug}', { slug: 'inflaton' }).catch((thrown: unknown) => thrown);
    expect(unknown).toMatchObject({ name: 'TidemarkError', code: 'not_found', status: 404, retryAfter: null });
    expect((unknown as TidemarkError).faults[0]?.allowed).toContain('inflation');
    const beyond = await client.get('/changes', { limit: 101 }).catch((thrown: unknown) => thrown);
    expect(beyond).toMatchObject({ code: 'invalid_parameter', faults: [{ parameter: 'limit' }] });
    expect((beyond as TidemarkError).requestId).not.toBe('');
    expect(statuses).toEqual([404, 400]);
  });

  it('cites figures and changes, and lists the sources of all its answers', async () => {
    const client = await clientOf();
    const { data } = await client.get('/markets/{key}', { key: 'eurusd', points: 1 });
    const [point] = data.points;
    const { text, sources } = client.cite(point!);
    expect(sources.map(({ id }) => id)).toEqual([point!.source, ...point!.origins]);
    for (const { attribution } of sources) expect(text).toContain(attribution);
    const { data: changes } = await client.get('/changes', { limit: 3 });
    for (const change of changes) {
      if (change.status === 'withdrawn') continue;
      expect(client.cite(change).sources.map(({ id }) => id)).toEqual(change.sources);
    }
    const used = client.sourcesUsed().map(({ id }) => id);
    expect(used).toEqual([...new Set(used)].sort());
    expect(used).toContain(point!.source);
    expect(() => client.cite({ source: 'nobody' })).toThrow('nobody');
  });

  it('ends with the reason of an aborted signal, also while it waits', async () => {
    const controller = new AbortController();
    const client = await clientOf({
      key: await service.key('free'),
      wait: (_milliseconds, signal) => {
        controller.abort(new Error('left the page'));
        return Promise.reject(signal?.reason as Error);
      },
    });
    await client.get('/coverage');
    await expect(client.get('/topics', {}, { signal: controller.signal })).rejects.toThrow('left the page');
    await expect(client.get('/topics', {}, { signal: controller.signal })).rejects.toThrow('left the page');
  });

  describe('before a server that fails', () => {
    let server: Server;
    let answers: RequestListener[];

    beforeEach(async () => {
      answers = [];
      server = createServer((request, response) => answers.shift()?.(request, response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    const json: (status: number, body: unknown, headers?: Record<string, string>) => RequestListener =
      (status, body, headers = {}) =>
      (_request, response) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    const EMPTY = { data: [], meta: { sources: [], notices: [] } };
    const BUSY = { error: { code: 'unavailable', status: 503, detail: 'Busy' }, data: null, meta: {} };
    const failing = (options: Partial<TidemarkOptions> = {}) =>
      clientOf({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'any', ...options });

    it('repeats after a lost connection, once', async () => {
      const lose: RequestListener = (request) => request.socket.destroy();
      answers = [lose, json(200, EMPTY), lose, lose];
      const client = await failing();
      expect((await client.get('/topics')).data).toEqual([]);
      await expect(client.get('/topics')).rejects.toThrow('fetch failed');
      expect(waits).toEqual([1_000, 1_000]);
    });

    it('waits as long as a busy service says', async () => {
      answers = [json(503, BUSY, { 'retry-after': '7' }), json(200, EMPTY)];
      expect((await (await failing()).get('/topics')).data).toEqual([]);
      expect(waits).toEqual([7_000]);
    });

    it('gives an attempt no longer than its time-out', async () => {
      answers = [() => undefined, () => undefined];
      const client = await failing({ timeout: 20 });
      await expect(client.get('/topics')).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it('says so if something else answered', async () => {
      answers = [(_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>')];
      await expect((await failing()).get('/topics')).rejects.toBeInstanceOf(UnexpectedResponseError);
    });
  });
});
