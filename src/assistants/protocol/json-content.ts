import type { CallToolResult } from '@modelcontextprotocol/server';

/** What a tool's result has as structure. */
export interface Structured {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A result in the form that hosts of `search` and `fetch` read: the structure, and the same as JSON in the text. */
export function asJson(
  { structuredContent, ...result }: CallToolResult,
  shape: (structure: Structured, text: string) => Record<string, unknown>,
): CallToolResult {
  if (structuredContent === undefined) return result;
  const [first] = result.content;
  const shaped = shape(structuredContent as unknown as Structured, first?.type === 'text' ? first.text : '');
  return { ...result, content: [{ type: 'text', text: JSON.stringify(shaped) }], structuredContent: shaped };
}
