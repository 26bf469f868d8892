import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type Type } from '@nestjs/common';
import { ApiError } from '../domain/errors/api-error.js';
import type { Locale } from '../domain/locale/locale.js';
import type { Entrance, Headers } from '../serve/http/pipeline/entrance.js';
import { MCP_PATH } from '../serve/http/request/early-checks.middleware.js';
import { ResponseCache } from '../serve/http/response/response-cache.js';
import { HTTP_SETTINGS, type HttpSettings } from '../serve/http/settings.js';
import { Gauges } from '../serve/metrics/gauges.js';
import type { SentParameters } from '../serve/responses/request-context.js';
import { Heartbeat } from '../store/heartbeat.js';
import { rawArguments } from './arguments/call-arguments.js';
import { ToolRunner } from './calls/tool-runner.service.js';
import { checkedMessage, checkVersionHeader } from './check-message.js';
import { AllowedOrigins } from './protocol/allowed-origins.js';
import { invalidParams, isMessage, isObject, returnsContent, type Message } from './protocol/json-rpc.js';
import type { McpRequest, ToolSet } from './protocol/mcp-request.js';
import { readBody } from './protocol/read-body.js';

/** The result of a message, apart from the message's id and the caller's budget. */
export interface KeptMessage {
  /** The members of the result, with their closing brace. */
  readonly members: Buffer;
  /** `_meta` of the result, without the budget. */
  readonly meta: object;
  readonly locale: Locale;
  /** Null for a list. */
  readonly tool: string | null;
  /** Express's route, for the log. */
  readonly route: unknown;
  readonly weight: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const CACHED: readonly unknown[] = ['tools/call', 'tools/list'];
const TOOL_SETS: readonly ToolSet[] = ['all', 'search'];

/** The entrance of the MCP endpoint: its body states what a message costs, and results of tools and lists are kept. */
@Injectable()
export class McpEntrance implements Entrance {
  readonly method = 'POST';
  readonly isFree = true;
  /** The controller behind it, which opens it. */
  controller: Type | undefined;
  private readonly cache = new ResponseCache<KeptMessage>(CACHE_BYTES);
  private readonly origins: AllowedOrigins;

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly runner: ToolRunner,
    gauges: Gauges,
    @Inject(HTTP_SETTINGS) { baseUrl, mcpOrigins }: HttpSettings,
  ) {
    this.origins = new AllowedOrigins(baseUrl, mcpOrigins);
    gauges.watchCache('mcp', this);
  }

  /** Of both caches: a message that is not cached here may have its result there. */
  get stats(): { hits: number; misses: number; bytes: number } {
    const [own, results] = [this.cache.stats, this.runner.cacheStats];
    return { hits: own.hits + results.hits, misses: results.misses, bytes: own.bytes + results.bytes };
  }

  controllerOf({ method, url }: McpRequest): Type | undefined {
    return method === this.method && url === MCP_PATH ? this.controller : undefined;
  }

  /** Reads and checks the message. */
  async find(request: McpRequest): Promise<KeptMessage | undefined> {
    await this.read(request);
    const key = this.keyOf(request);
    return key === null ? undefined : this.cache.find(key);
  }

  send(request: McpRequest, response: ServerResponse, headers: Headers = request.limitHeaders ?? {}): void {
    const kept = request.kept as KeptMessage;
    request.route = kept.route;
    const { caller } = request.context;
    if (kept.tool !== null && caller !== undefined) this.runner.servedFromCache(kept.tool, caller);
    this.write(request, response, kept, headers);
  }

  /** Sends a result of the library, and keeps it. */
  respond(request: McpRequest, response: ServerResponse, { _meta = {}, ...result }: { _meta?: object }): void {
    const { context, error } = request;
    const { method, params } = request.body as Message;
    const text = JSON.stringify(result);
    const made = {
      members: Buffer.from(text.slice(1)),
      meta: _meta,
      locale: context.locale,
      tool: method === 'tools/call' && isObject(params) ? String(params['name']) : null,
      route: request.route as unknown,
      weight: text.length * 2 + 1_000,
    };
    const key = this.keyOf(request);
    if (key !== null && error === undefined) this.cache.set(key, made);
    this.write(request, response, made);
  }

  private write(request: McpRequest, response: ServerResponse, kept: KeptMessage, headers: Headers = {}): void {
    const { budget, body } = request;
    const meta = { ...kept.meta, ...(returnsContent(body) && { 'tidemark/rateLimit': budget }) };
    const comma = kept.members.length > 1 ? ',' : '';
    const start = Object.keys(meta).length === 0 ? '' : `"_meta":${JSON.stringify(meta)}${comma}`;
    const end = `,"jsonrpc":"2.0","id":${JSON.stringify((body as Message).id)}}`;
    const bytes = Buffer.concat([Buffer.from(`{"result":{${start}`), kept.members, Buffer.from(end)]);
    request.contentLength = bytes.length;
    response.writeHead(200, {
      ...headers,
      'cache-control': 'no-store',
      'content-language': kept.locale,
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }

  /** Of a checked message; null if its result is not cached. It has the data version known before the result. */
  private keyOf({ context, body, toolSet, headers }: McpRequest): string | null {
    const { method, params } = body as Message;
    if (!CACHED.includes(method)) return null;
    const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
    const { dataVersion } = this.heartbeat.latest;
    const plan = context.caller?.plan ?? '';
    return `${dataVersion} ${context.today} ${plan} ${JSON.stringify([toolSet, own, method, params])}`;
  }

  private async read(request: McpRequest): Promise<void> {
    const { headers, context } = request;
    if (!this.origins.allow(headers.origin, headers.host)) throw new ApiError('origin_not_allowed');
    // A slow sender must not occupy a slot.
    const body = await (request.slot?.releaseWhile(() => readBody(request)) ?? readBody(request));
    request.body = body;
    if (!isMessage(body)) {
      throw new ApiError('malformed_request', { detail: Array.isArray(body) ? 'batch' : 'message' });
    }
    const { query } = context;
    context.query = rawArguments(body);
    // The library drops it before a tool could refuse it.
    if (Object.hasOwn(context.query, '__proto__')) {
      context.faults.add([{ parameter: '__proto__', reason: 'unknown_argument' }]);
    }
    request.isFree = !returnsContent(body);
    checkVersionHeader(headers['mcp-protocol-version'], body);
    request.toolSet = toolSetIn(query);
    request.body = checkedMessage(body, request.toolSet);
    // A stream would stay open without ever sending anything: this service has no notifications.
    if (body.method === 'subscriptions/listen') throw new ApiError('not_found', { detail: 'listening' });
  }
}

/**
 * What the query of the endpoint's URL selects: a client keeps it with the URL.
 * @throws RpcError with the known sets
 */
function toolSetIn({ tools }: SentParameters): ToolSet {
  if (tools === undefined) return 'all';
  const found = TOOL_SETS.find((one) => one === tools);
  if (found !== undefined) return found;
  const args = { values: TOOL_SETS.join(', ') };
  throw invalidParams({ parameter: 'tools', reason: 'not_in_set', args, allowed: TOOL_SETS });
}
