import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { KeyVerifier } from '../serve/access/keys/key-verifier.js';
import { presentedKey } from '../serve/access/keys/presented-key.js';
import { Heartbeat } from '../store/heartbeat.js';
import { headError, MCP_PATH, varyAndCors } from '../serve/http/request/early-checks.middleware.js';
import { ResponseCache } from '../serve/http/response/response-cache.js';
import { HTTP_SETTINGS, type HttpSettings } from '../serve/http/settings.js';
import { RequestCounter } from '../serve/limits/request-counter.js';
import type { Locale } from '../domain/locale/locale.js';
import { Gauges } from '../serve/metrics/gauges.js';
import { isObject, type Message } from './protocol/json-rpc.js';
import { McpBody } from './mcp-body.service.js';
import type { McpRequest } from './protocol/mcp-request.js';
import { ToolRunner } from './calls/tool-runner.service.js';

type Headers = Readonly<Record<string, string>>;

/** What the library wrote for a message, apart from the message's id and the caller's budget. */
interface CachedMessage {
  readonly start: string;
  /** Whether the budget stands between the two parts. */
  readonly hasBudget: boolean;
  readonly rest: Buffer;
  readonly locale: Locale;
  /** Null for a list. */
  readonly tool: string | null;
  /** Express's route, for the log. */
  readonly route: unknown;
  readonly weight: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const CACHED: readonly unknown[] = ['tools/call', 'tools/list'];

/** The headers of a result. */
export function resultHeaders(locale: Locale, bytes: number) {
  return {
    'cache-control': 'no-store',
    'content-language': locale,
    'content-type': 'application/json',
    'content-length': bytes,
  };
}

/**
 * Caches the bytes that the library writes for tool calls and lists, and sends them before the router, as
 * `CachedResponses` does: with the verifier, the body check and the counter of the request pipeline. Everything else, and
 * every error, is left to the pipeline.
 */
@Injectable()
export class CachedMessages {
  private readonly cache = new ResponseCache<CachedMessage>(CACHE_BYTES);
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly verifier: KeyVerifier,
    private readonly body: McpBody,
    private readonly counter: RequestCounter,
    private readonly runner: ToolRunner,
    gauges: Gauges,
    @Inject(HTTP_SETTINGS) { corsOrigins }: HttpSettings,
  ) {
    this.origins = new Set(corsOrigins);
    gauges.watchCache('mcp', this);
  }

  /** Of both caches: a message that is not cached here may have its result there. */
  get stats(): { hits: number; misses: number; bytes: number } {
    const [own, results] = [this.cache.stats, this.runner.cacheStats];
    return {
      hits: own.hits + results.hits,
      misses: results.misses,
      bytes: own.bytes + results.bytes,
    };
  }

  /** Of a checked message; null if its result is not cached. It has the data version known before the result. */
  keyOf({ context, body, toolSet, headers }: McpRequest): string | null {
    const { method, params } = body as Message;
    if (!CACHED.includes(method)) return null;
    const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
    const { dataVersion } = this.heartbeat.latest;
    const plan = context.caller?.plan ?? '';
    return `${dataVersion} ${context.today} ${plan} ${JSON.stringify([toolSet, own, method, params])}`;
  }

  /** @param bytes the library's result of this message */
  keep(key: string, { body, budget, context, toolError, route }: McpRequest, bytes: Buffer): void {
    if (toolError !== undefined) return;
    const { id, method, params } = body as Message;
    const [text, end] = [bytes.toString(), endOf(id)];
    if (!text.endsWith(end)) return;
    const result = text.slice(0, -end.length);
    const isCall = method === 'tools/call';
    const told = budgetText(budget);
    // Quotes within a text are escaped, so the member occurs once.
    const [start = '', ...others] = isCall ? result.split(told) : ['', result];
    const [rest] = others;
    if (rest === undefined || others.length > 1) return;
    this.cache.set(key, {
      ...{
        start,
        hasBudget: isCall,
        rest: Buffer.from(rest),
        locale: context.locale,
        route: route as unknown,
      },
      tool: isCall && isObject(params) ? String(params['name']) : null,
      weight: result.length * 2 + 1_000,
    });
  }

  /** @param hardening the headers that the router's middleware would set */
  middleware(hardening: Headers) {
    return (request: McpRequest, response: ServerResponse, next: () => void): void => {
      if (request.method !== 'POST' || request.url !== MCP_PATH || !isOrdinary(request)) next();
      else {
        this.send(request, response, hardening).then(
          (isSent) => {
            if (!isSent) next();
          },
          // The pipeline meets the same failure, and reports it.
          () => (response.headersSent ? response.destroy() : next()),
        );
      }
    };
  }

  private async send(request: McpRequest, response: ServerResponse, hardening: Headers): Promise<boolean> {
    const { context, headers } = request;
    const { text, contradicted } = presentedKey(headers, true);
    const identified = text === null || contradicted ? null : await this.verifier.identify(text);
    if (identified?.kind !== 'caller') return false;
    context.caller = identified.caller;
    await this.body.read(request);
    const key = request.fault === undefined ? this.keyOf(request) : null;
    const cached = key === null ? undefined : this.cache.hit(key);
    if (cached === undefined) return false;
    request.route = cached.route;
    const counted = await this.counter.count(request);
    if (counted.refusal !== null) return false;
    if (cached.tool !== null) this.runner.servedFromCache(cached.tool, identified.caller);
    const start = cached.hasBudget ? cached.start + budgetText(request.budget) : cached.start;
    const end = endOf((request.body as Message).id);
    const bytes = Buffer.concat([Buffer.from(start), cached.rest, Buffer.from(end)]);
    request.contentLength = bytes.length;
    response.writeHead(200, {
      ...hardening,
      ...varyAndCors(headers.origin, this.origins),
      'x-request-id': context.id,
      ...counted.headers,
      ...resultHeaders(cached.locale, bytes.length),
    });
    response.end(bytes);
    return true;
  }
}

/** Whether the early checks would let it pass without changing anything. */
function isOrdinary(request: McpRequest): boolean {
  return request.headers.upgrade === undefined && headError(request) === null;
}

const budgetText = (budget: McpRequest['budget']): string =>
  `"tidemark/rateLimit":${JSON.stringify(budget ?? null)}`;

const endOf = (id: unknown): string => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
