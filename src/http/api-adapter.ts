import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { parseQuery } from './query.js';
import { Sendable, type Responder } from './respond.service.js';

/** Above our own bound, so that a header that is too long gets our answer, and far below what hurts. */
const PARSER_HEADER_BYTES = 64_000;

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

  constructor() {
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

  override initHttpServer(): void {
    const instance = this.getInstance<express.Express>();
    const server: Server = createServer(
      // A request without a host is refused by us, in the words of the error table.
      { maxHeaderSize: PARSER_HEADER_BYTES, keepAliveTimeout: 65_000, requireHostHeader: false },
      instance,
    );
    // An expectation that we do not know is no reason to answer without our own words.
    server.on('checkExpectation', instance);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.refuseBytes(error, socket));
    this.httpServer = server;
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
    if (error.code === 'ECONNRESET' || !socket.writable || this.speakRaw === undefined) {
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
