// runs: in full only
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../support/free-port.mjs';
import { describeIf, isInstalled } from '../support/needs.js';
import { startBalancer } from '../support/together.js';
import { until } from '../support/until.js';

/** nginx trusts this header, as if the client had this address. */
const AS = 'x-test-client';
const BELIEVED = `set_real_ip_from 127.0.0.1;\nreal_ip_header ${AS};\n`;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly code: string | undefined;
}

describeIf(isInstalled('nginx'), 'nginx is not installed')('The load balancer', () => {
  let instances: Server[];
  let port: number;
  let stop: (() => Promise<void>) | undefined;
  /** Requests that an instance has received and not answered yet. */
  let held: ServerResponse[];
  let received: string[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    instances = [1, 2, 3].map(() =>
      createServer((asked, response) => {
        received.push(asked.url ?? '');
        answer(asked, response);
      }),
    );
    for (const instance of instances) {
      instance.listen(0, '127.0.0.1');
      await once(instance, 'listening');
    }
    received = [];
    answer = serve;
    port = await freePort();
  });
  // nginx avoids an instance for two seconds after a failure, so each test has its own nginx.
  beforeEach(async () => {
    held = [];
    answer = serve;
    const ports = instances.map((instance) => (instance.address() as AddressInfo).port);
    stop = await startBalancer(port, ports, BELIEVED);
    received = [];
  });
  afterEach(() => stop?.());
  afterAll(() => {
    for (const instance of instances) {
      instance.closeAllConnections();
      instance.close();
    }
  });

  const serve = (_: IncomingMessage, response: ServerResponse) => void response.end('{}');
  const hold = (_: IncomingMessage, response: ServerResponse) => void held.push(response);

  const ask = (path: string, client: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, path, host: '127.0.0.1', agent: false, headers: { [AS]: client } });
      asked.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { error } = JSON.parse(text) as { error?: { code: string } };
          const { statusCode: status = 0, headers } = response;
          resolve({ status, retryAfter: headers['retry-after'], code: error?.code });
        });
      });
      asked.end();
    });
  const refused: Answer = { status: 429, retryAfter: '1', code: 'address_limit_exceeded' };

  it('admits 100 concurrent requests of one address, and as many of another', async () => {
    answer = hold;
    const hundred = Array.from({ length: 100 }, () => ask('/api/v1/topics', '203.0.113.1'));
    await until(10_000, 'a hundred', () => Promise.resolve(held.length === 100));
    expect(await ask('/api/v1/topics', '203.0.113.1')).toEqual(refused);
    answer = serve;
    expect((await ask('/api/v1/topics', '203.0.113.2')).status).toBe(200);
    for (const response of held) response.end('{}');
    expect((await Promise.all(hundred)).every(({ status }) => status === 200)).toBe(true);
  });

  it.each([
    ['2001:db8:0:a::1', '2001:db8:0:a:b:c:d:e', '2001:db8:0:b::1'],
    ['2001:db8::1', '2001:db8:0:0:b:0:0:0', '2001:db8:0:1::1'],
    ['2001:db8:1::1', '2001:db8:1:0:b:c:d:e', '2001:db8:1:1::1'],
    ['2001:0:0:a::1', '2001:0:0:a:b:c:d:e', '2001:0:0:b:b:c:d:e'],
    ['2001::1', '2001:0:0:0:b:c:d:e', '2001:0:0:1::1'],
    ['::ffff:198.51.100.1', '198.51.100.1', '::ffff:198.51.100.2'],
  ])('counts the addresses of one /64 together: %s and %s, not %s', async (one, same, other) => {
    answer = hold;
    const hundred = Array.from({ length: 100 }, () => ask('/api/v1/topics', one));
    await until(10_000, 'a hundred', () => Promise.resolve(held.length === 100));
    expect(await ask('/api/v1/topics', same)).toEqual(refused);
    answer = serve;
    expect((await ask('/api/v1/topics', other)).status).toBe(200);
    for (const response of held) response.end('{}');
    await Promise.all(hundred);
  });

  it('lets one address load some pages of the documentation and then the service’s own routes', async () => {
    const statuses: number[] = [];
    while (statuses.length < 200 && statuses.at(-1) !== 429) {
      statuses.push((await ask('/docs/openapi.json', '203.0.113.3')).status);
      await Promise.all([1, 2, 3].map(() => ask('/docs', '203.0.113.3')));
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(5);
    expect((await ask('/api/v1/topics', '203.0.113.3')).status).toBe(200);
    expect((await ask('/docs', '203.0.113.4')).status).toBe(200);
  });

  it('shows health to this host and to private networks only', async () => {
    for (const inside of ['127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.0.9', 'fd00::1']) {
      expect((await ask('/health/ready', inside)).status).toBe(200);
    }
    received = [];
    for (const path of ['/health/ready', '/health/live', '//health/live', '/health/%6cive']) {
      for (const outside of ['203.0.113.5', '2001:db8:5::1']) {
        expect(await ask(path, outside)).toMatchObject({ status: 404, code: 'not_found' });
      }
    }
    expect(received).toEqual([]);
    expect((await ask('/healthy', '203.0.113.5')).status).toBe(200);
  });

  it('passes a request that kills its instance to one other instance, and to no third', async () => {
    answer = (asked) => void asked.socket.destroy();
    expect(await ask('/api/v1/topics?killer', '203.0.113.6')).toMatchObject({ status: 503, code: 'unavailable' });
    expect(received).toHaveLength(2);
  });

  it('passes requests for a dead instance to another one, also on kept-alive connections', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask('/api/v1/topics', '203.0.113.7')));
    const [first] = instances;
    first?.closeAllConnections();
    first?.close();
    for (let times = 0; times < 50; times += 1) {
      expect((await ask('/api/v1/topics', '203.0.113.7')).status).toBe(200);
    }
  });
});
