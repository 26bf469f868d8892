import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { doorstep, type DoorstepSurroundings } from './doorstep.js';
import { parseQuery } from './query.js';
import { Sendable, type Responder } from './respond.service.js';

/** Above our own bound, so that a header that is too long gets our answer, and far below what hurts. */
const PARSER_HEADER_BYTES = 64_000;

/** What one client may take of an instance, and for how long; docs/overload.md says why so much. */
const LIMITS = {
  maxHeaderSize: PARSER_HEADER_BYTES,
  // From the first byte, or from connecting, to the end of the head.
  headersTimeout: 10_000,
  // To the end of the body, which has 100 kB at most.
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  // Longer than load balancers keep a connection: the one that closes it must be the one that would use it again.
  keepAliveTimeout: 65_000,
  // A request without a host is refused by us, in the words of the error table.
  requireHostHeader: false,
};
/** Without a byte in either direction, while there is something to send or to wait for. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 10_000;
/** Connections that the system has made and we have not yet taken; it cuts this down to its own bound. */
const BACKLOG = 4_096;

/** Says what a connection gets whose bytes are no HTTP request: method, body and code are not known. */
export type SpeakRaw = (code: 'malformed_request' | 'headers_too_large') => {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Express, with strict queries, our own bounds, and answers that leave as finished bytes. */
export class ApiAdapter extends ExpressAdapter {
  private responder: Responder | undefined;
  private speakRaw: SpeakRaw | undefined;
  private refuse: DoorstepSurroundings['refuse'] | undefined;

  constructor(private readonly around: Omit<DoorstepSurroundings, 'refuse'>) {
    const instance = express();
    instance.disable('x-powered-by');
    instance.disable('etag');
    instance.set('query parser', parseQuery);
    // One spelling an address: what is judged by the path is then judged for all that is routed by it.
    instance.enable('case sensitive routing');
    super(instance);
  }

  speakThrough(responder: Responder, speakRaw: SpeakRaw): void {
    this.responder = responder;
    this.speakRaw = speakRaw;
  }

  refuseThrough(refuse: DoorstepSurroundings['refuse']): void {
    this.refuse = refuse;
  }

  override initHttpServer(): void {
    const inside = this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    const refuse: DoorstepSurroundings['refuse'] = (...both) => (this.refuse ?? inside)(...both);
    const handle = doorstep({ ...this.around, refuse }, inside);
    const server: Server = createServer(LIMITS, handle);
    server.timeout = SILENCE_MS;
    server.maxConnections = MAX_CONNECTIONS;
    // An expectation that we do not know is no reason to answer without our own words.
    server.on('checkExpectation', handle);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.refuseBytes(error, socket));
    this.httpServer = server;
  }

  override listen(port: string | number, ...rest: (string | (() => void) | undefined)[]): Server {
    const host = rest.find((one) => typeof one === 'string');
    const callback = rest.find((one) => typeof one === 'function');
    const server = this.httpServer as Server;
    return server.listen({ port: Number(port), host, backlog: BACKLOG }, callback);
  }

  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    if (body instanceof Sendable && this.responder !== undefined) {
      this.responder.send(response.req as ApiRequest, response, body);
      return undefined;
    }
    return super.reply(response, body, statusCode) as unknown;
  }

  /** Nest would leave what lies outside the prefix to Express, whose page is HTML and names the path. */
  override setNotFoundHandler(handler: express.RequestHandler): void {
    this.use(handler);
  }

  private refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
    // Who opens a connection ahead of need and then has none has asked nothing that could be answered.
    const silent =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0;
    if (silent || error.code === 'ECONNRESET' || !socket.writable || this.speakRaw === undefined) {
      socket.destroy();
      return;
    }
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const { status, body, headers } = this.speakRaw(tooLarge ? 'headers_too_large' : 'malformed_request');
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
}
