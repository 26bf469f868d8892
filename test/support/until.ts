/** Polls until the condition holds. @throws after the time limit. */
export async function until(ms: number, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const bound = performance.now() + ms;
  // The condition is asked once more after the limit: a machine may stand still for longer than that.
  for (let isLast = false; !(await isSo()); isLast = performance.now() > bound) {
    if (isLast) throw new Error(`Waited ${String(ms)} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Polls until a statement of this database waits for a lock. */
export const untilWaiting = (sql: (text: string) => Promise<readonly unknown[]>): Promise<void> =>
  until(20_000, 'a statement to wait for a lock', async () => {
    const waiting = await sql(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
