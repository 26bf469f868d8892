import { ApiError, type ApiErrorDetails, type ParameterFault } from '../../domain/errors/api-error.js';
import type { ErrorCode } from '../../domain/errors/errors.js';

/** The members of a JSON-RPC message that the request pipeline reads; each may be any JSON value. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;

/**
 * An error of the table that JSON-RPC has a code for. Clients read that code from a 200, so the status is 200 unless
 * the protocol requires another.
 */
export class RpcError extends ApiError {
  constructor(
    readonly rpcCode: number,
    code: ErrorCode,
    details: ApiErrorDetails,
    readonly httpStatus = 200,
    /** Members of `error.data` besides those of the problem. */
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, details);
  }
}

export function invalidParams(fault: ParameterFault): RpcError {
  return new RpcError(RPC_CODES.invalidParams, 'invalid_parameter', { faults: [fault] });
}

/** For methods whose result cannot contain an error: what the caller can correct is an error of its `params`. */
export function asRpcError(error: ApiError): ApiError {
  const { code, details, status } = error;
  return [400, 404, 410].includes(status) ? new RpcError(RPC_CODES.invalidParams, code, details) : error;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isMessage(body: unknown): body is Message {
  return isObject(body);
}

/** Only these return content, and a document has that of a tool; all other methods are handshake. */
const WITH_CONTENT: readonly unknown[] = ['tools/call', 'resources/read'];

export function returnsContent(body: unknown): boolean {
  return isMessage(body) && WITH_CONTENT.includes(body.method);
}

const CLAIM = 'io.modelcontextprotocol/protocolVersion';

/** The version that a message names itself, as every message does from revision 2026-07-28 on. */
export function claimedVersion({ params }: Message): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta[CLAIM] : undefined;
}

/** A message without an id expects no response. */
export function isNotification(body: Message): boolean {
  return !Object.hasOwn(body, 'id');
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** The id for the response; null if the message has no valid one. */
export function idOf(body: unknown): string | number | null {
  const id = isMessage(body) ? body.id : null;
  return isId(id) ? id : null;
}

const BY_STATUS: Readonly<Record<number, number>> = {
  401: -32_010,
  403: -32_011,
  429: -32_012,
  503: -32_013,
  404: RPC_CODES.methodNotFound,
  500: RPC_CODES.internalError,
};
const OTHER = -32_014;

/** A code of JSON-RPC if one fits, else one of its implementation-defined range. */
export function rpcCodeOf(status: number, parsed: boolean): number {
  if (status === 400) return parsed ? RPC_CODES.invalidRequest : RPC_CODES.parseError;
  return BY_STATUS[status] ?? OTHER;
}
