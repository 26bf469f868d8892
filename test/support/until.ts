/** Polls until the condition holds. @throws after the time limit. */
export async function until(ms: number, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const bound = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > bound) throw new Error(`Waited ${String(ms)} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
