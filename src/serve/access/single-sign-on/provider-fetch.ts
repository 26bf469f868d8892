const MOST_BYTES = 1_000_000;

/** The time in which one request to the OpenID provider must complete, its body included. */
export const PROVIDER_TIMEOUT_SECONDS = 5;

/**
 * `fetch` for requests to the OpenID provider: follows no redirect, and reads a body only up to a bound.
 * @throws TypeError, as `fetch` does, if the provider cannot be reached; the message names the reason
 */
export async function providerFetch(url: string, options: RequestInit): Promise<Response> {
  const signal = options.signal ?? AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000);
  try {
    const response = await fetch(url, { ...options, redirect: 'manual', signal });
    const { status, headers } = response;
    const body = await readBounded(response);
    // The constructor refuses a body for these.
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new TypeError(`The request to ${new URL(url).host} failed: ${reasonOf(error)}`, { cause: error });
  }
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > MOST_BYTES) throw new Error('the response is too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** `fetch` puts why it could not connect into the cause. */
function reasonOf(error: unknown): string {
  const { message = '', cause } = error as { readonly message?: string; readonly cause?: { code?: string } };
  return cause?.code ?? message;
}
