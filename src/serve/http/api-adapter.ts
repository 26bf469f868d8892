import { createServer, IncomingMessage, ServerResponse, STATUS_CODES, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { ApiRequest, ApiResponse } from './request/api-request.js';
import { admission, type AdmissionDependencies } from './overload/admission.middleware.js';
import { oneAtATime } from './request/pipelining.js';
import { EncodedResponse, type ResponseWriter } from './response/response-writer.service.js';

/** Above our own limit, so that a client with long headers gets our response; far below a harmful size. */
const PARSER_HEADER_BYTES = 64_000;

/** What one client may use of an instance, and for how long. docs/explanation/overload.md has the reasons. */
const LIMITS = {
  maxHeaderSize: PARSER_HEADER_BYTES,
  // From connecting to the end of the head.
  headersTimeout: 10_000,
  // To the end of the body (100 kB at most).
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  // Longer than load balancers keep idle connections: the client side must be the one to close, or it may send on a
  // closed connection.
  keepAliveTimeout: 65_000,
  // We reject a request without a host, with a text of the error table.
  requireHostHeader: false,
};
/** Time without a byte in either direction while a request or response is incomplete. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 10_000;
/** Backlog of accepted connections; the kernel caps it. */
const BACKLOG = 4_096;

/** Builds the response to bytes that are not an HTTP request. */
export type RawErrorWriter = (code: 'malformed_request' | 'headers_too_large') => {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** It meets Node's own request and response, without what Express adds to them. */
export type EarlyMiddleware = (request: ApiRequest, response: ApiResponse, next: () => void) => void;

/** Node's error for bytes that are not an HTTP request, with those that it read last. */
type RawError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Express with strict queries, our own limits, and responses sent as prebuilt bytes. */
export class ApiAdapter extends ExpressAdapter {
  private responder: ResponseWriter | undefined;
  private rawError: RawErrorWriter | undefined;
  private admit: Handler | undefined;
  private readonly messages: ReturnType<typeof bornAsExpressMessages>;

  constructor() {
    const instance = express();
    instance.disable('x-powered-by');
    instance.disable('etag');
    Object.defineProperty(instance.request, 'query', {
      get(this: ApiRequest) {
        return this.context.query;
      },
    });
    // One spelling per URL: checks and routing must see the same path.
    instance.enable('case sensitive routing');
    instance.enable('strict routing');
    super(instance);
    this.messages = bornAsExpressMessages(instance);
  }

  respondWith(writer: ResponseWriter, speakRaw: RawErrorWriter): void {
    this.responder = writer;
    this.rawError = speakRaw;
  }

  /** @param early middleware that runs before Express, in its order */
  admitWith(surroundings: AdmissionDependencies, early: readonly EarlyMiddleware[]): void {
    const express = this.getInstance<Handler>();
    const handle = early.reduceRight<Handler>(
      (inside, outside) => (request, response) =>
        outside(request as ApiRequest, response as ApiResponse, () => inside(request, response)),
      express,
    );
    this.admit = admission(surroundings, handle);
  }

  override initHttpServer(): void {
    const handle = oneAtATime((request, response) => this.admit?.(request, response));
    const server: Server = createServer({ ...LIMITS, ...this.messages }, handle);
    server.timeout = SILENCE_MS;
    server.maxConnections = MAX_CONNECTIONS;
    // Node would answer an unknown `Expect` with a bare 417; handle the request instead.
    server.on('checkExpectation', handle);
    server.on('clientError', (error: RawError, socket) => this.refuseBytes(error, socket));
    this.httpServer = server;
  }

  override listen(port: string | number, ...rest: (string | (() => void) | undefined)[]): Server {
    const host = rest.find((one) => typeof one === 'string');
    const callback = rest.find((one) => typeof one === 'function');
    const server = this.httpServer as Server;
    return server.listen({ port: Number(port), host, backlog: BACKLOG }, callback);
  }

  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    if (body instanceof EncodedResponse && this.responder !== undefined) {
      this.responder.send(response.req as ApiRequest, response, body);
      return undefined;
    }
    // The handler of an account page has sent its response.
    if (response.headersSent) return undefined;
    return super.reply(response, body, statusCode) as unknown;
  }

  /** Nest leaves paths outside the prefix to Express, whose 404 is HTML and repeats the path. */
  override setNotFoundHandler(handler: express.RequestHandler): void {
    this.use(handler);
  }

  private refuseBytes(error: RawError, socket: Duplex): void {
    // A pre-opened socket that timed out without sending a byte gets no response.
    const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0;
    if (silent || error.code === 'ECONNRESET' || !socket.writable || this.rawError === undefined) {
      socket.destroy();
      return;
    }
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const { status, body, headers } = this.rawError(tooLarge ? 'headers_too_large' : 'malformed_request');
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    // The bytes that were refused begin with the method, unless the request came in several pieces.
    const sent = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ' ? '' : body;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${sent}`);
  }
}

/**
 * Classes of messages that have Express's prototypes from the start. Express gives them to each message otherwise, and V8
 * then makes a shape of its own for each, which keeps the request alive until the next full collection.
 */
function bornAsExpressMessages(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
