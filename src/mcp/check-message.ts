// Validates messages before the library does, because the library's errors have other texts.
import { ApiError, shortened, type ParameterFault } from '../errors/api-error.js';
import { nearest } from '../errors/nearest.js';
import { isId, isNotification, isObject, RPC_CODES, RpcError, type Message } from './json-rpc.js';
import { TOOLS } from './tools.js';

const DEEPEST = 32;
const MOST_MEMBERS = 1_000;
/** Characters kept of the client's own name and version. */
const LONGEST_TEXT = 200;

/** Every protocol version is a day. */
const VERSION = /^\d{4}-\d{2}-\d{2}$/;

type Params = Readonly<Record<string, unknown>>;

/**
 * The message, reduced to the members that this service uses.
 * @throws ApiError `malformed_request` if it is no JSON-RPC message, RpcError if its `params` are wrong
 */
export function checkedMessage(body: Message): Message {
  const { jsonrpc, id, method, params } = body;
  if (!isNotification(body) && !isId(id)) throw malformed('id');
  if (jsonrpc !== '2.0' || typeof method !== 'string') throw malformed('envelope');
  refuseLarge(body);
  if (params !== undefined && !isObject(params))
    throw invalid({ parameter: 'params', reason: 'not_an_object' });
  if (isNotification(body)) return { jsonrpc, method };
  const given: Params = params ?? {};
  return { jsonrpc, id, method, params: { ...metaOf(given), ...heededOf(method, given) } };
}

/**
 * The library treats every text that sorts after its own versions as a newer version.
 * @throws ApiError `malformed_request` if the header `MCP-Protocol-Version` is no version
 */
export function checkVersionHeader(version: unknown): void {
  if (version === undefined) return;
  if (typeof version !== 'string' || !VERSION.test(version)) throw malformed('headers');
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

function heededOf(method: string, params: Params): Params {
  if (method === 'initialize') return handshakeOf(params);
  return method === 'tools/call' ? callOf(params) : {};
}

/** Client capabilities change nothing here, so they are dropped. */
function handshakeOf({ protocolVersion, capabilities, clientInfo }: Params): Params {
  if (typeof protocolVersion !== 'string' || !/^[\w.-]{1,32}$/.test(protocolVersion)) {
    throw invalid({ parameter: 'protocolVersion', reason: 'protocol_version' });
  }
  if (!isObject(capabilities)) throw invalid({ parameter: 'capabilities', reason: 'not_an_object' });
  if (!isObject(clientInfo)) throw invalid({ parameter: 'clientInfo', reason: 'not_an_object' });
  const { name, version } = clientInfo;
  if (typeof name !== 'string') throw invalid({ parameter: 'clientInfo.name', reason: 'not_a_text' });
  if (typeof version !== 'string') throw invalid({ parameter: 'clientInfo.version', reason: 'not_a_text' });
  const client = { name: name.slice(0, LONGEST_TEXT), version: version.slice(0, LONGEST_TEXT) };
  return { protocolVersion, capabilities: {}, clientInfo: client };
}

function callOf({ name, arguments: given }: Params): Params {
  if (typeof name !== 'string') throw invalid({ parameter: 'name', reason: 'not_a_text' });
  const names = TOOLS.map(({ definition }) => definition.name);
  if (!names.includes(name)) {
    const args = { name: shortened(name) };
    throw invalid({ parameter: 'name', reason: 'unknown_tool', args, allowed: nearest(name, names) });
  }
  // Some clients send null for no arguments.
  if (given !== undefined && given !== null && !isObject(given)) {
    throw invalid({ parameter: 'arguments', reason: 'not_an_object' });
  }
  return { name, arguments: given ?? {} };
}

/** Drops the progress token: calls are too short for progress notifications. */
function metaOf({ _meta: meta }: Params): Params {
  if (meta === undefined) return {};
  if (!isObject(meta)) throw invalid({ parameter: '_meta', reason: 'not_an_object' });
  const { progressToken: _unused, ...heeded } = meta;
  return { _meta: heeded };
}

function malformed(detail: string, limit = 0): ApiError {
  return new ApiError('malformed_request', { detail, args: { limit } });
}

function invalid(fault: ParameterFault): RpcError {
  return new RpcError(RPC_CODES.invalidParams, 'invalid_parameter', { faults: [fault] });
}
