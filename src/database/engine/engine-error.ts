/** The embedded engine cannot be used. The message is one line, meant for the person who runs the service. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** The `code` of a system or database error (`ENOENT`, `28P01`), `undefined` when it has none. */
export function codeOf(error: unknown): string | undefined {
  return textIn(error, 'code');
}

export function messageOf(error: unknown): string {
  return textIn(error, 'message') ?? String(error);
}

// Not by `instanceof Error`: system errors come from another realm where code runs in a sandbox, as under jest.
export function textIn(error: unknown, member: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, member) : undefined;
  return typeof value === 'string' ? value : undefined;
}
