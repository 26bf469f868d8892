const MOST_BYTES = 1_000_000;

/** The time in which one request to the OpenID provider must complete, its body included. */
export const PROVIDER_TIMEOUT_SECONDS = 5;

/** `fetch` for requests to the OpenID provider: follows no redirect, and reads a body only up to a bound. */
export async function providerFetch(url: string, options: RequestInit): Promise<Response> {
  const signal = options.signal ?? AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000);
  const response = await fetch(url, { ...options, redirect: 'manual', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > MOST_BYTES) throw new TypeError(`A response of ${new URL(url).host} is too large`);
    chunks.push(bytes);
  }
  const { status, headers } = response;
  // The constructor refuses a body for these.
  const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, headers });
}
