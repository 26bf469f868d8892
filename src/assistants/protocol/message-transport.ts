import { createRequire } from 'node:module';
import type * as Sdk from '@modelcontextprotocol/server' with { 'resolution-mode': 'require' };
import type { McpTransport } from '@rekog/mcp-nest';
import { ApiError, shortened } from '../../domain/errors/api-error.js';
import { isObject, RPC_CODES, RpcError, type Message } from './json-rpc.js';
import type { McpRequest } from './mcp-request.js';

type TransportContext = Parameters<McpTransport['start']>[0];

/** The library loads the CommonJS build; another build of one class would be another class. */
const sdk = createRequire(import.meta.url)('@modelcontextprotocol/server') as typeof Sdk;

/** The library's response to one message. */
export interface LibraryResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Hands one message at a time to the library, and takes its response as an object: this service writes the bytes. */
export class MessageTransport implements McpTransport {
  readonly kind = 'streamable-http';
  private readonly requests = new WeakMap<Request, McpRequest>();
  private context!: TransportContext;
  private modern!: Sdk.McpHttpHandler;

  start(context: TransportContext): void {
    this.context = context;
    this.modern = sdk.createMcpHandler(({ requestInfo }) => this.serverFor('modern', requestInfo), {
      legacy: 'reject',
    });
  }

  close(): Promise<void> {
    return this.modern.close();
  }

  async handle(request: McpRequest): Promise<LibraryResponse> {
    const body = request.body as Message;
    const version = request.headers['mcp-protocol-version'] as string | undefined;
    const named = version === undefined ? {} : { protocolVersionHeader: version };
    const { kind } = sdk.classifyInboundRequest({ httpMethod: 'POST', ...named, body });
    if (kind !== 'legacy') return this.answerModern(request, body);
    if (version !== undefined && body.method !== 'initialize' && !sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
      throw new ApiError('malformed_request', { detail: 'headers' });
    return this.answerHandshaken(request, body);
  }

  /** From revision 2026-07-28 on, headers repeat what the message states, and the SDK compares them. */
  private async answerModern(request: McpRequest, parsedBody: Message): Promise<LibraryResponse> {
    const own = Object.entries(request.headers).filter(([name]) => name.startsWith('mcp-'));
    const headers = new Headers(own.map(([name, value]) => [name, String(value)]));
    headers.set('content-type', 'application/json');
    const sent = new Request('http://localhost/', { method: 'POST', headers });
    this.requests.set(sent, request);
    const response = await this.modern.fetch(sent, { parsedBody });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  /** Every message of an older revision gets a server of its own, because the service is stateless. */
  private async answerHandshaken(request: McpRequest, message: Message): Promise<LibraryResponse> {
    const server = this.context.createBoundServer({ transport: this.kind, stateless: true, era: 'legacy' }, request);
    const [client, far] = sdk.InMemoryTransport.createLinkedPair();
    const response = new Promise<unknown>((resolve) => (client.onmessage = resolve));
    await server.connect(far);
    try {
      await client.send(message as Sdk.JSONRPCMessage);
      return { status: 200, body: await response };
    } finally {
      await server.close();
    }
  }

  private serverFor(era: 'modern', sent: Request | undefined) {
    const request = sent && this.requests.get(sent);
    return this.context.createBoundServer({ transport: this.kind, stateless: true, era }, request);
  }
}

/** Maps a refusal of the library to the error table; `null` for a result. */
export function errorIn({ status, body }: LibraryResponse, { method }: Message): ApiError | null {
  if (isObject(body) && isObject(body['result'])) return null;
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const { code, data } = error;
  switch (code) {
    case RPC_CODES.methodNotFound: {
      const args = { method: shortened(String(method)) };
      return new RpcError(RPC_CODES.methodNotFound, 'not_found', { detail: 'method', args }, status);
    }
    case RPC_CODES.invalidParams: {
      const faults = [{ parameter: 'params', reason: 'malformed' }];
      return new RpcError(RPC_CODES.invalidParams, 'invalid_parameter', { faults }, status);
    }
    case -32_020:
    case -32_022:
      return new RpcError(code, 'malformed_request', { detail: 'headers' }, status, supportedIn(data));
    default:
      return new ApiError('internal_error', {}, { cause: new Error(`MCP library: ${JSON.stringify(error)}`) });
  }
}

/** A client with an unsupported version chooses one of these. */
function supportedIn(data: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(data) || !Array.isArray(data['supported'])) return {};
  const { supported, requested } = data;
  return { supported, ...(typeof requested === 'string' && { requested: shortened(requested) }) };
}
