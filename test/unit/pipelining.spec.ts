import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { oneAtATime } from '../../src/serve/http/request/pipelining.js';
import { until } from '../support/until.js';

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('The requests of one connection', () => {
  let server: Server;
  let client: Socket;
  let read: string;
  /** Requests without a response, in their order. */
  let begun: { readonly request: IncomingMessage; readonly response: ServerResponse }[];

  beforeEach(async () => {
    begun = [];
    server = createServer(oneAtATime((request, response) => begun.push({ request, response })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    read = '';
    client.on('data', (chunk: Buffer) => (read += chunk.toString()));
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const answer = () => {
    const [first] = begun.splice(0, 1);
    first?.response.end(first.request.url);
  };
  const begins = (count: number) =>
    until(5_000, `${String(count)} begun`, () => Promise.resolve(begun.length === count));

  it('begin one after another and get their responses in order', async () => {
    client.write(GET('/one') + GET('/two') + GET('/three'));
    for (const path of ['/one', '/two', '/three']) {
      await begins(1);
      expect(begun[0]?.request.url).toBe(path);
      answer();
    }
    await until(5_000, 'three answers', () => Promise.resolve(read.includes('/three')));
    expect([...read.matchAll(/\/(one|two|three)/g)].map(([, name]) => name)).toEqual(['one', 'two', 'three']);
  });

  it('are not read ahead while one of them is queued, however many were sent', async () => {
    client.write(GET('/more').repeat(100_000));
    await begins(1);
    const { socket } = begun[0]!.request;
    for (let answered = 0; answered < 30; answered += 1) {
      answer();
      await begins(1);
    }
    expect(socket.isPaused()).toBe(true);
    expect(socket.bytesRead).toBeLessThan(4 * 65_536);
  });

  it('wait with their bodies, which are read once the request begins', async () => {
    const body = 'x'.repeat(200_000);
    client.write(`${GET('/one')}POST /two HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    client.write(body);
    await begins(1);
    answer();
    await begins(1);
    let length = 0;
    for await (const chunk of begun[0]!.request) length += (chunk as Buffer).length;
    expect(length).toBe(body.length);
    answer();
    client.write(GET('/three'));
    await begins(1);
    expect(begun[0]?.request.url).toBe('/three');
  });

  it('do not begin after a response that closes the connection', async () => {
    client.write(GET('/one') + GET('/two'));
    await begins(1);
    const closed = once(client, 'close');
    begun[0]?.response.setHeader('connection', 'close');
    answer();
    await closed;
    expect(begun).toEqual([]);
  });
});
