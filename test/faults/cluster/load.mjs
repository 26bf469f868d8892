// Open-loop load: each request has its own time, whether or not earlier ones have a response, and its latency counts
// from that time. A server that stalls does not get fewer requests.
import { Agent, request as httpRequest } from 'node:http';

const TICK_MS = 5;
const TIMEOUT_MS = 30_000;

/** A GET. @returns {Ask} */
export function request(path, headers = {}) {
  return { name: path, make: (key) => ({ method: 'GET', path, headers: { ...bearer(key), ...headers } }) };
}

/** A tool call by MCP. @returns {Ask} */
export function tool(name, args = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: 'application/json, text/event-stream',
  };
  return {
    name: `tool ${name}`,
    make: (key) => ({ method: 'POST', path: '/api/v1/mcp', headers: { ...bearer(key), ...headers }, body }),
  };
}

const bearer = (key) => ({ authorization: `Bearer ${key}` });

/**
 * Sends one request. Never rejects: a failure has `status` 0 and an `error`.
 * @param {{ agent?: Agent, at?: number, keepBody?: boolean, timeoutMs?: number }} how `at`: its scheduled time, by
 * `performance.now()`
 */
export function send(url, ask, key, { agent, at = performance.now(), keepBody = false, timeoutMs = TIMEOUT_MS } = {}) {
  const { body: payload, ...what } = ask.make(key);
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const done = (rest) => resolve({ at, ms: performance.now() - at, ask: ask.name, key, ...rest });
    const failed = (error) => done({ status: 0, error: error.code ?? error.message, headers: {} });
    const asked = httpRequest({ hostname, port, agent: agent ?? false, ...what });
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error('no answer in time')));
    asked.on('error', failed).on('response', (response) => {
      const chunks = [];
      response.on('error', failed).on('data', (chunk) => keepBody && chunks.push(chunk));
      response.on('end', () => {
        const { statusCode, headers } = response;
        const body = keepBody ? Buffer.concat(chunks).toString() : undefined;
        done({ status: statusCode, error: null, headers, body });
      });
    });
    asked.end(payload);
  });
}

/**
 * @param {{ url: string | (() => string), rate: number, keys: { text: string }[], asks: Ask[], connections?: number,
 *   keepBody?: boolean }} options `rate` in requests a second; keys and asks are taken in turn
 */
export function startLoad({ url, rate, keys, asks, connections = 256, keepBody = false }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  const seen = [];
  const pending = new Set();
  let sent = 0;
  const tick = () => {
    const due = Math.floor(((performance.now() - began) / 1_000) * rate);
    for (; sent < due; sent += 1) {
      const at = began + ((sent + 1) / rate) * 1_000;
      const to = typeof url === 'function' ? url() : url;
      // Combines each key with each kind of request, whatever their two numbers are.
      const ask = asks[(sent + Math.floor(sent / keys.length)) % asks.length];
      const one = send(to, ask, keys[sent % keys.length].text, { agent, at, keepBody });
      pending.add(one);
      void one.then((record) => {
        pending.delete(one);
        seen.push(record);
      });
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    began,
    /** The responses so far. */
    seen,
    seconds: (count) => new Promise((resolve) => setTimeout(resolve, count * 1_000)),
    /** Stops sending, and waits for the requests in flight. */
    stop: async () => {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      return seen.sort((one, other) => one.at - other.at);
    },
  };
}

/** Sends one request per pair, all at once. */
export function burst(pairs, options = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  return Promise.all(pairs.map(({ url, ask, key }) => send(url, ask, key, { agent, ...options }))).finally(() =>
    agent.destroy(),
  );
}

export const between = (seen, from, to) => seen.filter(({ at }) => at >= from && at < to);

/** @returns {number} milliseconds; 0 without any response */
export function quantile(seen, share) {
  const sorted = seen.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const p50 = (seen) => quantile(seen, 0.5);
export const p99 = (seen) => quantile(seen, 0.99);

/** The number of responses by status; failures count under their error. */
export function statuses(seen) {
  const counts = {};
  for (const { status, error } of seen) counts[error ?? status] = (counts[error ?? status] ?? 0) + 1;
  return counts;
}

export const failures = (seen) => seen.filter(({ status }) => status === 0 || status >= 500);

/** One row per second since the first request: how many, how many failed, and the slowest. */
export function bySecond(seen) {
  const rows = [];
  const first = Math.min(...seen.map(({ at }) => at));
  for (const record of seen) {
    const second = Math.floor((record.at - first) / 1_000);
    const row = (rows[second] ??= { second, requests: 0, failed: 0, slowestMs: 0 });
    row.requests += 1;
    if (record.status === 0 || record.status >= 500) row.failed += 1;
    row.slowestMs = Math.max(row.slowestMs, Math.round(record.ms));
  }
  return rows.filter((row) => row !== undefined);
}

/** @typedef {{ name: string, make: (key: string) => { method: string, path: string, headers: object, body?: string } }} Ask */
