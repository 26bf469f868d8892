import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Body } from './server.js';

/** A reply as received: nothing decoded, nothing followed. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: Body | null;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly payload?: string;
}

/** Sends one request with exactly these headers on a new connection. `path` is sent unchanged. */
export async function exchange(url: string, path: string, sent: Sent = {}): Promise<Exchange> {
  const { method = 'GET', key, headers = {}, payload } = sent;
  const { hostname, port } = new URL(url);
  const asked = request({
    hostname,
    port,
    method,
    path,
    agent: false,
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
  });
  const answered = new Promise<Exchange>((resolve, reject) => {
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, bytes, body: bodyOf(bytes) });
        });
    });
  });
  asked.end(payload);
  return answered;
}

function bodyOf(bytes: Buffer): Body | null {
  return bytes.at(0) === 0x7b ? (JSON.parse(bytes.toString()) as Body) : null;
}

/** Sends bytes that need not be HTTP; returns what the server sent until it closed the connection. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString();
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  const received = Buffer.from(rest.join('\r\n\r\n'));
  return { status: Number(statusLine.split(' ')[1]), headers, bytes: received, body: bodyOf(received) };
}
