import { ServerResponse, type IncomingMessage } from 'node:http';
import { ApiError, shortened } from '../../domain/errors/api-error.js';
import { isObject, RPC_CODES, RpcError, type Message } from './json-rpc.js';

/**
 * Captures the library's response: the library would otherwise send its errors itself, with its own texts and
 * chunked.
 */
export class LibraryResponse extends ServerResponse {
  readonly whole: Promise<Buffer>;
  private readonly chunks: Buffer[] = [];
  private resolve: (bytes: Buffer) => void = () => undefined;

  constructor(request: IncomingMessage) {
    super(request);
    this.whole = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  override writeHead(status: number): this {
    this.statusCode = status;
    return this;
  }

  override write(chunk: string | Uint8Array): boolean {
    this.chunks.push(Buffer.from(chunk as Uint8Array));
    return true;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.resolve(Buffer.concat(this.chunks));
    // The library cleans up on this event.
    this.emit('finish');
    return this;
  }
}

/** Every result starts with this, so its body need not be parsed. */
const RESULT = Buffer.from('{"result":');

/** Maps a refusal of the library to the error table; `null` for a result. */
export function errorIn(status: number, bytes: Buffer, { method }: Message): ApiError | null {
  if (bytes.subarray(0, RESULT.length).equals(RESULT)) return null;
  const error = rpcErrorIn(bytes);
  if (error === null && status < 400) return null;
  switch (error?.code) {
    case RPC_CODES.methodNotFound: {
      const args = { method: shortened(String(method)) };
      return new RpcError(RPC_CODES.methodNotFound, 'not_found', { detail: 'method', args }, status);
    }
    case RPC_CODES.invalidParams: {
      const faults = [{ parameter: 'params', reason: 'malformed' }];
      return new RpcError(RPC_CODES.invalidParams, 'invalid_parameter', { faults }, status);
    }
    case RPC_CODES.invalidRequest:
      return new ApiError('malformed_request', { detail: 'envelope' });
    // The library has no code for an unsupported protocol version.
    case -32_000:
      return new ApiError('malformed_request', { detail: 'headers' });
    case -32_020:
    case -32_022:
      return new RpcError(
        error.code,
        'malformed_request',
        { detail: 'headers' },
        status,
        supportedIn(error.data),
      );
    default:
      return new ApiError(
        'internal_error',
        {},
        { cause: new Error(`MCP library: ${bytes.toString().slice(0, 500)}`) },
      );
  }
}

function rpcErrorIn(bytes: Buffer): { readonly code: number; readonly data: unknown } | null {
  const body: unknown = bytes.length === 0 ? null : JSON.parse(bytes.toString());
  const error = isObject(body) ? body['error'] : null;
  return isObject(error) && typeof error['code'] === 'number'
    ? { code: error['code'], data: error['data'] }
    : null;
}

/** A client with an unsupported version chooses one of these. */
function supportedIn(data: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(data) || !Array.isArray(data['supported'])) return {};
  const { supported, requested } = data;
  return { supported, ...(typeof requested === 'string' && { requested: shortened(requested) }) };
}
