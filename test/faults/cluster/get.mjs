import { get as httpGet } from 'node:http';

const TIMEOUT_MS = 5_000;

/**
 * One GET on a new connection: the server may close a kept-alive one at the moment of its reuse.
 * @returns {Promise<{ status: number, text: string }>}
 */
export function get(url, timeoutMs = TIMEOUT_MS) {
  return new Promise((resolve, reject) => {
    const asked = httpGet(url, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error(`${url} did not answer in ${timeoutMs} ms`)));
    asked.on('error', reject);
  });
}
