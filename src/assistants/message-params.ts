// Validates the `params` of each method before the library does, and keeps only the members that this service uses.
import { shortened } from '../domain/errors/api-error.js';
import { nearest } from '../domain/errors/nearest.js';
import { documentCallOf, LISTED_TEMPLATES, unknownDocument } from './protocol/documents.js';
import { invalidParams, isObject, type RpcError } from './protocol/json-rpc.js';
import type { ToolSet } from './protocol/mcp-request.js';
import { PROMPTS } from './prompts/prompts.js';
import { SEARCH_TOOLS } from './documents/search-tools.js';
import { TOOLS } from './tools/tools.js';

/** Characters kept of the client's own name and version. */
const LONGEST_TEXT = 200;

export type Params = Readonly<Record<string, unknown>>;

const namesOf = (all: readonly { readonly definition: { readonly name: string } }[]): readonly string[] =>
  all.map(({ definition }) => definition.name);

const TOOL_NAMES: Readonly<Record<ToolSet, readonly string[]>> = { all: namesOf(TOOLS), search: namesOf(SEARCH_TOOLS) };
const PROMPT_NAMES = namesOf(PROMPTS);

/** @throws RpcError if a member is wrong */
export function usedParams(method: string, params: Params, toolSet: ToolSet): Params {
  switch (method) {
    case 'initialize':
      return handshake(params);
    case 'tools/call':
      return toolCall(params, TOOL_NAMES[toolSet]);
    case 'prompts/get':
      return promptRequest(params);
    case 'resources/read':
      return documentRequest(params);
    case 'completion/complete':
      return completionRequest(params);
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

function toolCall({ name, arguments: given }: Params, names: readonly string[]): Params {
  return { name: known(name, 'name', 'unknown_tool', names), arguments: argumentsOf(given) };
}

function promptRequest({ name, arguments: given }: Params): Params {
  return { name: known(name, 'name', 'unknown_prompt', PROMPT_NAMES), arguments: textsIn(given, 'arguments') };
}

function documentRequest({ uri }: Params): Params {
  const text = textOf(uri, 'uri');
  if (documentCallOf(text) === null) throw unknownDocument(text);
  return { uri: text };
}

/** What to complete: an argument of a prompt, or a variable of a template. */
function completionRequest({ ref, argument, context }: Params): Params {
  if (!isObject(ref)) throw notAnObject('ref');
  if (!isObject(argument)) throw notAnObject('argument');
  if (context !== undefined && !isObject(context)) throw notAnObject('context');
  const name = textOf(argument['name'], 'argument.name');
  const value = textOf(argument['value'], 'argument.value');
  const texts = textsIn(context?.['arguments'], 'context.arguments');
  return { ref: reference(ref), argument: { name, value }, context: { arguments: texts } };
}

function reference({ type, name, uri }: Params): Params {
  const templates = LISTED_TEMPLATES.map(({ uriTemplate }) => uriTemplate);
  if (type === 'ref/prompt') return { type, name: known(name, 'ref.name', 'unknown_prompt', PROMPT_NAMES) };
  if (type === 'ref/resource') return { type, uri: known(uri, 'ref.uri', 'unknown_document', templates) };
  throw invalidParams({
    parameter: 'ref.type',
    reason: 'not_in_set',
    args: { values: 'ref/prompt, ref/resource' },
    allowed: ['ref/prompt', 'ref/resource'],
  });
}

/** One of the known names. @throws RpcError with all of them, the nearest first */
function known(value: unknown, parameter: string, reason: string, names: readonly string[]): string {
  const text = textOf(value, parameter);
  if (names.includes(text)) return text;
  const args = { name: shortened(text) };
  throw invalidParams({ parameter, reason, args, allowed: [...new Set([...nearest(text, names), ...names])] });
}

/** Some clients send null for no arguments. */
function argumentsOf(given: unknown, parameter = 'arguments'): Params {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw notAnObject(parameter);
  return given;
}

/** The protocol demands texts; null is an argument that was left out. @throws RpcError if a value is another type */
function textsIn(given: unknown, parameter: string): Params {
  const members = Object.entries(argumentsOf(given, parameter)).filter(([, value]) => value !== null);
  for (const [name, value] of members) textOf(value, `${parameter}.${shortened(name)}`);
  return Object.fromEntries(members);
}

function textOf(value: unknown, parameter: string): string {
  if (typeof value !== 'string') throw invalidParams({ parameter, reason: 'not_a_text' });
  return value;
}

function notAnObject(parameter: string): RpcError {
  return invalidParams({ parameter, reason: 'not_an_object' });
}
