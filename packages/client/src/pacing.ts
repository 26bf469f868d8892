/** Waits; rejects with the signal's reason when it is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const waitByTimer: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** Seconds of a 429 or 503; null without them. */
export function retryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Seconds until the minute admits another request, by the `RateLimit` header of the last response; 0 if it does now. */
export function secondsUntilAdmitted(headers: Headers): number {
  const [, left, seconds] = /"minute";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  return left === '0' ? Number(seconds) : 0;
}
