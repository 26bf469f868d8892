// Fetches one URL within bounds of time and size, and retries where a retry can help.
import { setTimeout as delay } from 'node:timers/promises';
import { ImportError } from '../batches/importer.js';
import { CutShortError } from '../batches/json-tokens.js';

export interface DownloadLimits {
  readonly tries: number;
  /** For one attempt, from the request to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Request headers of each attempt. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Waiting {
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** In [0, 1): jitter between the retries of several processes. */
  random(): number;
}

export const REAL_WAITING: Waiting = {
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
  random: Math.random,
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 120_000;
const MOST_REDIRECTS = 5;

/** A failure that may not occur again. */
export class TemporaryError extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Returns the result of `accept` for the body of a successful response. A `TemporaryError` or `CutShortError` of
 * `accept` causes a retry.
 * @throws ImportError after the last attempt, or at once for a 4xx
 */
export async function download<T>(
  url: string,
  limits: DownloadLimits,
  waiting: Waiting,
  signal: AbortSignal,
  accept: (body: Buffer) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await accept(await bodyOf(url, limits, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      const error =
        thrown instanceof CutShortError
          ? new TemporaryError('the response was incomplete', null, { cause: thrown })
          : thrown;
      if (!(error instanceof TemporaryError)) throw error;
      if (attempt >= limits.tries) {
        throw new ImportError(`${url}: ${error.message} (${attempt} tries)`, { cause: error });
      }
      await waiting.sleep(pauseMs(attempt, error.retryAfterMs, waiting), signal);
    }
  }
}

function pauseMs(attempt: number, retryAfterMs: number | null, waiting: Waiting): number {
  const doubling = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + waiting.random());
  return Math.min(retryAfterMs ?? doubling, LONGEST_PAUSE_MS);
}

async function bodyOf(url: string, limits: DownloadLimits, signal: AbortSignal): Promise<Buffer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await follow(url, {
      signal: AbortSignal.any([signal, timeout]),
      ...(limits.headers && { headers: limits.headers }),
    });
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      throw new TemporaryError(`the server responded with ${response.status}`, retryAfterOf(response));
    }
    const body = await boundedBody(response, url, limits.maxBytes);
    if (response.ok) return body;
    throw new ImportError(
      `${url}: the server responded with ${response.status}: ${body.toString('utf8').slice(0, 300)}`,
    );
  } catch (error) {
    if (error instanceof ImportError || error instanceof TemporaryError) throw error;
    const what = timeout.aborted ? `no response within ${limits.timeoutMs} ms` : 'the connection failed';
    throw new TemporaryError(what, null, { cause: error });
  }
}

/** Follows redirects within the publisher's origin only, so that none leads an import into another network. */
async function follow(url: string, init: RequestInit): Promise<Response> {
  const start = new URL(url);
  let at = start;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(at.href, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, at.href)) break;
    at = new URL(location, at.href);
    if (at.origin !== start.origin) {
      throw new ImportError(`${url}: the server sends to another host (${at.origin}), which is not followed`);
    }
  }
  throw new ImportError(`${url}: the server sends from one address to the next`);
}

async function boundedBody(response: Response, url: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ImportError(`${url}: the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Seconds or an HTTP date, as in RFC 9110. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds, 0);
}
