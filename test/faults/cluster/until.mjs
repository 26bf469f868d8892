/** The awaited state can no longer occur. */
export class Ended extends Error {}

/**
 * Polls until `isSo` holds.
 * @param {number} ms
 * @param {string} what
 * @param {() => unknown} isSo may be asynchronous; an exception counts as no, unless it is an `Ended`
 * @returns {Promise<number>} the milliseconds that it took
 * @throws after `ms`
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
    if (passed > ms) throw new Error(`Waited ${ms} ms in vain for ${what}${last ? ` (${last.message})` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
