import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { CallContext } from '../access/call-context.js';
import { revisionIn } from '../answers/cursors.service.js';
import type { Result } from '../answers/result.js';
import { Pulse } from '../database/pulse.js';
import { ApiError, type ParameterFault } from '../errors/api-error.js';
import { AnswerCache } from '../http/answer-cache.js';
import { asApiError } from '../http/api-error.filter.js';
import { callOf } from '../http/call.decorator.js';
import { making } from '../http/load.js';
import { faultsIn } from '../http/parameters.js';
import { envelopeOf } from '../http/presenter.service.js';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../locale/locale.js';
import { Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { States } from '../metrics/states.js';
import { inSpan } from '../tracing/spans.js';
import type { McpRequest } from './mcp-request.js';
import type { ToolDefinition } from './tool-definition.js';
import { Wording } from './wording.service.js';

/** How one tool answers: what it asks, and how the answer reads. */
export interface ToolWork<Input extends z.ZodObject, Data> {
  readonly ask: (input: z.output<Input>, call: CallContext) => Promise<Result<Data>>;
  /** The lines of the text; sources, notices and the next page are added to them. */
  readonly read: (result: Result<Data>, locale: Locale) => readonly string[];
}

interface KeptAnswer {
  readonly answer: CallToolResult;
  readonly weight: number;
}

const CACHE_BYTES = 16 * 1024 * 1024;

/** Judges a call's arguments, asks, and puts the answer in both forms, or the error in words. */
@Injectable()
export class ToolAnswers {
  private readonly kept = new AnswerCache<KeptAnswer>(CACHE_BYTES);

  constructor(
    private readonly pulse: Pulse,
    private readonly wording: Wording,
    private readonly log: Log,
    private readonly metrics: Metrics,
    states: States,
  ) {
    states.watchCache('mcp', this.kept);
  }

  give<Input extends z.ZodObject, Data>(
    tool: ToolDefinition<Input>,
    sent: unknown,
    context: McpContext,
    work: ToolWork<Input, Data>,
  ): Promise<CallToolResult> {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool.name };
    return inSpan(`tools/call ${tool.name}`, attributes, () => this.answer(tool, sent, context, work));
  }

  private async answer<Input extends z.ZodObject, Data>(
    { name, input }: ToolDefinition<Input>,
    sent: unknown,
    context: McpContext,
    work: ToolWork<Input, Data>,
  ): Promise<CallToolResult> {
    const request = context.getRawRequest<McpRequest>();
    const locale = languageOf(sent);
    try {
      if (request === undefined) throw new Error('A tool call comes with its request');
      const asked = judged(input, sent);
      const notBefore = revisionIn((asked as { cursor?: unknown }).cursor);
      const call = { ...callOf(request, locale), notBefore };
      const key = `${this.pulse.latest.revision} ${call.today} ${call.caller.plan} ${name} ${JSON.stringify(asked)}`;
      const kept =
        this.kept.find(key) ??
        (await making(request, () =>
          this.kept.make(key, () => this.make(asked, call, work, 'cursor' in input.shape)),
        ));
      this.metrics.toolCalled(name, 'ok');
      return kept.answer;
    } catch (thrown) {
      this.metrics.toolCalled(name, 'error');
      const error = asApiError(thrown);
      if (error.status >= 500) this.log.failure(request?.requestId ?? '', thrown);
      const text = this.wording.error(error, locale, request?.requestId ?? '');
      return { content: [{ type: 'text', text }], isError: true };
    }
  }

  private async make<Input extends z.ZodObject, Data>(
    asked: z.output<Input>,
    call: CallContext,
    { ask, read }: ToolWork<Input, Data>,
    turnsPages: boolean,
  ): Promise<KeptAnswer> {
    const result = await ask(asked, call);
    const { locale } = call;
    const text = [...read(result, locale), ...this.wording.footer(result, locale, turnsPages)].join('\n');
    const structuredContent = envelopeOf(result, locale);
    return {
      answer: { content: [{ type: 'text', text }], structuredContent },
      // In memory an object takes several times what it takes in writing.
      weight: text.length * 2 + JSON.stringify(structuredContent).length * 4,
    };
  }
}

function languageOf(sent: unknown): Locale {
  const { locale } = (sent ?? {}) as { locale?: unknown };
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

/** @throws ApiError `invalid_parameter` with one fault an argument */
function judged<Input extends z.ZodObject>(schema: Input, sent: unknown): z.output<Input> {
  const parsed = schema.safeParse(sent ?? {});
  if (parsed.success) return parsed.data;
  const faults = faultsIn(parsed.error, sent, schema).map((fault): ParameterFault =>
    fault.reason === 'unknown' ? { ...fault, reason: 'unknown_argument' } : fault,
  );
  throw new ApiError('invalid_parameter', { faults });
}
