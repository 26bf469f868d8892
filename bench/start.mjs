// `npm run bench:start [-- --quick]`: measures the time from spawn to the first 200, and the memory at rest.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.mjs';
import { conditions, rounded, spread, table } from './medians.mjs';
import { memoryOf, treeMemoryOf } from './processes.mjs';
import { measuring, openDataFolder, ROOT, startNode, untilReady, within } from './workspace.mjs';

const QUESTION = '/api/v1/changes?limit=1';
const LIMITS = { first: 30, second: 5 };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, repeat: { type: 'string' } },
});
const repeat = Number(options.repeat ?? (options.quick ? 1 : 5));
/** Until the garbage of the start is collected and the pools have closed idle connections. */
const restSeconds = options.quick ? 3 : 15;

await measuring(async (defer) => {
  const starts = { first: [], second: [] };
  for (let run = 0; run < repeat; run += 1) {
    await within(defer, async (own) => {
      const { environment, dataDir } = await openDataFolder(own);
      // In one run only: all others would show the same.
      const rest = run === 0 ? restSeconds : 0;
      const first = await started(own, environment, { dataDir, key: null, rest });
      starts.first.push(first);
      starts.second.push(await started(own, environment, { dataDir, key: first.key, rest }));
    });
    console.error(`start ${run + 1} of ${repeat}`);
  }
  print(starts);
});

async function started(defer, environment, { dataDir, key, rest }) {
  const port = await freePort();
  const begun = performance.now();
  const server = startNode(defer, [path.join(ROOT, 'dist/main.js')], {
    environment: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Only the first start prints its key, once.
  const known = key ?? (await keyFrom(server.child.stdout));
  server.child.stdout.resume();
  await untilReady(`http://127.0.0.1:${port}${QUESTION}`, known, server);
  const seconds = (performance.now() - begun) / 1_000;
  const memory = rest > 0 ? await memoryAfter(rest, server.pid, dataDir) : null;
  await server.stop();
  return { key: known, seconds, memory };
}

async function keyFrom(output) {
  let said = '';
  for await (const chunk of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk;
    const [key] = /tm_[0-9A-Za-z]{36}/.exec(said) ?? [];
    if (key !== undefined) return key;
  }
  throw new Error(`the first start showed no key: ${said}`);
}

async function memoryAfter(seconds, pid, dataDir) {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const [{ findHome }, { findPostmaster }] = await Promise.all([
    import('@tidemark/embedded-postgres/home'),
    import('@tidemark/embedded-postgres/postmaster'),
  ]);
  const postmaster = await findPostmaster(await findHome(dataDir));
  return { node: memoryOf(pid), postgres: treeMemoryOf(postmaster.pid) };
}

function print(starts) {
  const rows = Object.entries(starts).map(([name, runs]) => {
    const [{ memory }] = runs;
    return [
      `${name} start`,
      spread(
        runs.map(({ seconds }) => seconds),
        2,
      ),
      rounded(memory.node.resident),
      rounded(memory.postgres.proportional),
      rounded(memory.postgres.resident),
      memory.postgres.processes,
    ];
  });
  const head = [
    '',
    's to the first 200',
    'node RSS, MB',
    'PostgreSQL PSS, MB',
    'PostgreSQL RSS summed, MB',
    'its processes',
  ];
  console.log(`\n${conditions(['embedded PostgreSQL'])}; ${repeat} starts of each\n\n${table(head, rows)}\n`);
  for (const [name, limit] of Object.entries(LIMITS)) {
    const slowest = Math.max(...starts[name].map(({ seconds }) => seconds));
    const said = slowest <= limit ? 'met' : 'MISSED';
    console.log(`${name} start in at most ${limit} s: ${said} (slowest ${rounded(slowest, 2)})`);
  }
}
