import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { ApiError } from '../../../domain/errors/api-error.js';

export interface InProcessRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the client on whose behalf it is sent: failed keys count against it. */
  readonly clientAddress: string;
  /** The bytes of the body that are read; the rest is discarded. */
  readonly mostBytes: number;
}

export interface InProcessResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the body is longer than `mostBytes`. */
  readonly cut: boolean;
}

/** Above the sum of the waits within a request. */
const TIMEOUT_MS = 10_000;

/**
 * A GET request to this process's own HTTP server, over a pair of streams instead of the network: it passes the parser
 * and the whole request pipeline, and cannot reach another host.
 * @throws ApiError `unavailable` if it gets no response
 */
export function requestInProcess(
  server: Server,
  { path, headers, clientAddress, mostBytes }: InProcessRequest,
): Promise<InProcessResponse> {
  const [client, connection] = duplexPair();
  server.emit('connection', Object.assign(connection, { remoteAddress: clientAddress }));
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      path,
      createConnection: () => client,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { host: 'localhost', connection: 'close', ...headers },
    });
    const fail = (cause: unknown) => reject(new ApiError('unavailable', { retryAfterSeconds: 1 }, { cause }));
    request.on('error', fail);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let [bytes, cut] = [0, false];
      const finish = () => {
        const text = Buffer.concat(chunks).subarray(0, mostBytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, cut });
      };
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= mostBytes) return;
        cut = true;
        finish();
        request.destroy();
      });
      response.on('error', fail);
      response.on('end', finish);
    });
    request.end();
  });
}
