// Whether a publication slows readers: the latency of one route before and during an import into the largest set.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import autocannon from 'autocannon';
import { freePort } from '../test/support/free-port.mjs';
import { KEY_PEPPER, makeKeys } from './contenders.mjs';
import { generate } from './generate.mjs';
import { ROOT, startNode, untilReady } from './workspace.mjs';

const SECONDS = 10;

/** Requests a second, spread over accounts so that none approaches its limit. */
const RATE = 60;
const ACCOUNTS = 64;

/** @returns p99 in milliseconds of uncached `GET /changes` responses, before and during the import of a vintage */
export async function stallOfReaders(defer, { environment, lease, say }) {
  const folder = path.join(path.dirname(environment.DATA_DIR), 'vintages');
  await mkdir(folder, { recursive: true });
  await generate(folder, { observations: 60_000, regions: 67, vintages: ['2026-07-15'] });
  const keys = await makeKeys(defer, lease, ACCOUNTS);
  const port = await freePort();
  const own = { ...environment, KEY_PEPPER, PORT: String(port), LOG_LEVEL: 'error' };
  const server = startNode(defer, [path.join(ROOT, 'dist/main.js')], { environment: own });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/api/v1/changes?limit=1`, keys[0], server);
  say('reading before an import');
  const before = await read(url, keys, SECONDS);
  say('reading during an import');
  const importing = spawn(
    process.execPath,
    [path.join(ROOT, 'dist/cli.js'), 'import', 'worldbank', '--accept', path.join(folder, '2026-07-15'), '--json'],
    { env: own, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  let ended = false;
  const done = new Promise((resolve) => importing.once('exit', resolve)).then((status) => {
    ended = true;
    if (status !== 0) throw new Error(`the import ended with ${status}`);
  });
  const during = await read(url, keys, SECONDS);
  if (ended) say('the import ended before the reading did');
  await done;
  return { before, during };
}

/** Each request has a bound that no earlier one used, so that the server computes every response. */
async function read(url, keys, seconds) {
  let asked = 0;
  const setupRequest = (request) => {
    asked += 1;
    const until = new Date(Date.UTC(2027, 0, 1) + Math.trunc(performance.now() * 10) + asked);
    return {
      ...request,
      path: `/api/v1/changes?limit=20&until=${until.toISOString()}`,
      headers: { authorization: `Bearer ${keys[asked % keys.length]}` },
    };
  };
  const result = await autocannon({
    url,
    connections: 4,
    overallRate: RATE,
    duration: seconds,
    sampleInt: 100,
    requests: [{ setupRequest }],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} errors`);
  }
  return result.latency.p99;
}
