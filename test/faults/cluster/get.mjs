import { get as httpGet } from 'node:http';

const PATIENCE_MS = 5_000;

/**
 * One GET on a new connection: the server may close a kept-alive one at the moment of its reuse.
 * @returns {Promise<{ status: number, text: string }>}
 */
export function get(url, patienceMs = PATIENCE_MS) {
  return new Promise((resolve, reject) => {
    const asked = httpGet(url, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.setTimeout(patienceMs, () => asked.destroy(new Error(`${url} did not answer in ${patienceMs} ms`)));
    asked.on('error', reject);
  });
}
