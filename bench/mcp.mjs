// `npm run bench:mcp [-- --quick]`: compares a tool call with the HTTP route of the same content, and with the protocol
// SDK's own server that sends the same bytes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.mjs';
import { openStage, startOurs } from './contenders.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { CONNECTIONS, round } from './rounds.mjs';
import { measuring, startNode, untilReady } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    calls: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 0.5 : 1.2));
const calls = Number(options.calls ?? (options.quick ? 2_000 : 100_000));
const AIM = 2.5;
const ENDPOINT = '/api/v1/mcp';
const ROUTE = '/api/v1/changes?limit=10';
const SAME = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'latest_changes', arguments: { limit: 10 } },
};

await measuring(async (defer) => {
  const stage = await openStage(defer, { accounts: options.quick ? 320 : 1_600, vintages: options.quick ? 2 : 4 });
  const began = performance.now();
  const ours = await startOurs(defer, stage, {});
  const first = await ask(ours.port, stage.keys[0], SAME);
  const ready = (performance.now() - began) / 1_000;
  const bare = await startBareMcp(defer, first.result);
  console.log(`\n${conditions()}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections`);
  console.log(`From start to the first tool's answer: ${rounded(ready, 2)} s`);
  const cells = [
    cell('HTTP route', ours, (key) => ({ path: ROUTE, headers: { authorization: `Bearer ${key}` } })),
    cell('tool call', ours, (key) => posted(key, SAME)),
    cell('tool call, 2026-07-28', ours, (key) =>
      posted(key, modern(SAME), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'latest_changes',
      }),
    ),
    cell('tools/list', ours, (key) => posted(key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })),
    cell("the SDK's own server", bare, (key) => posted(key, SAME)),
  ];
  const shared = { postgres: stage.postgres, redis: null, countedInRedis: () => 0 };
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const one of cells) {
      const result = await round({ ...one, seconds, keys: stage.keys, shared });
      if (turn > 0) one.rounds.push(result);
    }
  }
  print(cells);
  await memory(ours, stage.keys);
});

function cell(name, server, request) {
  return { name, server, ask: request, expected: 200, rounds: [] };
}

function posted(key, message, more = {}) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return { path: ENDPOINT, method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) };
}

function modern(message) {
  const about = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  return { ...message, params: { ...message.params, _meta: about } };
}

async function ask(port, key, message) {
  const { path: where, ...request } = posted(key, message);
  const response = await fetch(`http://127.0.0.1:${port}${where}`, request);
  if (response.status !== 200) throw new Error(`A tool call answered ${response.status}`);
  return response.json();
}

async function startBareMcp(defer, result) {
  const port = await freePort();
  const environment = { PATH: process.env.PATH, BENCH_SERVER: JSON.stringify({ port, result }) };
  const server = startNode(defer, [path.join(import.meta.dirname, 'bare-mcp-server.mjs')], { environment });
  await untilReady(`http://127.0.0.1:${port}/`, '', server);
  return { ...server, name: 'bare SDK server', port };
}

function print(cells) {
  const cost = ({ rounds: measured }) => measured.map(({ cpu, requests }) => (cpu.server / requests) * 1e6);
  const base = cost(cells[0]);
  const rows = cells.map((one) => [
    one.name,
    spread(cost(one)),
    spread(
      cost(one).map((micros, at) => micros / base[at]),
      2,
    ),
    spread(one.rounds.map(({ requests, seconds: length }) => requests / length)),
    rounded(median(one.rounds.map(({ latency }) => latency.p99))),
  ]);
  console.log(`\n${table(['changes, ten', 'µs CPU a call', 'ratio to the HTTP route', 'calls / s', 'p99 ms'], rows)}`);
  const ratio = median(cost(cells[1]).map((micros, at) => micros / base[at]));
  console.log(`tool call ≤ ${AIM} × the HTTP route: ${ratio <= AIM ? 'met' : 'MISSED'} (${rounded(ratio, 2)})`);
}

/** Resident memory after each tenth of the calls; it must not grow with them. */
async function memory({ pid, port }, keys) {
  const sizes = [];
  let made = 0;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const until = (calls * tenth) / 10;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (made < until) {
          made += 1;
          await ask(port, keys[made % keys.length], SAME);
        }
      }),
    );
    sizes.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
  }
  console.log(
    `\nMB resident after each tenth of ${rounded(calls)} calls: ${sizes.map((size) => rounded(size)).join(' ')}`,
  );
}
