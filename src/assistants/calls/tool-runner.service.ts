import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import type { z } from 'zod';
import { OWN_CALLER, type Caller } from '../../serve/access/keys/caller.js';
import { PLAN_TERMS } from '../../domain/plans/plans.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Result } from '../../serve/responses/result.js';
import { Heartbeat } from '../../store/heartbeat.js';
import { ResponseCache } from '../../serve/http/response/response-cache.js';
import { asApiError } from '../../serve/http/response/error.filter.js';
import { computeCacheMiss } from '../../serve/http/overload/load-shedder.js';
import { envelopeOf } from '../../serve/http/response/envelope-serializer.service.js';
import type { Locale } from '../../domain/locale/locale.js';
import { Log } from '../../serve/log/log.js';
import { Metrics } from '../../serve/metrics/metrics.js';
import { inSpan } from '../../serve/tracing/spans.js';
import type { McpRequest } from '../protocol/mcp-request.js';
import type { ToolDefinition } from './tool-definition.js';
import { projectedMeta } from '../projections/source-projection.js';
import { TextRenderer } from '../text/text-renderer.service.js';
import { validArguments } from '../arguments/call-arguments.js';

/** The parts of a call that differ by tool. */
export interface ToolCall<Input extends z.ZodObject, Data> {
  readonly query: (input: z.output<Input>, context: RequestContext) => Promise<Result<Data>>;
  /** The members of `structuredContent`: what repeats in `data` stands once, and `meta` has more than the envelope. */
  readonly project: (data: Data) => Projection;
  /** The lines of the text; the runner adds sources, notices and the next page. */
  readonly render: (result: Result<Data>, locale: Locale, context: RequestContext) => readonly string[];
  /** Key of the text that explains how to get the omitted content; without it, the cursor does. */
  readonly more?: string;
  /** Whether its lines say how old the figures are. */
  readonly statesAge?: boolean;
}

interface Projection {
  readonly data: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

interface CachedResult {
  readonly result: CallToolResult;
  readonly weight: number;
}

const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Runs a tool call: validates its arguments, calls the service, and returns structured content and text, or the error
 * as text.
 */
@Injectable()
export class ToolRunner {
  private readonly cache = new ResponseCache<CachedResult>(CACHE_BYTES);

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly renderer: TextRenderer,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  get cacheStats(): ResponseCache<CachedResult>['stats'] {
    return this.cache.stats;
  }

  run<Input extends z.ZodObject, Data>(
    tool: ToolDefinition<Input>,
    sent: unknown,
    mcp: McpContext,
    work: ToolCall<Input, Data>,
  ): Promise<CallToolResult> {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool.name };
    return inSpan(`tools/call ${tool.name}`, attributes, () => this.execute(tool, sent, mcp, work));
  }

  /** Notes a call whose result was sent as cached bytes. */
  servedFromCache(name: string, caller: Caller): void {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name };
    void inSpan(`tools/call ${name}`, attributes, () => {
      this.count(name, 'ok', caller);
      return Promise.resolve();
    });
  }

  private async execute<Input extends z.ZodObject, Data>(
    { name, input }: ToolDefinition<Input>,
    sent: unknown,
    mcp: McpContext,
    work: ToolCall<Input, Data>,
  ): Promise<CallToolResult> {
    const request = mcp.getRawRequest<McpRequest>();
    const context = request?.context;
    if (request === undefined || context?.caller === undefined) throw new Error('No tool runs without a caller');
    const { plan } = context.caller;
    context.reach = PLAN_TERMS[plan];
    try {
      const valid = validArguments(input, sent, context.faults);
      const key = `${this.heartbeat.latest.dataVersion} ${context.today} ${plan} ${name} ${JSON.stringify(valid)}`;
      const compute = () => this.compute(valid, context, work);
      // The other arguments alone may have a cached result.
      const kept = context.faults.isEmpty
        ? (this.cache.find(key) ?? (await computeCacheMiss(request, () => this.cache.compute(key, compute))))
        : await computeCacheMiss(request, compute);
      this.count(name, 'ok', context.caller);
      return kept.result;
    } catch (thrown) {
      return this.failed(name, thrown, request);
    }
  }

  private count(tool: string, outcome: 'ok' | 'error', caller: Caller | undefined): void {
    if (caller !== OWN_CALLER) this.metrics.toolCalled(tool, outcome);
  }

  /** The result of a call of this tool that failed. */
  failed(name: string, thrown: unknown, request: McpRequest): CallToolResult {
    const { context } = request;
    this.count(name, 'error', context.caller);
    const error = asApiError(thrown);
    if (error.status >= 500) this.log.failure(context.id, thrown);
    request.error = error;
    const text = this.renderer.error(error, context.locale, context.id);
    return { content: [{ type: 'text', text }], isError: true };
  }

  private async compute<Input extends z.ZodObject, Data>(
    valid: z.output<Input>,
    context: RequestContext,
    { query, project, render, more, statesAge = false }: ToolCall<Input, Data>,
  ): Promise<CachedResult> {
    const { faults, locale } = context;
    const result = await query(valid, context).catch((error: unknown) => faults.refuseWith(error));
    faults.refuse();
    // The newest figure of a span, or known on an earlier day, says nothing about the age of what is stored now.
    const isOfPast =
      typeof valid['to'] === 'string' || (typeof valid['asOf'] === 'string' && valid['asOf'] < context.today);
    const text = [
      ...this.renderer.warnings(result, locale),
      ...render(result, locale, context),
      ...this.renderer.footer(result, locale, isOfPast || statesAge ? null : context.today, more),
    ].join('\n');
    const { meta, data: _whole } = envelopeOf(result, locale);
    const projection = project(result.data);
    const structuredContent = { data: projection.data, meta: { ...projectedMeta(meta), ...projection.meta } };
    return {
      result: { content: [{ type: 'text', text }], structuredContent },
      // An object takes several times the memory of its JSON.
      weight: text.length * 2 + JSON.stringify(structuredContent).length * 4,
    };
  }
}
