import { Agent, createServer, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { insideOf } from '../support/inside.mjs';

/**
 * Stands before the service while tools attack it: gives each request the key of one of many accounts, since one
 * account's plan would refuse nearly all of an attack, and looks at each answer for what the tools do not look for.
 */
export async function startProxy({ target, keys }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const { hostname, port } = new URL(target);
  const seen = { statuses: {}, wrong: [], requests: 0 };
  const server = createServer((incoming, outgoing) => {
    seen.requests += 1;
    const key = keys[seen.requests % keys.length];
    const headers = { authorization: `Bearer ${key}`, ...incoming.headers };
    const { method, url: path } = incoming;
    const sent = request({ hostname, port, method, path, headers, agent }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        check(seen, { method, path, answer, text: plain(answer.headers, body) });
        outgoing.writeHead(answer.statusCode, answer.headers).end(body);
      });
    });
    // Bytes that Node's own client refuses to send never reach the service: they are the property tests' business.
    sent.on('error', () => outgoing.destroyed || outgoing.writeHead(502).end());
    incoming.pipe(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function check(seen, { method, path, answer, text }) {
  const { statusCode: status } = answer;
  seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
  if (status >= 500) seen.wrong.push(`${status} ${method} ${path}`);
  const inside = path.startsWith('/docs') ? null : insideOf(text, path);
  if (inside !== null) seen.wrong.push(`gives the inside away (${inside}): ${method} ${path}`);
}

function plain(headers, body) {
  if (body.length === 0) return '';
  const coding = headers['content-encoding'];
  return (coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body).toString();
}
