// Connection trouble (class 08), a server that is going down or starting (57P0x), too many connections
// (53300), and a statement that ran into its time limit (57014).
const CODES = /^(08...|57P0.|53300|57014|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
// Errors of `pg` without a code.
const MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|connection timeout|client (has encountered a connection error|was closed)|pool after calling end/i;

/** Whether an error means that the database is unavailable, not that the query is wrong. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = errorParts(error);
  if (typeof code === 'string' && CODES.test(code)) return true;
  return typeof message === 'string' && MESSAGES.test(message);
}

/** Whether the server cancelled a statement at its time limit. */
export function ranOutOfTime(error: unknown): boolean {
  return errorParts(error).code === '57014';
}

/** Code and message of an error of the server or the network, also inside one of TypeORM. */
export function errorParts(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  if (error instanceof Error && 'driverError' in error) return errorParts(error.driverError);
  return typeof error === 'object' && error !== null ? error : {};
}
