/** What is waited for can no longer come. */
export class Ended extends Error {}

/**
 * Asks again and again until it is so.
 * @param {number} ms @param {string} what @param {() => unknown} isSo may be asynchronous; what it throws counts as no, unless
 *   it is an `Ended`
 * @returns {Promise<number>} milliseconds that it took
 * @throws past the bound
 */
export async function until(ms, what, isSo, everyMs = 10) {
  const began = performance.now();
  for (;;) {
    let last = null;
    const so = await Promise.resolve()
      .then(isSo)
      .catch((error) => {
        if (error instanceof Ended) throw error;
        last = error;
        return false;
      });
    const passed = performance.now() - began;
    if (so) return passed;
    if (passed > ms)
      throw new Error(`Waited ${ms} ms in vain for ${what}${last ? ` (${last.message})` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
