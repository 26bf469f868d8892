import { ApiError, type ApiErrorDetails } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/errors.js';
import type { SentParameters } from '../responses/request-context.js';

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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isMessage(body: unknown): body is Message {
  return isObject(body);
}

/** Only tool calls return content; all other methods are handshake. */
export function isToolCall(body: unknown): boolean {
  return isMessage(body) && body.method === 'tools/call';
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

/** The arguments of a tool call as they were sent; none in any other message. */
export function argumentsIn({ params }: Message): SentParameters {
  const given = isObject(params) ? params['arguments'] : undefined;
  return isObject(given) ? given : {};
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
