import { ERRORS, type ErrorCode } from '../../src/domain/errors/errors.js';
import { expandedIn } from './hostile-texts.js';
import { insideOf } from './inside.mjs';

/** Statuses that a message may cause; none of them is an internal error. */
const STATUSES = [200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 414, 415, 429, 431, 503];
/** Errors before the message is recognised as MCP have the envelope of HTTP. */
const BEFORE_THE_ENDPOINT = [414, 431];
/** Codes of JSON-RPC, and the service's own. -32603 is an internal error. */
const CODES = [-32700, -32600, -32601, -32602, -32010, -32011, -32012, -32013, -32014];
/** The protocol's own codes for a header that contradicts the body, and for an unsupported version. */
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
const LONGEST_REFUSAL = 32_000;

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code?: number; readonly message?: unknown; readonly data?: unknown };
}

/** The errors of a response of the MCP endpoint; empty if it is correct. */
export function mcpFaults(
  asked: { readonly method: string; readonly known: string },
  { status, text }: { readonly status: number; readonly text: string },
): string[] {
  if (!STATUSES.includes(status)) return [`answered ${status}: ${text.slice(0, 300)}`];
  const inside = insideOf(text, asked.known);
  const expanded = expandedIn(text);
  return [
    ...(inside === null ? [] : [`gives the inside away (${inside}): ${text.slice(0, 500)}`]),
    ...(expanded === null ? [] : [`a caller's text was read as a template: ${expanded}`]),
    ...ofForm(asked.method, status, text),
  ];
}

function ofForm(method: string, status: number, text: string): string[] {
  if (method === 'HEAD' || status === 202 || status === 204) return text === '' ? [] : ['has a body'];
  if (BEFORE_THE_ENDPOINT.includes(status)) return ofEnvelope(status, text);
  const message = messageIn(text);
  // An overloaded instance refuses a request before it reads what it is.
  if (status === 503 && message !== null && message.jsonrpc === undefined) return ofEnvelope(status, text);
  if (message === null) return [`is no JSON-RPC: ${text.slice(0, 200)}`];
  const { jsonrpc, id, result, error } = message;
  // The id is the caller's; the response repeats it whatever its length.
  const length = text.length - JSON.stringify(id ?? null).length;
  const identified = id === null || typeof id === 'string' || typeof id === 'number';
  return [
    ...(jsonrpc === '2.0' && identified ? [] : [`is no JSON-RPC: ${text.slice(0, 200)}`]),
    ...((error === undefined) === (result === undefined) ? ['is neither a result nor an error'] : []),
    ...(error === undefined ? [] : ofError(error, status, text, length)),
    ...(result?.isError === true ? ofToolError(result.content?.[0]?.text ?? '', length) : []),
  ];
}

function ofError(
  { code = 0, message, data }: NonNullable<Message['error']>,
  status: number,
  text: string,
  length: number,
): string[] {
  const told = (data ?? {}) as { readonly code?: string; readonly status?: number };
  const ours =
    told.code !== undefined && Object.hasOwn(ERRORS, told.code) && ERRORS[told.code as ErrorCode].status === status;
  return [
    ...([...CODES, HEADER_MISMATCH, UNSUPPORTED_VERSION].includes(code)
      ? []
      : [`has the code ${code}: ${text.slice(0, 300)}`]),
    ...(typeof message === 'string' && message !== '' ? [] : ['says nothing']),
    ...(ours || status === 200 || code === UNSUPPORTED_VERSION ? [] : [`is not in our words: ${text.slice(0, 300)}`]),
    ...(length > LONGEST_REFUSAL ? [`a refusal of ${length} characters`] : []),
  ];
}

function ofToolError(said: string, length: number): string[] {
  const [code = ''] = said.split(':', 1);
  return [
    ...(Object.hasOwn(ERRORS, code) && code !== 'internal_error'
      ? []
      : [`a tool's error without our code: ${said.slice(0, 300)}`]),
    ...(length > LONGEST_REFUSAL ? [`a refusal of ${length} characters`] : []),
  ];
}

function ofEnvelope(status: number, text: string): string[] {
  const { error } = JSON.parse(text) as { readonly error?: { readonly code?: string } };
  const ours = ERRORS[error?.code as ErrorCode] as { readonly status: number } | undefined;
  return ours?.status === status ? [] : [`is not in our words: ${text.slice(0, 300)}`];
}

/** A streamed response contains the message as the data of an event. */
function messageIn(text: string): Message | null {
  const line = text.startsWith('{') ? text : /^data: (\{.*\})$/m.exec(text)?.[1];
  if (line === undefined) return null;
  try {
    return JSON.parse(line) as Message;
  } catch {
    return null;
  }
}
