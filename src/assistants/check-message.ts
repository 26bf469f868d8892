// Validates messages before the library does, because the library's errors have other texts.
import { ApiError } from '../domain/errors/api-error.js';
import { claimedVersion, invalidParams, isId, isNotification, isObject, type Message } from './protocol/json-rpc.js';
import type { ToolSet } from './protocol/mcp-request.js';
import { usedParams, type Params } from './message-params.js';

const DEEPEST = 32;
const MOST_MEMBERS = 1_000;

/** Every protocol version is a day. */
const VERSION = /^\d{4}-\d{2}-\d{2}$/;
/** What a message may claim as its version. */
const CLAIM = /^[!-~]{1,64}$/;

/**
 * The message, reduced to the members that this service uses.
 * @throws ApiError `malformed_request` if it is no JSON-RPC message, RpcError if its `params` are wrong
 */
export function checkedMessage(body: Message, toolSet: ToolSet): Message {
  const { jsonrpc, id, method, params } = body;
  if (!isNotification(body) && !isId(id)) throw malformed('id');
  if (jsonrpc !== '2.0' || typeof method !== 'string') throw malformed('envelope');
  refuseLarge(body);
  if (params !== undefined && !isObject(params)) throw invalidParams({ parameter: 'params', reason: 'not_an_object' });
  if (isNotification(body)) return { jsonrpc, method };
  const given: Params = params ?? {};
  // The revision without a handshake has no such method.
  const used = method === 'initialize' && claimedVersion(body) !== undefined ? {} : usedParams(method, given, toolSet);
  return { jsonrpc, id, method, params: { ...metaOf(given), ...used } };
}

/**
 * The library treats every text that sorts after its own versions as a newer version.
 * @throws ApiError `malformed_request` if the header `MCP-Protocol-Version` is no version
 */
export function checkVersionHeader(version: unknown, body: Message): void {
  if (version === undefined) return;
  const isDay = typeof version === 'string' && VERSION.test(version);
  // A version that the message claims too is unsupported, and the library names those that are not.
  const isClaimed = typeof version === 'string' && version === claimedVersion(body) && CLAIM.test(version);
  if (!isDay && !isClaimed) throw malformed('headers');
}

/** Iterative, because deep nesting would overflow the stack of a recursive walk. */
function refuseLarge(body: unknown): void {
  let members = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: body, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEEPEST) throw malformed('nesting', DEEPEST);
    for (const member of Object.values(value)) {
      members += 1;
      if (members > MOST_MEMBERS) throw malformed('members', MOST_MEMBERS);
      open.push({ value: member, depth: depth + 1 });
    }
  }
}

/** Drops the progress token: calls are too short for progress notifications. */
function metaOf({ _meta: meta }: Params): Params {
  if (meta === undefined) return {};
  if (!isObject(meta)) throw invalidParams({ parameter: '_meta', reason: 'not_an_object' });
  const { progressToken: _unused, ...heeded } = meta;
  return { _meta: heeded };
}

function malformed(detail: string, limit = 0): ApiError {
  return new ApiError('malformed_request', { detail, args: { limit } });
}
