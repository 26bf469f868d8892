// Validates the `params` of each method before the library does, and keeps only the members that this service uses.
import { shortened } from '../domain/errors/api-error.js';
import { nearest } from '../domain/errors/nearest.js';
import { documentCallOf, unknownDocument } from './protocol/documents.js';
import { invalidParams, isObject, type RpcError } from './protocol/json-rpc.js';
import type { ToolSet } from './protocol/mcp-request.js';
import { SEARCH_TOOLS } from './documents/search-tools.js';
import { TOOLS } from './tools/tools.js';

/** Characters kept of the client's own name and version. */
const LONGEST_TEXT = 200;

export type Params = Readonly<Record<string, unknown>>;

const namesOf = (all: readonly { readonly definition: { readonly name: string } }[]): readonly string[] =>
  all.map(({ definition }) => definition.name);

const TOOL_NAMES: Readonly<Record<ToolSet, readonly string[]>> = { all: namesOf(TOOLS), search: namesOf(SEARCH_TOOLS) };

/** @throws RpcError if a member is wrong */
export function usedParams(method: string, params: Params, toolSet: ToolSet): Params {
  switch (method) {
    case 'initialize':
      return handshake(params);
    case 'tools/call':
      return toolCall(params, TOOL_NAMES[toolSet]);
    case 'resources/read':
      return documentRequest(params);
    default:
      return {};
  }
}

/** Client capabilities change nothing here, so they are dropped. */
function handshake({ protocolVersion, capabilities, clientInfo }: Params): Params {
  if (typeof protocolVersion !== 'string' || !/^[\w.-]{1,32}$/.test(protocolVersion)) {
    throw invalidParams({ parameter: 'protocolVersion', reason: 'protocol_version' });
  }
  if (!isObject(capabilities)) throw notAnObject('capabilities');
  if (!isObject(clientInfo)) throw notAnObject('clientInfo');
  const name = textOf(clientInfo['name'], 'clientInfo.name');
  const version = textOf(clientInfo['version'], 'clientInfo.version');
  const client = { name: name.slice(0, LONGEST_TEXT), version: version.slice(0, LONGEST_TEXT) };
  return { protocolVersion, capabilities: {}, clientInfo: client };
}

/** Some clients send null for no arguments. */
function toolCall({ name, arguments: given }: Params, names: readonly string[]): Params {
  const tool = knownTool(name, names);
  if (given === undefined || given === null) return { name: tool, arguments: {} };
  if (!isObject(given)) throw notAnObject('arguments');
  return { name: tool, arguments: given };
}

function documentRequest({ uri }: Params): Params {
  const text = textOf(uri, 'uri');
  if (documentCallOf(text) === null) throw unknownDocument(text);
  return { uri: text };
}

/** @throws RpcError with the names of all tools, the nearest first */
function knownTool(name: unknown, names: readonly string[]): string {
  const text = textOf(name, 'name');
  if (names.includes(text)) return text;
  const args = { name: shortened(text) };
  throw invalidParams({
    parameter: 'name',
    reason: 'unknown_tool',
    args,
    allowed: [...new Set([...nearest(text, names), ...names])],
  });
}

function textOf(value: unknown, parameter: string): string {
  if (typeof value !== 'string') throw invalidParams({ parameter, reason: 'not_a_text' });
  return value;
}

function notAnObject(parameter: string): RpcError {
  return invalidParams({ parameter, reason: 'not_an_object' });
}
