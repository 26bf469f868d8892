// What the contenders are asked, and how many requests make one round.
import { CHANGES, MACRO } from './contenders.mjs';
import { writeCursor } from './by-hand/changes.mjs';

const MCP = '/api/v1/mcp';
const WINDOW = `${CHANGES}&country=CN&since=2020-01-01`;
/** Requests a round in the full form: enough for the kernel's ticks of 10 ms to mean little. */
const CACHED = 4_000;
const COMPUTED = 800;
const SLOW = 320;

let asked = 0;

/** A moment that no earlier request used, after all changes: no cached response matches, and the rows are the same. */
function freshMoment() {
  asked += 1;
  return new Date(Date.UTC(2027, 0, 1) + asked).toISOString();
}

const get = (target, headers) => (key) => ({
  path: typeof target === 'function' ? target() : target,
  headers: { authorization: `Bearer ${key}`, ...headers },
});

const post = (message) => (key) => ({
  method: 'POST',
  path: MCP,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(typeof message === 'function' ? message() : message) }),
  headers: {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
});

const call = (more = {}) => ({
  method: 'tools/call',
  params: { name: 'latest_changes', arguments: { limit: 10, ...more } },
});

const page = get(CHANGES);
const byUntil = get(() => `${CHANGES}&until=${freshMoment()}`);
const byWindow = get(() => `${WINDOW}&until=${freshMoment()}`);

/** Each cursor once. */
function byCursor(cursors) {
  let next = 0;
  return get(() => {
    next += 1;
    if (next > cursors.length) throw new Error(`${cursors.length} cursors are too few`);
    return `${CHANGES}&cursor=${cursors[next - 1]}`;
  });
}

/**
 * @param servers by name; Directus only where it runs
 * @param cursors of ours, each of another page
 * @param tag the ETag of our page
 */
export function questionsFor({ flat, wide, nest, ours, directus, directusCached }, { cursors, tag, count }) {
  const positions = Array.from({ length: count }, (_, at) => writeCursor(count - at));
  const question = (id, name, server, amount, ask, more = {}) => ({
    id,
    name,
    server,
    amount,
    ask,
    expected: 200,
    isPage: false,
    ...more,
  });
  return [
    question('flat', 'F flat16, 13 kB', flat, CACHED / 2, page, { isPage: true }),
    question('wide', 'F wide, 35 kB', wide, CACHED / 2, page, { isPage: true }),
    question('wideUntil', 'F wide, by a new until', wide, COMPUTED, byUntil),
    question('wideCursor', 'F wide, by cursor', wide, COMPUTED, byCursor(positions)),
    question('wideWindow', 'F wide, a window of a country', wide, COMPUTED, byWindow),
    question('nest', 'naive Nest, 35 kB', nest, CACHED / 2, page, { isPage: true }),
    question('kept', 'Tidemark, cached, 35 kB', ours, CACHED, page, { isPage: true }),
    question('notModified', 'Tidemark, 304', ours, CACHED, get(CHANGES, { 'if-none-match': tag }), { expected: 304 }),
    question('gzip', 'Tidemark, cached, gzip', ours, CACHED, get(CHANGES, { 'accept-encoding': 'gzip' })),
    question('macro', 'Tidemark, macro, cached', ours, CACHED, get(MACRO)),
    question('call', 'Tidemark, tool call, cached', ours, CACHED, post(call())),
    question('list', 'Tidemark, tools/list', ours, CACHED, post({ method: 'tools/list' })),
    question('until', 'Tidemark, by a new until', ours, COMPUTED, byUntil),
    question('cursor', 'Tidemark, by cursor', ours, COMPUTED, byCursor(cursors)),
    question('window', 'Tidemark, a window of a country', ours, COMPUTED, byWindow),
    question(
      'newCall',
      'Tidemark, tool call, by a new until',
      ours,
      COMPUTED,
      post(() => call({ until: freshMoment() })),
    ),
    ...(directus === undefined
      ? []
      : [
          question('directus', 'Directus, cache off, 13 kB', directus, SLOW, directus.ask, { isPage: true }),
          question('directusKept', 'Directus, cache on, 13 kB', directusCached, SLOW, directus.ask, { isPage: true }),
        ]),
  ];
}

/** Pages that the contenders must answer with the same bytes, but for the cursor, whose secret differs. */
export const COMPARED = [CHANGES, `${WINDOW}&until=2027-01-01T00:00:00.001Z`, '/api/v1/changes?limit=7'];
