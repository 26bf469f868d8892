import type { OutgoingHttpHeaders } from 'node:http';
import { exchange } from '../support/exchange.js';

export const MCP = '/api/v1/mcp';

/** A result or an error, as in JSON-RPC. */
export interface RpcReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: {
    readonly jsonrpc?: string;
    readonly id?: string | number | null;
    readonly result?: ToolResult & Record<string, unknown>;
    readonly error?: {
      readonly code: number;
      readonly message: string;
      readonly data?: { readonly code: string; readonly status: number };
    };
  };
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface Posted {
  readonly key?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Of the endpoint, with its query. */
  readonly path?: string;
}

/** Sends one POST with exactly this body. */
export async function post(
  url: string,
  payload: unknown,
  { key, headers, path = MCP }: Posted = {},
): Promise<RpcReply> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...(key !== undefined && { key }),
  };
  const { status, headers: received, body } = await exchange(url, path, sent);
  return { status, headers: received, body: (body ?? {}) as RpcReply['body'] };
}

export function rpc(method: string, params?: unknown) {
  return { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
}

export function toolCall(name: string, args: Record<string, unknown> = {}) {
  return rpc('tools/call', { name, arguments: args });
}

export const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** The revision whose messages repeat their version and method in `_meta` and in headers. */
export const VERSION = '2026-07-28';
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The headers of a message in that revision. */
export const modern = (method: string) => ({ 'mcp-protocol-version': VERSION, 'mcp-method': method });
