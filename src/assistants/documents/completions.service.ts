import { Injectable } from '@nestjs/common';
import type { CompleteResult } from '@modelcontextprotocol/server';
import { shortened } from '../../domain/errors/api-error.js';
import { asApiError } from '../../serve/http/response/error.filter.js';
import { LOCALES } from '../../domain/locale/locale.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { LISTED_TEMPLATES } from '../protocol/documents.js';
import { asRpcError, invalidParams } from '../protocol/json-rpc.js';
import type { McpRequest } from '../protocol/mcp-request.js';
import { NamedValues, type NamedKind } from '../arguments/named-values.service.js';
import { PROMPTS } from '../prompts/prompts.js';

/** The most that the protocol allows in one response. */
const MOST = 100;

/** As the message check leaves them. */
export interface CompletionParams {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
}

/** Completes arguments of prompts and variables of templates, from the names in all languages. */
@Injectable()
export class Completions {
  constructor(private readonly named: NamedValues) {}

  async complete(params: CompletionParams, request: McpRequest): Promise<CompleteResult> {
    try {
      const values = await this.valuesOf(params, request.context);
      const total = values.length;
      return { completion: { values: values.slice(0, MOST), total, hasMore: total > MOST } };
    } catch (thrown) {
      // The controller throws it once the library is done.
      request.fault = asRpcError(asApiError(thrown));
      return { completion: { values: [] } };
    }
  }

  private async valuesOf({ ref, argument }: CompletionParams, context: RequestContext): Promise<string[]> {
    const { name, value } = argument;
    const names = ref.type === 'ref/prompt' ? argumentsOf(ref.name) : variablesIn(ref.uri);
    if (!names.includes(name)) {
      const args = { name: shortened(name) };
      throw invalidParams({ parameter: 'argument.name', reason: 'unknown_variable', args, allowed: names });
    }
    if (name === 'locale') return LOCALES.filter((locale) => locale.startsWith(value.trim().toLowerCase()));
    const found = await this.named.matching(name as NamedKind, value, context);
    // A person reads the argument of a prompt; a URI has a code.
    return found.map((one) => (ref.type === 'ref/prompt' ? one.name[context.locale] : one.value));
  }
}

function argumentsOf(prompt: string | undefined): string[] {
  const found = PROMPTS.find(({ definition }) => definition.name === prompt);
  return Object.keys(found?.definition.input.shape ?? {});
}

function variablesIn(template: string | undefined): string[] {
  const known = LISTED_TEMPLATES.find(({ uriTemplate }) => uriTemplate === template);
  const groups = [...(known?.uriTemplate ?? '').matchAll(/\{\??([^}]+)\}/g)];
  return groups.flatMap(([, variables = '']) => variables.split(','));
}
