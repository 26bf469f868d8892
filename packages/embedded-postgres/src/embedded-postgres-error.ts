/** The embedded PostgreSQL cannot be used. The message is one line for the person who runs the service. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The `code` of a system or database error (`ENOENT`, `28P01`); `undefined` if it has none. */
export function codeOf(error: unknown): string | undefined {
  return textIn(error, 'code');
}

export function messageOf(error: unknown): string {
  return textIn(error, 'message') ?? String(error);
}

// No `instanceof Error`: under jest, system errors come from another realm.
export function textIn(error: unknown, member: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, member) : undefined;
  return typeof value === 'string' ? value : undefined;
}
