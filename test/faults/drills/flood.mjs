// A load generator faster than the ordinary one: raw sockets with one request each at a time, in a separate process.
// Open-loop: each request is sent at its time whatever happened to earlier ones, and its latency counts from that time.
import { fork } from 'node:child_process';
import { connect } from 'node:net';

const TICK_MS = 2;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * @param {{ port: number, paths: string[], keys: string[], seconds: number, rate?: number, connections: number, anew?:
 * boolean, settle?: number }} what without a `rate`, each connection sends its next request after each response;
 * `anew`: no two requests are equal; `settle`: the requests of the first seconds are reported separately, as `onset`
 * @returns {Promise<{ seconds: number, unsent: number, errors: number, statuses: Summary, onset: Summary }>}
 */
export function flood(what) {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The flood ended with ${code}`)));
    child.once('message', (result) => {
      child.removeAllListeners('exit');
      child.kill();
      resolve(result);
    });
    child.send(what);
  });
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.once('message', (what) => void pour(what).then((result) => process.send(result)));
  process.once('disconnect', () => process.exit());
}

async function pour({ port, paths, keys, seconds, rate, connections, anew = false, settle = 0 }) {
  const latencies = new Map();
  const onset = new Map();
  const waiting = [];
  const idle = [];
  let errors = 0;
  let made = 0;
  let began = 0;
  let end = 0;
  const ask = () => {
    const path = paths[made % paths.length];
    const more = anew ? `&until=${new Date(Date.UTC(2027, 0, 1) + made + Math.random() * 1e12).toISOString()}` : '';
    const key = keys[made % keys.length];
    made += 1;
    return `GET ${path}${more} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  };
  const done = (status, at) => {
    const ms = performance.now() - at;
    const into = at - began < settle * 1_000 ? onset : latencies;
    if (!into.has(status)) into.set(status, []);
    into.get(status).push(ms);
  };
  const next = (socket) => {
    if (rate === undefined) {
      if (performance.now() < end) socket.ask(performance.now());
    } else if (waiting.length > 0) socket.ask(waiting.shift());
    else idle.push(socket);
  };
  const sockets = new Set();
  for (let count = 0; count < connections; count += 1) open();
  function open() {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.add(socket);
    let at = 0;
    let asked = false;
    let status = '';
    let left = -1;
    let held = Buffer.alloc(0);
    socket.ask = (time) => {
      at = time;
      asked = true;
      left = -1;
      socket.write(ask());
    };
    socket.on('data', (chunk) => {
      if (!asked) return;
      if (left < 0) {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const head = held.indexOf(HEAD_END);
        if (head < 0) return;
        const text = held.toString('latin1', 0, head);
        status = text.slice(9, 12);
        left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0) - (held.length - head - 4);
        held = Buffer.alloc(0);
      } else left -= chunk.length;
      if (left > 0) return;
      asked = false;
      done(status, at);
      next(socket);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (asked) errors += 1;
      const place = idle.indexOf(socket);
      if (place >= 0) idle.splice(place, 1);
      // The server closes a connection that was idle for long; another one replaces it, so their number stays constant.
      if (performance.now() < end) replace();
    });
    socket.connected = new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
    return socket;
  }
  function replace() {
    const socket = open();
    void socket.connected.then(() => next(socket));
  }
  await Promise.all([...sockets].map(({ connected }) => connected));
  began = performance.now();
  end = began + seconds * 1_000;
  for (const socket of sockets) next(socket);
  let sent = 0;
  const tick = () => {
    const now = Math.min(performance.now(), end);
    const due = Math.floor(((now - began) / 1_000) * rate);
    for (; sent < due; sent += 1) {
      const at = began + ((sent + 1) / rate) * 1_000;
      // The connection that has been idle for longest: servers close silent ones.
      const socket = idle.shift();
      if (socket === undefined) waiting.push(at);
      else socket.ask(at);
    }
  };
  const timer = rate === undefined ? null : setInterval(tick, TICK_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  clearInterval(timer);
  const answered = () => (rate === undefined ? true : waiting.length === 0 && idle.length === sockets.size);
  const deadline = performance.now() + 5_000;
  while (!answered() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  end = 0;
  for (const socket of sockets) socket.destroy();
  const of = (map) => Object.fromEntries([...map].map(([status, all]) => [status, summed(all)]));
  return { seconds, unsent: waiting.length, errors, statuses: of(latencies), onset: of(onset) };
}

function summed(all) {
  const sorted = Float64Array.from(all).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) };
}

/** @typedef {Record<string, { count: number, p50: number, p99: number, max: number }>} Summary by status, in milliseconds */
