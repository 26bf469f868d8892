import type { Agent } from 'node:http';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Probe } from './hostile-probes.js';

/** The reply: a response, or the error code with which the connection ended before a whole response. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly cut?: string;
}

export interface Sender {
  readonly url: string;
  readonly agent: Agent;
  readonly key: string;
  /** The source address of the request, if it matters. */
  readonly from?: string;
}

const TIMEOUT_MS = 30_000;
const cutBy = (cut: string): WireAnswer => ({ status: 0, headers: {}, text: '', cut });

/** Sends a request unchanged, and decodes the response's body. The probe's own headers override the key's. */
export function send(probe: Probe, sender: Sender): Promise<WireAnswer> {
  return probe.bytes === undefined ? sendRequest(probe, sender) : sendBytes(probe.bytes, sender);
}

function sendRequest(probe: Probe, { url, agent, key, from }: Sender): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const sent = request({
      hostname,
      port,
      agent,
      method: probe.method,
      path: probe.target,
      timeout: TIMEOUT_MS,
      ...(from !== undefined && { localAddress: from }),
      headers: { authorization: `Bearer ${key}`, ...probe.headers },
    });
    const failed = ({ code = 'an error' }: NodeJS.ErrnoException): void => resolve(cutBy(code));
    sent.on('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'no answer' })));
    sent.on('error', failed).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', failed)
        .on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text: plain(headers['content-encoding'], Buffer.concat(chunks)) });
        });
    });
    sent.end(probe.body);
  });
}

function plain(coding: string | undefined, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const body = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  return body.toString();
}

/** The first response to these bytes: complete by its length, or as much as arrived before the connection closed. */
function sendBytes(bytes: string, { url, key }: Sender): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    const end = (cut: string): void => {
      socket.destroy();
      resolve(answerIn(received) ?? cutBy(cut));
    };
    socket.setTimeout(TIMEOUT_MS, () => end('no answer'));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (answerIn(received) !== null) end('');
    });
    socket.on('error', ({ code = 'an error' }: NodeJS.ErrnoException) => end(code)).on('close', () => end('closed'));
    socket.write(Buffer.from(bytes.replaceAll('{key}', key), 'latin1'));
  });
}

function answerIn(received: Buffer): WireAnswer | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers['content-length'] ?? 0);
  const body = received.subarray(headEnd + 4);
  if (body.length < length) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, text: body.subarray(0, length).toString() };
}
