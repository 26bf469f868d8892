/** Levels that call an operator: a client's own mistake is no reason to. */
const CALLING = ['warn', 'error', 'fatal'];
/** What an instance says when it refuses or is refused for load. */
const OVER_LOAD = /more requests|shedding|overload|unavailable|timeout exceeded|"status":503/i;

/**
 * Lines of a log in JSON that no client may cause.
 * @param shed whether requests were refused for load, which an instance reports
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

/** Null where a line is no JSON, as where a caller's text broke it. */
function levelOf(line: string): string | null {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'string' ? level : null;
  } catch {
    return null;
  }
}
