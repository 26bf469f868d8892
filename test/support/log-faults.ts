/** Levels that alert an operator: a client's mistake must not cause them. */
const CALLING = ['warn', 'error', 'fatal'];
/** Lines of an instance that rejects requests, or gets no connection, under load. */
const OVER_LOAD = /more requests|shedding|overload|unavailable|timeout exceeded|"status":503/i;

/**
 * The JSON lines of a log that no client may cause.
 * @param shed whether the instance shed load, which it logs
 */
export function faultyLines(output: string, shed: boolean): string[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((line) => {
      const level = levelOf(line);
      return level === null || (CALLING.includes(level) && !(shed && OVER_LOAD.test(line)));
    });
}

/** Null if a line is not JSON, for example because a caller's text broke it. */
function levelOf(line: string): string | null {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'string' ? level : null;
  } catch {
    return null;
  }
}
