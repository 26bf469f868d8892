import { Injectable } from '@nestjs/common';
import type { GetPromptResult } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import type { z } from 'zod';
import { asApiError } from '../../serve/http/response/error.filter.js';
import { computeCacheMiss } from '../../serve/http/overload/load-shedder.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { Locale } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { asRpcError } from '../protocol/json-rpc.js';
import type { McpRequest } from '../protocol/mcp-request.js';
import type { ToolDefinition } from '../calls/tool-definition.js';
import { validArguments } from '../arguments/call-arguments.js';
import type { PromptDefinition } from './prompt-definition.js';

/** Renders a prompt: validates its arguments, and returns its paragraphs as one message of the user. */
@Injectable()
export class PromptRunner {
  constructor(private readonly texts: Texts) {}

  async run<Input extends z.ZodObject>(
    { description, input }: PromptDefinition<Input>,
    sent: unknown,
    mcp: McpContext,
    render: (valid: z.output<Input>, context: RequestContext) => readonly string[] | Promise<readonly string[]>,
  ): Promise<GetPromptResult> {
    const request = mcp.getRawRequest<McpRequest>();
    if (request === undefined) throw new Error('No prompt is rendered without a request');
    try {
      const { context } = request;
      const { faults } = context;
      const valid = validArguments(input, sent, faults, 'unknown_prompt_argument');
      const paragraphs = await computeCacheMiss(request, async () => render(valid, context)).catch((error: unknown) =>
        faults.refuseWith(error),
      );
      faults.refuse();
      const text = paragraphs.join('\n\n');
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    } catch (thrown) {
      // The controller throws it once the library is done.
      request.fault = asRpcError(asApiError(thrown));
      return { messages: [] };
    }
  }

  /** What holds for every text from our figures. */
  rules(locale: Locale): string[] {
    return ['age', 'cite', 'honest', 'limit'].map((rule) => this.texts.say(locale, `prompts.rules.${rule}`));
  }
}

/** A call as a prompt names it; of the tool's own definition, so that it cannot name an argument that is not there. */
export function callText<Input extends z.ZodObject>({ name }: ToolDefinition<Input>, args: z.input<Input>): string {
  return `${name} ${JSON.stringify(args)}`;
}
