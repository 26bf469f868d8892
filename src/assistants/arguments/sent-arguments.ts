import type { SentParameters } from '../../serve/responses/request-context.js';
import { documentCallOf } from '../protocol/documents.js';
import { isObject, type Message } from '../protocol/json-rpc.js';

/** The arguments of a message as they were sent: of a tool or prompt, in the URI of a document, or beside a completion. */
export function sentArguments({ params }: Message): SentParameters {
  if (!isObject(params)) return {};
  const { uri, arguments: given, context } = params;
  if (typeof uri === 'string') return documentCallOf(uri)?.args ?? {};
  const beside = isObject(context) ? context['arguments'] : undefined;
  return [given, beside].find(isObject) ?? {};
}
